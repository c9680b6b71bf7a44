/*
 * fuzz_miniyaml.c - any bytes as MiniYAML: nodes stay inside the text and in order, changing
 * nothing gives the text back, and what is written from a document reads as that document.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "miniyaml.h"

static void expect(bool holds)
{
    if (!holds)
        abort();
}

/* Every node's slices lie in the text; putting each value back in its place changes nothing. */
static void walk(rp_context *context, const char *text, size_t size)
{
    reprise_error error = REPRISE_ERROR_INIT, failure = REPRISE_ERROR_INIT;
    rp_yaml yaml = rp_yaml_of(text, size, "fuzz", &error);
    rp_yaml_node node;
    rp_writer copy;
    rp_arena arena;
    size_t copied = 0, line = 0;
    rp_arena_init(&arena, context);
    rp_writer_init(&copy, context, 4 * size + 64, &failure);
    while (rp_yaml_next(&yaml, &node)) {
        expect(node.key_size > 0 && node.key >= text && node.key + node.key_size <= text + size);
        expect(!node.value || (node.value >= text && node.value + node.value_size <= text + size));
        expect(node.value_offset + node.value_extent <= size && node.line > line);
        line = node.line;
        size_t length;
        const char *value = rp_yaml_text(&arena, &node, &length, &failure);
        expect(value && length <= node.value_size);
        rp_put(&copy, text + copied, node.value_offset + node.value_extent - copied);
        copied = node.value_offset + node.value_extent;
    }
    rp_put(&copy, text + copied, size - copied);
    expect(copy.size == size && (size == 0 || memcmp(copy.data, text, size) == 0));
    rp_writer_free(&copy);
    rp_arena_free(&arena);
}

static void write_document(rp_writer *w, const reprise_value *document, size_t depth)
{
    for (size_t i = 0; i < reprise_value_count(document); i++) {
        const reprise_value *value = reprise_value_at(document, i);
        bool nested = reprise_value_kind_of(value) == REPRISE_VALUE_OBJECT;
        size_t size = 0;
        const char *text = reprise_value_text(nested ? rp_get(value, "") : value, &size);
        if (!*reprise_value_key(document, i))
            continue;
        rp_yaml_put(w, depth, reprise_value_key(document, i), text, size);
        if (nested)
            write_document(w, value, depth + 1);
    }
}

static reprise_value *parse(rp_context *context, rp_arena *arena, const void *text, size_t size)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_doc doc = {arena, &error};
    reprise_value *document = NULL;
    (void)rp_yaml_document(&doc, &context->limits, text, size, "fuzz", &document);
    return error.status == REPRISE_OK ? document : NULL;
}

/* Written twice it is the same: the first writing settles what has two spellings. */
static void round_trip(rp_context *context, const char *text, size_t size)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_arena arena;
    rp_writer first, second;
    rp_arena_init(&arena, context);
    rp_writer_init(&first, context, SIZE_MAX / 2, &error);
    rp_writer_init(&second, context, SIZE_MAX / 2, &error);
    reprise_value *document = parse(context, &arena, text, size);
    if (document) {
        write_document(&first, document, 0);
        reprise_value *again = parse(context, &arena, first.data, first.size);
        write_document(&second, again, 0);
        expect(!again || (first.size == second.size &&
                          (!first.size || memcmp(first.data, second.data, first.size) == 0)));
    }
    rp_writer_free(&first);
    rp_writer_free(&second);
    rp_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rp_context context;
    rp_context_init(&context, NULL);
    walk(&context, (const char *)data, size);
    round_trip(&context, (const char *)data, size);
    return 0;
}
