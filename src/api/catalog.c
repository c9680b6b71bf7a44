/* catalog.c - the functions of reprise/catalog.h. */
#include "reprise/catalog.h"

#include "catalog.h"
#include "handle.h"
#include "hash.h"

struct reprise_catalog {
    rp_context context;
    rp_catalog catalog;
};

struct reprise_catalog_record {
    rp_context context;
    rp_arena arena;
    reprise_value *document;
};

/* ---- opening ---- */

reprise_status reprise_catalog_open(const char *path, const reprise_catalog_options *options,
                                    reprise_catalog **ret_catalog, reprise_error *error)
{
    RP_ENTER(error, path && ret_catalog);
    reprise_catalog_options all = REPRISE_CATALOG_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    if (all.write && !all.root)
        return rp_error_set(error, REPRISE_E_USAGE, "a catalog is written for a root");
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_catalog *catalog = rp_alloc_zero(&context, 1, sizeof *catalog, error);
    if (!catalog)
        return error->status;
    rp_context_init(&catalog->context, NULL);
    catalog->catalog.context = &catalog->context;
    if (rp_catalog_open(&catalog->catalog, path, &all, error) != REPRISE_OK) {
        reprise_catalog_close(catalog);
        return error->status;
    }
    *ret_catalog = catalog;
    return REPRISE_OK;
}

void reprise_catalog_close(reprise_catalog *catalog)
{
    if (!catalog)
        return;
    rp_catalog_close(&catalog->catalog);
    reprise_allocator allocator = catalog->context.allocator;
    allocator.free(allocator.ctx, catalog, sizeof *catalog);
}

/* ---- indexing ---- */

reprise_status reprise_catalog_look(reprise_catalog *catalog, const char *path, uint64_t size,
                                    int64_t mtime_ns, bool *ret_known, reprise_error *error)
{
    RP_ENTER(error, catalog && path && ret_known);
    if (!catalog->catalog.writes)
        return rp_error_set(error, REPRISE_E_USAGE, "the catalog is open for reading");
    return rp_catalog_look(&catalog->catalog, path, size, mtime_ns, ret_known, error);
}

/* Damage is part of the record; other failures are ours. */
static bool is_ours(const reprise_replay *handle, reprise_status status)
{
    return rp_is_own_failure(&handle->context, status);
}

static reprise_status describe_replay(reprise_replay *handle, rp_doc *doc,
                                      reprise_value **ret_record, reprise_error *error)
{
    const reprise_value *info = NULL;
    reprise_value *stats = NULL;
    reprise_error damage = REPRISE_ERROR_INIT;
    handle->replay->lists_no_private = true;
    RP_TRY(reprise_info(handle, &info, error));
    rp_doc answer = rp_new_answer(handle, &damage);
    if (handle->replay->format->analyse &&
        rp_describe_stats(handle->replay, &answer, &stats, &damage) != REPRISE_OK) {
        stats = NULL;
        if (is_ours(handle, damage.status)) {
            *error = damage;
            return error->status;
        }
    }
    if (damage.status == REPRISE_OK)
        (void)reprise_damage(handle, &damage);
    return rp_catalog_record_make(doc, handle->replay, info, stats, &damage, ret_record, error);
}

/* A file that cannot be opened has a hash all the same. */
static reprise_status describe_failure(rp_context *context, const char *file, rp_doc *doc,
                                       const reprise_error *failure, reprise_value **ret_record,
                                       reprise_error *error)
{
    uint8_t digest[RP_SHA256_SIZE];
    rp_source *source = NULL;
    *ret_record = rp_catalog_record_failed(doc, failure);
    RP_TRY(rp_source_open_file(context, file, &source, error));
    if (rp_sha256_source(context, source, digest, error) == REPRISE_OK)
        rp_set(doc, *ret_record, "sha256", rp_new_hex(doc, digest, sizeof digest));
    rp_source_close(source);
    return error->status;
}

static reprise_status fill_record(reprise_catalog_record *record, const char *file,
                                  const reprise_options *options, reprise_error *error)
{
    rp_doc doc = {.arena = &record->arena, .error = error};
    reprise_replay *handle = NULL;
    reprise_error failure = REPRISE_ERROR_INIT;
    reprise_status status = reprise_open_file(file, options, &handle, &failure);
    if (status == REPRISE_OK)
        status = describe_replay(handle, &doc, &record->document, &failure);
    bool ours = status == REPRISE_E_IO || status == REPRISE_E_NOMEM ||
                status == REPRISE_E_CANCELLED || status == REPRISE_E_USAGE;
    reprise_close(handle);
    if (ours)
        *error = failure;
    else if (status != REPRISE_OK)
        (void)describe_failure(&record->context, file, &doc, &failure, &record->document, error);
    return error->status;
}

reprise_status reprise_catalog_read(const char *file, const reprise_options *options,
                                    reprise_catalog_record **ret_record, reprise_error *error)
{
    RP_ENTER(error, file && ret_record);
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_catalog_record *record = rp_alloc_zero(&context, 1, sizeof *record, error);
    if (!record)
        return error->status;
    rp_context_init(&record->context, NULL);
    rp_arena_init(&record->arena, &record->context);
    if (fill_record(record, file, options, error) != REPRISE_OK) {
        reprise_catalog_record_free(record);
        return error->status;
    }
    *ret_record = record;
    return REPRISE_OK;
}

void reprise_catalog_record_free(reprise_catalog_record *record)
{
    if (!record)
        return;
    rp_arena_free(&record->arena);
    reprise_allocator allocator = record->context.allocator;
    allocator.free(allocator.ctx, record, sizeof *record);
}

const reprise_value *reprise_catalog_record_document(const reprise_catalog_record *record)
{
    return record ? record->document : NULL;
}

reprise_status reprise_catalog_put(reprise_catalog *catalog, const char *path, uint64_t size,
                                   int64_t mtime_ns, const reprise_catalog_record *record,
                                   reprise_error *error)
{
    RP_ENTER(error, catalog && path && record);
    return rp_catalog_put(&catalog->catalog, path, size, mtime_ns, record->document, error);
}

reprise_status reprise_catalog_finish(reprise_catalog *catalog, reprise_catalog_report *report,
                                      reprise_error *error)
{
    RP_ENTER(error, catalog);
    reprise_catalog_report none = {.struct_size = sizeof none};
    if (report)
        RP_TRY(rp_give_struct(report, &none, sizeof none, error));
    RP_TRY(rp_catalog_finish(&catalog->catalog, error));
    catalog->catalog.report.struct_size = sizeof catalog->catalog.report;
    if (report)
        RP_TRY(rp_give_struct(report, &catalog->catalog.report, sizeof *report, error));
    catalog->catalog.report = none;
    return REPRISE_OK;
}

/* ---- queries ---- */

reprise_status reprise_catalog_query(reprise_catalog *catalog, const char *sql,
                                     const reprise_value *parameters, reprise_catalog_row *row,
                                     void *ctx, reprise_error *error)
{
    RP_ENTER(error, catalog && sql && row);
    return rp_catalog_query(&catalog->catalog, sql, parameters, row, ctx, error);
}
