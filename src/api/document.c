/* document.c - the functions of reprise/write.h that build values. */
#include "handle.h"
#include "json.h"

struct reprise_document {
    rp_context context;
    rp_arena arena;
    reprise_error error; /* the first failure */
};

reprise_status reprise_document_new(reprise_document **ret_document, reprise_error *error)
{
    RP_ENTER(error, ret_document);
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_document *document = rp_alloc_zero(&context, 1, sizeof *document, error);
    if (!document)
        return error->status;
    rp_context_init(&document->context, NULL);
    rp_arena_init(&document->arena, &document->context);
    *ret_document = document;
    return REPRISE_OK;
}

void reprise_document_free(reprise_document *document)
{
    if (!document)
        return;
    rp_arena_free(&document->arena);
    document->context.allocator.free(document->context.allocator.ctx, document, sizeof *document);
}

reprise_status reprise_document_status(const reprise_document *document, reprise_error *error)
{
    RP_ENTER(error, document);
    *error = document->error;
    return error->status;
}

reprise_status reprise_value_parse(reprise_document *document, const char *json, size_t size,
                                   reprise_value **ret_value, reprise_error *error)
{
    RP_ENTER(error, document && json && ret_value);
    rp_doc doc = {.arena = &document->arena, .error = error};
    return rp_json_parse(&doc, json, size, "json", ret_value, NULL);
}

/* After a failure nothing is built any more. */
static bool usable(const reprise_document *document)
{
    return document && document->error.status == REPRISE_OK;
}

static rp_doc doc_of(reprise_document *document)
{
    return (rp_doc){.arena = &document->arena, .error = &document->error};
}

/* ---- new values ---- */

reprise_value *reprise_value_new_object(reprise_document *document)
{
    if (!usable(document))
        return NULL;
    rp_doc doc = doc_of(document);
    return rp_new_object(&doc);
}

reprise_value *reprise_value_new_array(reprise_document *document)
{
    if (!usable(document))
        return NULL;
    rp_doc doc = doc_of(document);
    return rp_new_array(&doc);
}

reprise_value *reprise_value_new_null(reprise_document *document)
{
    if (!usable(document))
        return NULL;
    rp_doc doc = doc_of(document);
    return rp_new_null(&doc);
}

reprise_value *reprise_value_new_bool(reprise_document *document, bool value)
{
    if (!usable(document))
        return NULL;
    rp_doc doc = doc_of(document);
    return rp_new_bool(&doc, value);
}

reprise_value *reprise_value_new_int(reprise_document *document, int64_t value)
{
    if (!usable(document))
        return NULL;
    rp_doc doc = doc_of(document);
    return rp_new_int(&doc, value);
}

reprise_value *reprise_value_new_uint(reprise_document *document, uint64_t value)
{
    if (!usable(document))
        return NULL;
    rp_doc doc = doc_of(document);
    return rp_new_uint(&doc, value);
}

reprise_value *reprise_value_new_double(reprise_document *document, double value)
{
    if (!usable(document))
        return NULL;
    rp_doc doc = doc_of(document);
    return rp_new_f64(&doc, value);
}

reprise_value *reprise_value_new_text(reprise_document *document, const char *text, size_t size)
{
    if (!usable(document) || (!text && size))
        return NULL;
    rp_doc doc = doc_of(document);
    return rp_new_text_n(&doc, text ? text : "", size);
}

/* ---- putting them together ---- */

/* Levels of nesting, up to `max`: values are walked recursively. */
static size_t depth_of(const reprise_value *value, size_t max)
{
    size_t depth = 0;
    for (size_t i = 0; max && i < reprise_value_count(value); i++) {
        size_t inner = depth_of(reprise_value_at(value, i), max - 1);
        depth = RP_MAX(depth, inner);
    }
    return depth + 1;
}

/* A copy of the value that may be put into a container of this kind, or NULL. */
static reprise_value *copy_for(reprise_document *document, const reprise_value *container,
                               reprise_value_kind kind, const reprise_value *value)
{
    if (!usable(document) || !container || !value)
        return NULL;
    rp_doc doc = doc_of(document);
    size_t max = (size_t)document->context.limits.depth_max;
    if (reprise_value_kind_of(container) != kind)
        rp_error_set(doc.error, REPRISE_E_USAGE, "the value to add to is no %s",
                     kind == REPRISE_VALUE_OBJECT ? "object" : "array");
    else if (depth_of(value, max) >= max)
        rp_limit(max + 1, max, "depth of values", "depth", doc.error);
    return usable(document) ? rp_copy(&doc, value) : NULL;
}

void reprise_value_set(reprise_document *document, reprise_value *object, const char *key,
                       const reprise_value *value)
{
    reprise_value *copy = key ? copy_for(document, object, REPRISE_VALUE_OBJECT, value) : NULL;
    if (!copy)
        return;
    rp_doc doc = doc_of(document);
    rp_replace(&doc, object, key, copy);
}

void reprise_value_push(reprise_document *document, reprise_value *array,
                        const reprise_value *value)
{
    reprise_value *copy = copy_for(document, array, REPRISE_VALUE_ARRAY, value);
    if (!copy)
        return;
    rp_doc doc = doc_of(document);
    rp_push(&doc, array, copy);
}

void reprise_value_set_bool(reprise_document *document, reprise_value *object, const char *key,
                            bool value)
{
    reprise_value_set(document, object, key, reprise_value_new_bool(document, value));
}

void reprise_value_set_int(reprise_document *document, reprise_value *object, const char *key,
                           int64_t value)
{
    reprise_value_set(document, object, key, reprise_value_new_int(document, value));
}

void reprise_value_set_double(reprise_document *document, reprise_value *object, const char *key,
                              double value)
{
    reprise_value_set(document, object, key, reprise_value_new_double(document, value));
}

void reprise_value_set_text(reprise_document *document, reprise_value *object, const char *key,
                            const char *text)
{
    if (text)
        reprise_value_set(document, object, key,
                          reprise_value_new_text(document, text, strlen(text)));
}
