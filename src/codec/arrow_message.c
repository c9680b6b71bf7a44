/*
 * arrow_message.c - see arrow_message.h. Members are numbered as in Schema.fbs, Message.fbs and
 * File.fbs of the Arrow format.
 */
#include "arrow_message.h"

#include "arrow_type.h"
#include "checked.h"
#include "flatbuffer.h"

enum { VERSION_5 = 4 };
enum { HEADER_SCHEMA = 1, HEADER_DICTIONARY = 2, HEADER_BATCH = 3 };
enum { BLOCK_ALIGNMENT = 8 };

/* ---- types ---- */

enum {
    TYPE_INT = 2,
    TYPE_REAL = 3,
    TYPE_BYTES = 4,
    TYPE_TEXT = 5,
    TYPE_BOOL = 6,
    TYPE_LIST = 12,
    TYPE_STRUCT = 13,
    TYPE_FIXED_BYTES = 15,
    TYPE_FIXED_LIST = 16,
};

static const uint8_t type_numbers[] = {
    [RP_ARROW_BOOL] = TYPE_BOOL,
    [RP_ARROW_INT] = TYPE_INT,
    [RP_ARROW_UINT] = TYPE_INT,
    [RP_ARROW_REAL] = TYPE_REAL,
    [RP_ARROW_TEXT] = TYPE_TEXT,
    [RP_ARROW_BYTES] = TYPE_BYTES,
    [RP_ARROW_FIXED_BYTES] = TYPE_FIXED_BYTES,
    [RP_ARROW_LIST] = TYPE_LIST,
    [RP_ARROW_FIXED_LIST] = TYPE_FIXED_LIST,
    [RP_ARROW_STRUCT] = TYPE_STRUCT,
};

/* Writes the table of a type and lets the member refer to it. */
static void put_type(rp_writer *w, size_t member, rp_arrow_type type)
{
    enum { SINGLE = 1, DOUBLE = 2 };
    rp_flat_table table;
    switch (type.kind) {
    case RP_ARROW_INT:
    case RP_ARROW_UINT:
        table = rp_flat_table_new(w, "41");
        rp_flat_set(w, table.members[0], 8 * type.width, 4);
        rp_flat_set(w, table.members[1], type.kind == RP_ARROW_INT, 1);
        break;
    case RP_ARROW_REAL:
        table = rp_flat_table_new(w, "2");
        rp_flat_set(w, table.members[0], type.width == sizeof(float) ? SINGLE : DOUBLE, 2);
        break;
    case RP_ARROW_FIXED_BYTES:
    case RP_ARROW_FIXED_LIST:
        table = rp_flat_table_new(w, "4");
        rp_flat_set(w, table.members[0], type.width, 4);
        break;
    default:
        table = rp_flat_table_new(w, "");
    }
    rp_flat_refer(w, member, table.at);
}

/* ---- schemas ---- */

static void put_pair(rp_writer *w, size_t reference, const rp_arrow_pair *pair)
{
    rp_flat_table table = rp_flat_table_new(w, "44");
    rp_flat_refer(w, reference, table.at);
    rp_flat_text(w, table.members[0], pair->key, pair->key_size);
    rp_flat_text(w, table.members[1], pair->value, pair->value_size);
}

static void put_metadata(rp_writer *w, size_t member, const char *metadata,
                         const rp_table_options *more)
{
    size_t count = rp_arrow_pair_count(metadata), added = more ? more->about_count : 0;
    size_t references = rp_flat_references(w, member, count + added);
    const char *at = rp_arrow_pairs(metadata);
    for (size_t i = 0; i < count; i++) {
        rp_arrow_pair pair = rp_arrow_pair_next(&at);
        put_pair(w, references + 4 * i, &pair);
    }
    for (size_t i = 0; i < added; i++) {
        const rp_table_pair *own = &more->about[i];
        rp_arrow_pair pair = {own->key, own->value, strlen(own->key), strlen(own->value)};
        put_pair(w, references + 4 * (count + i), &pair);
    }
}

