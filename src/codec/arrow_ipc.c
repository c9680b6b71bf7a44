/*
 * arrow_ipc.c - writes the Arrow IPC file and stream formats.
 *
 * Buffers are written as they are in memory, so that readers can map a file. A dictionary only
 * grows: a stream repeats it before the batch that needs more of it; a file may have it only once,
 * so it follows the batches there, which readers find through the footer.
 */
#include "arrow_message.h"
#include "arrow_type.h"
#include "checked.h"
#include "table_writer.h"

enum { ALIGNMENT = 64, BUFFERS_MAX = 3 };
static const char magic[8] = "ARROW1";
enum { MAGIC_SIZE = 6 };

/* A buffer to be written. */
typedef struct piece {
    const void *data;
    size_t size;
} piece;

/*
 * What was last seen of a dictionary: its length, and for a file its texts, because they go with
 * the batch that had them.
 */
typedef struct held {
    rp_writer offsets, texts;
    int64_t length; /* -1: nothing yet */
} held;

typedef struct ipc_writer {
    rp_table_writer base;
    bool as_file;
    rp_writer message;
    reprise_error error; /* of the writers */
    /* of the batch that is being written */
    rp_writer nodes, buffers, pieces;
    uint64_t body_size;
    rp_writer dictionary_texts; /* per dictionary a struct held */
    rp_writer dictionary_blocks, batch_blocks;
} ipc_writer;

