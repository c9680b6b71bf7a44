/* arrow.c - see arrow.h. */
#include "arrow.h"

#include <inttypes.h>
#include <stdio.h>

#include "array_parts.h"
#include "name_table.h"

/* ---- schemas ---- */

/* The memory of one schema; its children and dictionary follow. */
typedef struct schema_node {
    reprise_allocator allocator;
    size_t size;
    char format[16];
    char *name, *metadata;
    size_t name_size, metadata_size;
    struct ArrowSchema *pointers[];
} schema_node;

static void release_schema(struct ArrowSchema *schema)
{
    schema_node *node = schema->private_data;
    reprise_allocator allocator = node->allocator;
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
    }
    if (schema->dictionary && schema->dictionary->release)
        schema->dictionary->release(schema->dictionary);
    rp_free_given(&allocator, node->name, node->name_size);
    rp_free_given(&allocator, node->metadata, node->metadata_size);
    rp_free_given(&allocator, node, node->size);
    schema->release = NULL;
}

/* Gives a schema room for its children; none of them is made yet. */
static schema_node *begin_schema(rp_context *context, size_t children, bool dictionary,
                                 struct ArrowSchema *schema, reprise_error *error)
{
    size_t members = children + dictionary;
    size_t size = sizeof(schema_node) +
                  members * (sizeof(struct ArrowSchema *) + sizeof(struct ArrowSchema));
    schema_node *node = rp_alloc_zero(context, 1, size, error);
    if (!node)
        return NULL;
    rp_give(context, size);
    node->allocator = context->allocator;
    node->size = size;
    struct ArrowSchema *structs = (struct ArrowSchema *)(node->pointers + members);
    for (size_t i = 0; i < members; i++)
        node->pointers[i] = &structs[i];
    *schema = (struct ArrowSchema){.format = node->format,
                                   .name = "",
                                   .flags = ARROW_FLAG_NULLABLE,
                                   .n_children = (int64_t)children,
                                   .children = children ? node->pointers : NULL,
                                   .dictionary = dictionary ? node->pointers[children] : NULL,
                                   .release = release_schema,
                                   .private_data = node};
    return node;
}

/* Hands the bytes of a writer over to the consumer. */
static void *give_bytes(rp_writer *w, size_t *ret_size)
{
    void *data = w->data;
    *ret_size = w->capacity;
    if (data)
        rp_give(w->context, w->capacity);
    w->data = NULL;
    w->size = w->capacity = 0;
    return data;
}

static void set_name(rp_context *context, struct ArrowSchema *schema, const char *name,
                     reprise_error *error)
{
    schema_node *node = schema->private_data;
    rp_writer w;
    rp_writer_init(&w, context, SIZE_MAX / 2, error);
    rp_put(&w, name, strlen(name) + 1);
    node->name = give_bytes(&w, &node->name_size);
    schema->name = node->name;
}

/* Metadata begins with the number of its pairs. */
static void put_size(rp_writer *w, size_t size)
{
    int32_t value = (int32_t)size;
    rp_put(w, &value, sizeof value);
}

static void put_pair(rp_writer *w, const char *key, const char *value)
{
    if (!w->size)
        put_size(w, 0);
    put_size(w, strlen(key));
    rp_put_text(w, key);
    put_size(w, strlen(value));
    rp_put_text(w, value);
    int32_t count;
    if (!rp_writer_ok(w))
        return;
    memcpy(&count, w->data, sizeof count);
    count++;
    memcpy(w->data, &count, sizeof count);
}

static void set_metadata(struct ArrowSchema *schema, rp_writer *w)
{
    schema_node *node = schema->private_data;
    node->metadata = give_bytes(w, &node->metadata_size);
    schema->metadata = node->metadata;
}

/* "1=attack,2=jump" */
static void put_flags(rp_writer *w, rp_context *context, const reprise_array *about)
{
    rp_writer names;
    rp_writer_init(&names, context, SIZE_MAX / 2, w->error);
    for (size_t i = 0; i < about->name_count; i++)
        rp_put_format(&names, "%s%" PRId64 "=%s", i ? "," : "", about->names[i].number,
                      about->names[i].name);
    rp_put_u8(&names, 0);
    if (rp_writer_ok(w))
        put_pair(w, "flags", (const char *)names.data);
    rp_writer_free(&names);
}

static void describe(rp_context *context, const rp_array *array, struct ArrowSchema *schema,
                     reprise_error *error)
{
    const rp_column *column = array->column;
    rp_writer w;
    rp_writer_init(&w, context, SIZE_MAX / 2, error);
    if (column && column->about.doc)
        put_pair(&w, "doc", column->about.doc);
    if (column && column->about.derived)
        put_pair(&w, "derived", "true");
    if (column && column->source == RP_COLUMN_STORED) {
        char bit[8];
        snprintf(bit, sizeof bit, "%u", (unsigned)column->presence_bit);
        put_pair(&w, "stored_bit", bit);
    }
    if (array->about.flags)
        put_flags(&w, context, &array->about);
    set_metadata(schema, &w);
}