static void put_dictionary(rp_writer *w, size_t member, int64_t id, rp_arrow_type index_type)
{
    rp_flat_table table = rp_flat_table_new(w, "841");
    rp_flat_refer(w, member, table.at);
    rp_flat_set(w, table.members[0], (uint64_t)id, 8);
    put_type(w, table.members[1], index_type);
}

/* What the fields of one schema share. */
typedef struct fields {
    rp_arrow_use use;
    int64_t dictionaries; /* so far */
} fields;

static reprise_status put_field(rp_writer *w, size_t reference, const struct ArrowSchema *field,
                                bool nested, fields *all, reprise_error *error)
{
    enum { NAME, NULLABLE, TYPE_NUMBER, TYPE, DICTIONARY, CHILDREN, METADATA };
    rp_arrow_type type, own;
    bool in_parquet = all->use == RP_ARROW_IN_PARQUET;
    bool indexed = field->dictionary && !(in_parquet && nested);
    RP_TRY(rp_arrow_type_of(field, &own, error));
    RP_TRY(rp_arrow_type_of(field->dictionary ? field->dictionary : field, &type, error));
    if (in_parquet && type.kind == RP_ARROW_FIXED_LIST)
        type.kind = RP_ARROW_LIST;
    rp_flat_table table = rp_flat_table_new(w, indexed ? "4114444" : "4114044");
    rp_flat_refer(w, reference, table.at);
    rp_flat_set(w, table.members[NULLABLE], (field->flags & ARROW_FLAG_NULLABLE) != 0, 1);
    rp_flat_set(w, table.members[TYPE_NUMBER], type_numbers[type.kind], 1);
    const char *name = field->name ? field->name : "";
    rp_flat_text(w, table.members[NAME], name, strlen(name));
    put_type(w, table.members[TYPE], type);
    if (indexed)
        put_dictionary(w, table.members[DICTIONARY], all->dictionaries++, own);
    put_metadata(w, table.members[METADATA], field->metadata, NULL);
    size_t children = rp_flat_references(w, table.members[CHILDREN], (size_t)field->n_children);
    for (int64_t i = 0; i < field->n_children; i++)
        RP_TRY(put_field(w, children + 4 * (size_t)i, field->children[i], true, all, error));
    return REPRISE_OK;
}

static reprise_status put_schema(rp_writer *w, size_t member, const struct ArrowSchema *schema,
                                 const rp_table_options *options, rp_arrow_use use,
                                 reprise_error *error)
{
    enum { ENDIANNESS, FIELDS, METADATA };
    rp_flat_table table = rp_flat_table_new(w, "244");
    rp_flat_refer(w, member, table.at);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    rp_flat_set(w, table.members[ENDIANNESS], 1, 2);
#endif
    put_metadata(w, table.members[METADATA], schema->metadata, options);
    size_t references = rp_flat_references(w, table.members[FIELDS], (size_t)schema->n_children);
    fields all = {.use = use};
    for (int64_t i = 0; i < schema->n_children; i++)
        RP_TRY(put_field(w, references + 4 * (size_t)i, schema->children[i], false, &all, error));
    return REPRISE_OK;
}

/* ---- messages ---- */

/* Returns the member for the header. */
static size_t begin_message(rp_writer *w, uint8_t header, uint64_t body_size)
{
    enum { VERSION, HEADER_KIND, HEADER, BODY_SIZE };
    rp_flat_begin(w);
    rp_flat_table table = rp_flat_table_new(w, "2148");
    rp_flat_refer(w, 0, table.at);
    rp_flat_set(w, table.members[VERSION], VERSION_5, 2);
    rp_flat_set(w, table.members[HEADER_KIND], header, 1);
    rp_flat_set(w, table.members[BODY_SIZE], body_size, 8);
    return table.members[HEADER];
}

