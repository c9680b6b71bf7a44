/* options.h - options, and values from JSON text, without a check after every call. */
#ifndef TEST_OPTIONS_H
#define TEST_OPTIONS_H

#include <reprise/write.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void options_check(reprise_status status, const reprise_error *error)
{
    if (status == REPRISE_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    abort();
}

static inline reprise_options *options_new(void)
{
    reprise_error error;
    reprise_options *options = NULL;
    options_check(reprise_options_new(&options, &error), &error);
    return options;
}

static inline void options_free(reprise_options **options)
{
    reprise_options_free(*options);
}

/* Declares an options object that is freed at the end of its scope. */
#define TEST_OPTIONS(name) \
    reprise_options *name __attribute__((cleanup(options_free), unused)) = options_new()

static inline void options_limit(reprise_options *options, const char *name, uint64_t value)
{
    reprise_error error;
    options_check(reprise_options_set_limit(options, name, value, &error), &error);
}

/* reprise_writer_begin with metadata as JSON text; an empty one is an empty object. */
static inline reprise_status writer_begin_json(const char *format, const char *json,
                                               const reprise_write_options *options,
                                               const reprise_options *limits,
                                               reprise_writer **ret_writer, reprise_error *error)
{
    reprise_document *document = NULL;
    reprise_value *metadata = NULL;
    reprise_status status = reprise_document_new(&document, error);
    const char *text = *json ? json : "{}";
    if (status == REPRISE_OK)
        status = reprise_value_parse(document, text, strlen(text), &metadata, error);
    if (status == REPRISE_OK)
        status = reprise_writer_begin(format, metadata, options, limits, ret_writer, error);
    reprise_document_free(document);
    return status;
}

/* reprise_writer_set_value from JSON text. */
static inline reprise_status writer_set_json(reprise_writer *writer, int column, const char *json,
                                             size_t size, reprise_error *error)
{
    reprise_document *document = NULL;
    reprise_value *value = NULL;
    reprise_status status = reprise_document_new(&document, error);
    if (status == REPRISE_OK)
        status = reprise_value_parse(document, json, size, &value, error);
    if (status == REPRISE_OK)
        status = reprise_writer_set_value(writer, column, value, error);
    reprise_document_free(document);
    return status;
}

#endif