static bool is_dictionary(const rp_array *array)
{
    return array->about.name_count && !array->about.flags;
}

static void set_format(char *format, size_t size, const reprise_array *about)
{
    static const char *const formats[] = {
        [REPRISE_ARRAY_BOOL] = "b",   [REPRISE_ARRAY_INT8] = "c",   [REPRISE_ARRAY_INT16] = "s",
        [REPRISE_ARRAY_INT32] = "i",  [REPRISE_ARRAY_INT64] = "l",  [REPRISE_ARRAY_UINT8] = "C",
        [REPRISE_ARRAY_UINT16] = "S", [REPRISE_ARRAY_UINT32] = "I", [REPRISE_ARRAY_UINT64] = "L",
        [REPRISE_ARRAY_FLOAT] = "f",  [REPRISE_ARRAY_DOUBLE] = "g", [REPRISE_ARRAY_TEXT] = "u",
        [REPRISE_ARRAY_BYTES] = "z",  [REPRISE_ARRAY_LIST] = "+l",  [REPRISE_ARRAY_STRUCT] = "+s",
    };
    if (about->type == REPRISE_ARRAY_FIXED_BYTES)
        snprintf(format, size, "w:%zu", about->width);
    else if (about->type == REPRISE_ARRAY_FIXED_LIST)
        snprintf(format, size, "+w:%zu", about->width);
    else
        snprintf(format, size, "%s", formats[about->type]);
}

static reprise_status make_schema(rp_context *context, const rp_array *array, const char *name,
                                  struct ArrowSchema *schema, reprise_error *error)
{
    const reprise_array *about = &array->about;
    schema_node *node = begin_schema(context, about->child_count, is_dictionary(array), schema,
                                     error);
    if (!node)
        return error->status;
    set_format(node->format, sizeof node->format, about);
    set_name(context, schema, name, error);
    describe(context, array, schema, error);
    if (array->column && array->column->source < RP_COLUMN_STORED)
        schema->flags = 0;
    if (is_dictionary(array)) {
        snprintf(node->format, sizeof node->format, "i");
        schema_node *texts = begin_schema(context, 0, false, schema->dictionary, error);
        if (texts)
            snprintf(texts->format, sizeof texts->format, "u");
    }
    bool list = about->type == REPRISE_ARRAY_LIST || about->type == REPRISE_ARRAY_FIXED_LIST;
    for (size_t i = 0; error->status == REPRISE_OK && i < about->child_count; i++) {
        const rp_array *child = array->children[i];
        (void)make_schema(context, child, list ? "item" : child->about.name, schema->children[i],
                          error);
    }
    return error->status;
}

reprise_status rp_arrow_schema(rp_context *context, const rp_arrow_table *table,
                               struct ArrowSchema *ret_schema, reprise_error *error)
{
    struct ArrowSchema schema;
    schema_node *node = begin_schema(context, table->count, false, &schema, error);
    if (!node)
        return error->status;
    snprintf(node->format, sizeof node->format, "+s");
    schema.flags = 0;
    rp_writer w;
    rp_writer_init(&w, context, SIZE_MAX / 2, error);
    put_pair(&w, "reprise.format", table->format);
    put_pair(&w, "reprise.track", table->track);
    set_metadata(&schema, &w);
    for (size_t i = 0; error->status == REPRISE_OK && i < table->count; i++)
        (void)make_schema(context, table->arrays[i], table->arrays[i]->about.name,
                          schema.children[i], error);
    if (error->status != REPRISE_OK) {
        release_schema(&schema);
        return error->status;
    }
    *ret_schema = schema;
    return REPRISE_OK;
}

/* ---- dictionaries ---- */

/* The texts of a dictionary at some moment; batches share them until the dictionary grows. */
typedef struct shared_texts {
    atomic_size_t owners;
    size_t size, count;
    size_t texts_at; /* after the offsets */
    int32_t offsets[];
} shared_texts;

struct rp_arrow_names {
    rp_name_table table;
    shared_texts *texts; /* those of the last batch */
};

static void drop_texts(const reprise_allocator *allocator, shared_texts *texts)
{
    if (texts && atomic_fetch_sub(&texts->owners, 1) == 1)
        rp_free_given(allocator, texts, texts->size);
}

void rp_arrow_names_free(rp_array *array)
{
    if (!array->names)
        return;
    drop_texts(&array->arrays->context->allocator, array->names->texts);
    rp_name_table_free(&array->names->table);
    array->names = NULL;
}