reprise_status rp_arrow_schema_message(rp_writer *w, const struct ArrowSchema *schema,
                                       const rp_table_options *options, rp_arrow_use use,
                                       reprise_error *error)
{
    size_t header = begin_message(w, HEADER_SCHEMA, 0);
    return put_schema(w, header, schema, options, use, error);
}

static void put_batch(rp_writer *w, size_t member, const rp_arrow_batch_about *batch)
{
    enum { LENGTH, NODES, BUFFERS };
    rp_flat_table table = rp_flat_table_new(w, "844");
    rp_flat_refer(w, member, table.at);
    rp_flat_set(w, table.members[LENGTH], (uint64_t)batch->length, 8);
    rp_flat_vector(w, table.members[NODES], batch->node_count, BLOCK_ALIGNMENT);
    for (size_t i = 0; i < batch->node_count; i++) {
        rp_put_u64(w, (uint64_t)batch->nodes[i].length);
        rp_put_u64(w, (uint64_t)batch->nodes[i].null_count);
    }
    rp_flat_vector(w, table.members[BUFFERS], batch->buffer_count, BLOCK_ALIGNMENT);
    for (size_t i = 0; i < batch->buffer_count; i++) {
        rp_put_u64(w, (uint64_t)batch->buffers[i].offset);
        rp_put_u64(w, (uint64_t)batch->buffers[i].length);
    }
}

void rp_arrow_batch_message(rp_writer *w, const rp_arrow_batch_about *batch)
{
    put_batch(w, begin_message(w, HEADER_BATCH, batch->body_size), batch);
}

void rp_arrow_dictionary_message(rp_writer *w, int64_t id, const rp_arrow_batch_about *batch)
{
    size_t header = begin_message(w, HEADER_DICTIONARY, batch->body_size);
    rp_flat_table table = rp_flat_table_new(w, "841");
    rp_flat_refer(w, header, table.at);
    rp_flat_set(w, table.members[0], (uint64_t)id, 8);
    put_batch(w, table.members[1], batch);
}

static void put_blocks(rp_writer *w, size_t member, const rp_arrow_block *blocks, size_t count)
{
    rp_flat_vector(w, member, count, BLOCK_ALIGNMENT);
    for (size_t i = 0; i < count; i++) {
        rp_put_u64(w, blocks[i].offset);
        rp_put_u64(w, blocks[i].metadata_size); /* 32 bits and 32 of padding */
        rp_put_u64(w, blocks[i].body_size);
    }
}

reprise_status rp_arrow_footer(rp_writer *w, const struct ArrowSchema *schema,
                               const rp_table_options *options, const rp_arrow_block *dictionaries,
                               size_t dictionary_count, const rp_arrow_block *batches,
                               size_t batch_count, reprise_error *error)
{
    enum { VERSION, SCHEMA, DICTIONARIES, BATCHES };
    rp_flat_begin(w);
    rp_flat_table table = rp_flat_table_new(w, "2444");
    rp_flat_refer(w, 0, table.at);
    rp_flat_set(w, table.members[VERSION], VERSION_5, 2);
    RP_TRY(put_schema(w, table.members[SCHEMA], schema, options, RP_ARROW_ALONE, error));
    put_blocks(w, table.members[DICTIONARIES], dictionaries, dictionary_count);
    put_blocks(w, table.members[BATCHES], batches, batch_count);
    return REPRISE_OK;
}

size_t rp_arrow_head(uint64_t offset, size_t size, size_t alignment,
                     uint8_t ret_head[RP_ARROW_HEAD_SIZE])
{
    size_t over = (size_t)((offset + RP_ARROW_HEAD_SIZE + size) % alignment);
    size_t padding = over ? alignment - over : 0;
    rp_store32(ret_head, UINT32_MAX);
    rp_store32(ret_head + 4, (uint32_t)(size + padding));
    return padding;
}