static reprise_status failed(const ipc_writer *ipc, reprise_error *error)
{
    if (ipc->error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = ipc->error;
    return error->status;
}

/* ---- collecting ---- */

static void add_buffer(ipc_writer *ipc, const void *data, size_t size)
{
    rp_arrow_buffer buffer = {(int64_t)ipc->body_size, (int64_t)size};
    piece part = {data, size};
    rp_put(&ipc->buffers, &buffer, sizeof buffer);
    rp_put(&ipc->pieces, &part, sizeof part);
    ipc->body_size += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t bits_size(size_t bits)
{
    return (bits + 7) / 8;
}

static void add_offsets(ipc_writer *ipc, const struct ArrowArray *array)
{
    add_buffer(ipc, array->buffers[1], ((size_t)array->length + 1) * sizeof(int32_t));
}

static size_t text_size(const struct ArrowArray *array)
{
    const int32_t *offsets = array->buffers[1];
    return (size_t)offsets[array->length];
}

static void add_values(ipc_writer *ipc, rp_arrow_type type, const struct ArrowArray *array)
{
    size_t length = (size_t)array->length;
    switch (type.kind) {
    case RP_ARROW_BOOL:
        add_buffer(ipc, array->buffers[1], bits_size(length));
        break;
    case RP_ARROW_TEXT:
    case RP_ARROW_BYTES:
        add_offsets(ipc, array);
        add_buffer(ipc, array->buffers[2], text_size(array));
        break;
    case RP_ARROW_LIST:
        add_offsets(ipc, array);
        break;
    case RP_ARROW_FIXED_LIST:
    case RP_ARROW_STRUCT:
        break;
    default:
        add_buffer(ipc, array->buffers[1], length * type.width);
    }
}

static reprise_status add_array(ipc_writer *ipc, const struct ArrowSchema *schema,
                                const struct ArrowArray *array, reprise_error *error)
{
    rp_arrow_type type;
    RP_TRY(rp_arrow_type_of(schema, &type, error));
    rp_arrow_node node = {array->length, (int64_t)rp_arrow_nulls(array)};
    rp_put(&ipc->nodes, &node, sizeof node);
    add_buffer(ipc, array->buffers[0], node.null_count ? bits_size((size_t)array->length) : 0);
    add_values(ipc, type, array);
    for (int64_t i = 0; i < schema->n_children; i++)
        RP_TRY(add_array(ipc, schema->children[i], array->children[i], error));
    return failed(ipc, error);
}

static void begin_batch(ipc_writer *ipc)
{
    rp_writer_clear(&ipc->nodes);
    rp_writer_clear(&ipc->buffers);
    rp_writer_clear(&ipc->pieces);
    ipc->body_size = 0;
}

static rp_arrow_batch_about about_batch(const ipc_writer *ipc, int64_t length)
{
    return (rp_arrow_batch_about){.length = length,
                                  .body_size = ipc->body_size,
                                  .nodes = (const void *)ipc->nodes.data,
                                  .node_count = ipc->nodes.size / sizeof(rp_arrow_node),
                                  .buffers = (const void *)ipc->buffers.data,
                                  .buffer_count = ipc->buffers.size / sizeof(rp_arrow_buffer)};
}

/* ---- writing ---- */

static const uint8_t zeros[ALIGNMENT];

static reprise_status write_message(ipc_writer *ipc, rp_arrow_block *ret_block,
                                    reprise_error *error)
{
    RP_TRY(failed(ipc, error));
    rp_sink *sink = ipc->base.sink;
    uint8_t head[RP_ARROW_HEAD_SIZE];
    uint64_t offset = rp_sink_size(sink);
    size_t padding = rp_arrow_head(offset, ipc->message.size, ALIGNMENT, head);
    *ret_block = (rp_arrow_block){offset, (uint32_t)(sizeof head + ipc->message.size + padding),
                                  ipc->body_size};
    RP_TRY(rp_sink_write(sink, head, sizeof head, error));
    RP_TRY(rp_sink_write(sink, ipc->message.data, ipc->message.size, error));
    return rp_sink_write(sink, zeros, padding, error);
}

static reprise_status write_body(ipc_writer *ipc, reprise_error *error)
{
    const piece *pieces = (const void *)ipc->pieces.data;
    for (size_t i = 0; i < ipc->pieces.size / sizeof *pieces; i++) {
        size_t over = pieces[i].size % ALIGNMENT;
        if (pieces[i].size)
            RP_TRY(rp_sink_write(ipc->base.sink, pieces[i].data, pieces[i].size, error));
        if (over)
            RP_TRY(rp_sink_write(ipc->base.sink, zeros, ALIGNMENT - over, error));
    }
    return REPRISE_OK;
}

static reprise_status write_block(ipc_writer *ipc, rp_writer *blocks, reprise_error *error)
{
    rp_arrow_block block;
    RP_TRY(write_message(ipc, &block, error));
    RP_TRY(write_body(ipc, error));
    rp_put(blocks, &block, sizeof block);
    return failed(ipc, error);
}

/* ---- dictionaries ---- */

static reprise_status write_dictionary(ipc_writer *ipc, int64_t id, int64_t length,
                                       const void *offsets, const void *texts, reprise_error *error)
{
    const void *buffers[BUFFERS_MAX] = {NULL, offsets, texts};
    struct ArrowArray array = {.length = length, .n_buffers = BUFFERS_MAX, .buffers = buffers};
    const struct ArrowSchema schema = {.format = "u"};
    begin_batch(ipc);
    RP_TRY(add_array(ipc, &schema, &array, error));
    rp_arrow_batch_about about = about_batch(ipc, length);
    rp_arrow_dictionary_message(&ipc->message, id, &about);
    return write_block(ipc, &ipc->dictionary_blocks, error);
}

static void hold(ipc_writer *ipc, held *own, const struct ArrowArray *dictionary)
{
    if (!own->offsets.context) {
        rp_writer_init(&own->offsets, ipc->base.context, SIZE_MAX / 2, &ipc->error);
        rp_writer_init(&own->texts, ipc->base.context, SIZE_MAX / 2, &ipc->error);
    }
    rp_writer_clear(&own->offsets);
    rp_writer_clear(&own->texts);
    rp_put(&own->offsets, dictionary->buffers[1],
           ((size_t)dictionary->length + 1) * sizeof(int32_t));
    rp_put(&own->texts, dictionary->buffers[2], text_size(dictionary));
    own->length = dictionary->length;
}

static held *held_at(ipc_writer *ipc, size_t id)
{
    while (ipc->dictionary_texts.size < (id + 1) * sizeof(held) && rp_writer_ok(&ipc->message)) {
        held none = {.length = -1};
        rp_put(&ipc->dictionary_texts, &none, sizeof none);
    }
    return rp_writer_ok(&ipc->message) ? (held *)(void *)ipc->dictionary_texts.data + id : NULL;
}

/* Writes or keeps the dictionaries of a field and its children that are larger than before. */
static reprise_status add_dictionaries(ipc_writer *ipc, const struct ArrowSchema *schema,
                                       const struct ArrowArray *array, size_t *id,
                                       reprise_error *error)
{
    if (schema->dictionary) {
        const struct ArrowArray *dictionary = array->dictionary;
        held *own = held_at(ipc, (*id)++);
        RP_TRY(failed(ipc, error));
        if (own->length != dictionary->length) {
            if (ipc->as_file)
                hold(ipc, own, dictionary);
            else
                RP_TRY(write_dictionary(ipc, (int64_t)*id - 1, dictionary->length,
                                        dictionary->buffers[1], dictionary->buffers[2], error));
            own->length = dictionary->length;
        }
    }
    for (int64_t i = 0; i < schema->n_children; i++)
        RP_TRY(add_dictionaries(ipc, schema->children[i], array->children[i], id, error));
    return failed(ipc, error);
}

static size_t count_dictionaries(const struct ArrowSchema *schema)
{
    size_t count = schema->dictionary != NULL;
    for (int64_t i = 0; i < schema->n_children; i++)
        count += count_dictionaries(schema->children[i]);
    return count;
}

/* Readers want every dictionary, also an empty one of a table without rows. */
static reprise_status end_dictionaries(ipc_writer *ipc, reprise_error *error)
{
    static const int32_t no_texts[1] = {0};
    size_t count = count_dictionaries(ipc->base.schema);
    for (size_t id = 0; id < count; id++) {
        held *own = held_at(ipc, id);
        RP_TRY(failed(ipc, error));
        if (own->length < 0)
            RP_TRY(write_dictionary(ipc, (int64_t)id, 0, no_texts, "", error));
        else if (ipc->as_file)
            RP_TRY(write_dictionary(ipc, (int64_t)id, own->length, own->offsets.data,
                                    own->texts.data, error));
    }
    return REPRISE_OK;
}

/* ---- the writer ---- */

static reprise_status ipc_batch(rp_table_writer *writer, const struct ArrowArray *batch,
                                reprise_error *error)
{
    ipc_writer *ipc = (ipc_writer *)writer;
    const struct ArrowSchema *schema = writer->schema;
    RP_TRY(rp_arrow_check(schema, batch, error));
    size_t id = 0;
    RP_TRY(add_dictionaries(ipc, schema, batch, &id, error));
    begin_batch(ipc);
    for (int64_t i = 0; i < schema->n_children; i++)
        RP_TRY(add_array(ipc, schema->children[i], batch->children[i], error));
    rp_arrow_batch_about about = about_batch(ipc, batch->length);
    rp_arrow_batch_message(&ipc->message, &about);
    return write_block(ipc, &ipc->batch_blocks, error);
}

static reprise_status write_footer(ipc_writer *ipc, reprise_error *error)
{
    RP_TRY(rp_arrow_footer(&ipc->message, ipc->base.schema, &ipc->base.options,
                           (const void *)ipc->dictionary_blocks.data,
                           ipc->dictionary_blocks.size / sizeof(rp_arrow_block),
                           (const void *)ipc->batch_blocks.data,
                           ipc->batch_blocks.size / sizeof(rp_arrow_block), error));
    rp_put_u32(&ipc->message, (uint32_t)ipc->message.size);
    rp_put(&ipc->message, magic, MAGIC_SIZE);
    RP_TRY(failed(ipc, error));
    return rp_sink_write(ipc->base.sink, ipc->message.data, ipc->message.size, error);
}

static reprise_status ipc_end(rp_table_writer *writer, reprise_error *error)
{
    static const uint8_t end_of_stream[RP_ARROW_HEAD_SIZE] = {0xFF, 0xFF, 0xFF, 0xFF};
    ipc_writer *ipc = (ipc_writer *)writer;
    RP_TRY(end_dictionaries(ipc, error));
    RP_TRY(rp_sink_write(writer->sink, end_of_stream, sizeof end_of_stream, error));
    return ipc->as_file ? write_footer(ipc, error) : REPRISE_OK;
}

static const size_t writer_offsets[] = {
    offsetof(ipc_writer, message),          offsetof(ipc_writer, nodes),
    offsetof(ipc_writer, buffers),          offsetof(ipc_writer, pieces),
    offsetof(ipc_writer, dictionary_texts), offsetof(ipc_writer, dictionary_blocks),
    offsetof(ipc_writer, batch_blocks),
};

static rp_writer *writer_at(ipc_writer *ipc, size_t i)
{
    return (rp_writer *)(void *)((char *)ipc + writer_offsets[i]);
}

static void ipc_free(rp_table_writer *writer)
{
    ipc_writer *ipc = (ipc_writer *)writer;
    held *texts = (held *)(void *)ipc->dictionary_texts.data;
    for (size_t i = 0; i < ipc->dictionary_texts.size / sizeof *texts; i++) {
        if (!texts[i].offsets.context)
            continue;
        rp_writer_free(&texts[i].offsets);
        rp_writer_free(&texts[i].texts);
    }
    for (size_t i = 0; i < RP_COUNT(writer_offsets); i++)
        rp_writer_free(writer_at(ipc, i));
    rp_free(writer->context, ipc, sizeof *ipc);
}

static reprise_status write_start(ipc_writer *ipc, reprise_error *error)
{
    rp_arrow_block block;
    if (ipc->as_file)
        RP_TRY(rp_sink_write(ipc->base.sink, magic, sizeof magic, error));
    RP_TRY(rp_arrow_schema_message(&ipc->message, ipc->base.schema, &ipc->base.options,
                                   RP_ARROW_ALONE, error));
    return write_message(ipc, &block, error);
}

reprise_status rp_arrow_ipc_open(rp_context *context, const struct ArrowSchema *schema,
                                 const rp_table_options *options, bool as_file, rp_sink *sink,
                                 rp_table_writer **ret_writer, reprise_error *error)
{
    static const rp_table_writer_ops ops = {.batch = ipc_batch, .end = ipc_end, .free = ipc_free};
    ipc_writer *ipc = rp_alloc_zero(context, 1, sizeof *ipc, error);
    if (!ipc)
        return error->status;
    ipc->base = (rp_table_writer){
        .ops = &ops, .context = context, .sink = sink, .schema = schema, .options = *options};
    ipc->as_file = as_file;
    for (size_t i = 0; i < RP_COUNT(writer_offsets); i++)
        rp_writer_init(writer_at(ipc, i), context, SIZE_MAX / 2, &ipc->error);
    if (write_start(ipc, error) != REPRISE_OK) {
        ipc_free(&ipc->base);
        return error->status;
    }
    *ret_writer = &ipc->base;
    return REPRISE_OK;
}