static struct rp_arrow_names *names_of(rp_array *array)
{
    rp_arrays *arrays = array->arrays;
    if (array->names)
        return array->names;
    array->names = rp_arena_alloc(arrays->arena, sizeof *array->names, arrays->error);
    if (!array->names)
        return NULL;
    bool is_unsigned = array->about.type == REPRISE_ARRAY_UINT64;
    rp_name_table_init(&array->names->table, arrays->context, array->about.names,
                       array->about.name_count, is_unsigned, arrays->error);
    return array->names;
}

/* The dictionary as it is now, with one more owner. */
static shared_texts *share_texts(rp_context *context, struct rp_arrow_names *names,
                                 reprise_error *error)
{
    const rp_name_table *table = &names->table;
    if (!names->texts || names->texts->count != table->count) {
        size_t size = sizeof(shared_texts) + table->offsets.size + table->texts.size;
        shared_texts *texts = rp_alloc(context, size, error);
        if (!texts)
            return NULL;
        rp_give(context, size);
        texts->size = size;
        texts->count = table->count;
        texts->texts_at = table->offsets.size;
        memcpy(texts->offsets, table->offsets.data, table->offsets.size);
        if (table->texts.size)
            memcpy((char *)texts->offsets + texts->texts_at, table->texts.data, table->texts.size);
        atomic_init(&texts->owners, 1);
        drop_texts(&context->allocator, names->texts);
        names->texts = texts;
    }
    atomic_fetch_add(&names->texts->owners, 1);
    return names->texts;
}

/*
 * Most numbers are small, and found in the list of those. What is not there is looked up, unless it
 * is that of the row before.
 */
#define INDEX_EACH(type)                                               \
    for (size_t i = 0; i < array->length; i++) {                       \
        uint64_t number = (uint64_t)((const type *)from)[i];           \
        to[i] = small[RP_MIN(number, RP_NAMES_SMALL)];                 \
        any |= to[i];                                                  \
    }                                                                  \
    for (size_t i = 0; (valid || any < 0) && i < array->length; i++) { \
        int64_t number = (int64_t)((const type *)from)[i];             \
        bool there = !valid || valid[i / 8] >> i % 8 & 1;              \
        if (there && to[i] < 0 && (number != last || !known)) {        \
            index = rp_name_table_index(table, number);                \
            last = number;                                             \
            known = true;                                              \
        }                                                              \
        to[i] = !there ? 0 : to[i] < 0 ? index : to[i];                \
    }                                                                  \
    break

/* Replaces numbers by indices into the dictionary; a null is 0. */
static void index_names(const rp_array *array, const uint8_t *valid, rp_name_table *table,
                        int32_t *to)
{
    const void *from = array->about.values;
    const int32_t *small = table->small;
    int64_t last = 0;
    int32_t index = 0, any = 0;
    bool known = false;
    switch (array->about.type) {
    case REPRISE_ARRAY_INT8:
        INDEX_EACH(int8_t);
    case REPRISE_ARRAY_INT16:
        INDEX_EACH(int16_t);
    case REPRISE_ARRAY_INT32:
        INDEX_EACH(int32_t);
    case REPRISE_ARRAY_INT64:
        INDEX_EACH(int64_t);
    case REPRISE_ARRAY_UINT8:
        INDEX_EACH(uint8_t);
    case REPRISE_ARRAY_UINT16:
        INDEX_EACH(uint16_t);
    case REPRISE_ARRAY_UINT32:
        INDEX_EACH(uint32_t);
    default:
        INDEX_EACH(uint64_t);
    }
}

/* ---- batches ---- */

enum { BUFFERS_MAX = 3 };

/* The memory of one array; its children and dictionary follow. */
typedef struct array_node {
    reprise_allocator allocator;
    size_t size;
    const void *buffers[BUFFERS_MAX];
    void *owned[BUFFERS_MAX];
    size_t owned_size[BUFFERS_MAX];
    shared_texts *texts;
    struct ArrowArray *pointers[];
} array_node;

static void release_array(struct ArrowArray *array)
{
    array_node *node = array->private_data;
    reprise_allocator allocator = node->allocator;
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
    }
    if (array->dictionary && array->dictionary->release)
        array->dictionary->release(array->dictionary);
    for (size_t i = 0; i < BUFFERS_MAX; i++)
        rp_free_given(&allocator, node->owned[i], node->owned_size[i]);
    drop_texts(&allocator, node->texts);
    rp_free_given(&allocator, node, node->size);
    array->release = NULL;
}

