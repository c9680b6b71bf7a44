/*
 * recompress.c - the same members at another level. The world is an archive in the archive, so its
 * members are compressed again as well: that is where the level matters.
 */
#include "write.h"

static bool is_directory(const char *name)
{
    size_t size = strlen(name);
    return size && name[size - 1] == '/';
}

static reprise_status add_source(rp_context *context, rp_zip_writer *to, const char *name,
                                 rp_sink *spool, reprise_error *error)
{
    rp_source *source = NULL;
    rp_stream *stream = NULL;
    RP_TRY(rp_sink_reopen(spool, &source, error));
    reprise_status status = rp_stream_open_range(context, source, 0, rp_source_size(source), name,
                                                 &stream, error);
    if (status == REPRISE_OK)
        status = rp_zip_add_stream(to, name, stream, error);
    rp_stream_close(stream);
    rp_source_close(source);
    return status;
}

static reprise_status copy_member(const mc_archive *archive, size_t entry, rp_zip_writer *to,
                                  reprise_error *error)
{
    const char *name = rp_zip_entry_at(archive->zip, entry)->name;
    rp_stream *stream = NULL;
    if (is_directory(name))
        return REPRISE_OK;
    RP_TRY(mc_open_member(archive, entry, name, &stream, error));
    reprise_status status = rp_zip_add_stream(to, name, stream, error);
    rp_stream_close(stream);
    return status;
}

static reprise_status copy_world(mc_replay *replay, int level, rp_sink *sink, rp_zip_writer *to,
                                 const char *name, reprise_error *error)
{
    rp_context *context = replay->base.context;
    rp_sink *spool = NULL;
    rp_zip_writer *zip = NULL;
    RP_TRY(mc_open_world(replay, error));
    RP_TRY(rp_sink_open_spool(context, sink, &spool, error));
    reprise_status status = rp_zip_writer_new(context, spool, &zip, error);
    if (status == REPRISE_OK)
        status = rp_zip_set_level(zip, level, error);
    for (size_t i = 0; status == REPRISE_OK && i < rp_zip_count(replay->inner.zip); i++)
        status = copy_member(&replay->inner, i, zip, error);
    if (status == REPRISE_OK)
        status = rp_zip_finish(zip, error);
    rp_zip_writer_free(zip);
    if (status == REPRISE_OK)
        status = add_source(context, to, name, spool, error);
    rp_sink_close(spool);
    return status;
}

reprise_status mc_recompress(rp_replay *base, const rp_write_options *options, rp_sink *sink,
                             reprise_error *error)
{
    mc_replay *replay = (mc_replay *)base;
    const mc_archive *archive = replay->alone ? &replay->inner : &replay->outer;
    int64_t world = replay->alone ? -1 : archive->world;
    rp_zip_writer *zip = NULL;
    RP_TRY(rp_zip_writer_new(base->context, sink, &zip, error));
    reprise_status status = rp_zip_set_level(zip, options->level, error);
    for (size_t i = 0; status == REPRISE_OK && i < rp_zip_count(archive->zip); i++)
        status = (int64_t)i == world
                     ? copy_world(replay, options->level, sink, zip, "world.vcap", error)
                     : copy_member(archive, i, zip, error);
    if (status == REPRISE_OK)
        status = rp_zip_finish(zip, error);
    rp_zip_writer_free(zip);
    return status;
}

reprise_status mc_stream_open(rp_replay *base, size_t index, rp_stream **ret_stream,
                              reprise_error *error)
{
    mc_replay *replay = (mc_replay *)base;
    if (replay->alone || !replay->has_world)
        return REPRISE_END;
    RP_TRY(mc_open_world(replay, error));
    const mc_archive *inner = &replay->inner;
    if (index >= rp_zip_count(inner->zip))
        return REPRISE_END;
    return mc_open_member(inner, index, rp_zip_entry_at(inner->zip, index)->name, ret_stream,
                          error);
}