static array_node *begin_array(rp_context *context, size_t children, bool dictionary,
                               struct ArrowArray *array, reprise_error *error)
{
    size_t members = children + dictionary;
    size_t size = sizeof(array_node) +
                  members * (sizeof(struct ArrowArray *) + sizeof(struct ArrowArray));
    array_node *node = rp_alloc_zero(context, 1, size, error);
    if (!node)
        return NULL;
    rp_give(context, size);
    node->allocator = context->allocator;
    node->size = size;
    struct ArrowArray *structs = (struct ArrowArray *)(node->pointers + members);
    for (size_t i = 0; i < members; i++)
        node->pointers[i] = &structs[i];
    *array = (struct ArrowArray){.n_children = (int64_t)children,
                                 .buffers = node->buffers,
                                 .children = children ? node->pointers : NULL,
                                 .dictionary = dictionary ? node->pointers[children] : NULL,
                                 .release = release_array,
                                 .private_data = node};
    return node;
}

/* Moves a buffer into the array. One that is much too large is cut, for consumers that collect. */
static void move_buffer(struct ArrowArray *array, rp_writer *w, reprise_error *error)
{
    static const uint64_t nothing[1] = {0};
    array_node *node = array->private_data;
    int64_t at = array->n_buffers++;
    if (w->data && w->capacity > w->size + w->size / 4) {
        void *data = rp_realloc(w->context, w->data, w->capacity, w->size, error);
        if (data) {
            w->data = data;
            w->capacity = RP_MAX(w->size, 1);
        }
    }
    node->owned[at] = give_bytes(w, &node->owned_size[at]);
    node->buffers[at] = node->owned[at] ? node->owned[at] : (const void *)nothing;
}

static reprise_status set_dictionary(rp_context *context, rp_array *from, struct ArrowArray *array,
                                     reprise_error *error)
{
    struct rp_arrow_names *names = names_of(from);
    rp_writer indices;
    rp_writer_init(&indices, context, SIZE_MAX / 2, error);
    size_t size = from->length * sizeof(int32_t);
    uint8_t *to = names && rp_writer_ok(&indices) && size ? rp_put_raw(&indices, size) : NULL;
    if (to)
        index_names(from, array->buffers[0], &names->table, (int32_t *)(void *)to);
    if (from->arrays->error->status != REPRISE_OK && error->status == REPRISE_OK)
        *error = *from->arrays->error;
    move_buffer(array, &indices, error);
    array_node *node = error->status == REPRISE_OK
                           ? begin_array(context, 0, false, array->dictionary, error)
                           : NULL;
    shared_texts *texts = node ? share_texts(context, names, error) : NULL;
    if (!texts)
        return error->status;
    node->texts = texts;
    node->buffers[1] = texts->offsets;
    node->buffers[2] = (const char *)texts->offsets + texts->texts_at;
    array->dictionary->length = (int64_t)texts->count;
    array->dictionary->n_buffers = 3;
    return REPRISE_OK;
}

static void move_buffers(rp_array *from, struct ArrowArray *array, reprise_error *error)
{
    switch (from->about.type) {
    case REPRISE_ARRAY_TEXT:
    case REPRISE_ARRAY_BYTES:
        move_buffer(array, &from->offsets, error);
        move_buffer(array, &from->values, error);
        break;
    case REPRISE_ARRAY_LIST:
        move_buffer(array, &from->offsets, error);
        break;
    case REPRISE_ARRAY_FIXED_LIST:
    case REPRISE_ARRAY_STRUCT:
        break;
    default:
        move_buffer(array, &from->values, error);
    }
}

static reprise_status move_array(rp_context *context, rp_array *from, struct ArrowArray *array,
                                 reprise_error *error)
{
    if (!begin_array(context, from->about.child_count, is_dictionary(from), array, error))
        return error->status;
    array->length = (int64_t)from->length;
    array->null_count = (int64_t)from->null_count;
    if (from->null_count)
        move_buffer(array, &from->validity, error);
    else
        array->n_buffers = 1;
    if (is_dictionary(from))
        (void)set_dictionary(context, from, array, error);
    else
        move_buffers(from, array, error);
    for (size_t i = 0; error->status == REPRISE_OK && i < from->about.child_count; i++)
        (void)move_array(context, from->children[i], array->children[i], error);
    return error->status;
}

reprise_status rp_arrow_batch(rp_context *context, const rp_arrow_table *table, size_t length,
                              struct ArrowArray *ret_batch, reprise_error *error)
{
    struct ArrowArray batch;
    if (!begin_array(context, table->count, false, &batch, error))
        return error->status;
    batch.length = (int64_t)length;
    batch.n_buffers = 1;
    for (size_t i = 0; error->status == REPRISE_OK && i < table->count; i++)
        (void)move_array(context, table->arrays[i], batch.children[i], error);
    if (error->status != REPRISE_OK) {
        release_array(&batch);
        return error->status;
    }
    *ret_batch = batch;
    return REPRISE_OK;
}
