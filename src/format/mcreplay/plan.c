/*
 * plan.c - what becomes of a scene that is written again: its meta.json, and the members that come
 * along as they are. Nothing that is read is lost in version 0.3.0.
 */
#include <math.h>

#include "write.h"

static const char written[] = "0.3.0";

/* The offset is whole numbers to the add-on. */
static reprise_value *offset_of(rp_doc *doc, const mc_replay *replay)
{
    reprise_value *offset = rp_new_array(doc);
    for (size_t i = 0; i < 3; i++) {
        double v = replay->offset[i];
        bool whole = v == floor(v) && fabs(v) < 1e9;
        rp_push(doc, offset, whole ? rp_new_int(doc, (int64_t)v) : rp_new_f64(doc, v));
    }
    return offset;
}

static reprise_value *make_header(rp_doc *doc, const mc_replay *replay)
{
    reprise_value *header = rp_new_object(doc);
    const reprise_value *about = replay->outer.about;
    rp_set_text(doc, header, "version", written);
    const char *encoder = reprise_value_text(rp_get(about, "encoder"), NULL);
    rp_set_text(doc, header, "encoder", encoder ? encoder : "Reprise");
    rp_set(doc, header, "offset", offset_of(doc, replay));
    for (size_t i = 0; i < reprise_value_count(about); i++) {
        const char *key = reprise_value_key(about, i);
        if (!rp_get(header, key) && strcmp(key, "origin") != 0)
            rp_set(doc, header, key, rp_copy(doc, reprise_value_at(about, i)));
    }
    return header;
}

/* Whether a member can be read to its end. */
static bool is_whole(const mc_archive *archive, size_t entry)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    uint8_t piece[4096];
    size_t got = 1;
    reprise_status status = mc_open_member(archive, entry, "zip", &stream, &damage);
    while (status == REPRISE_OK && got)
        status = rp_stream_read(stream, piece, sizeof piece, &got, &damage);
    rp_stream_close(stream);
    return status == REPRISE_OK;
}

/* Textures come along as they are. A .vcap's own are copied with its world. */
static reprise_status carry_textures(rp_plan *plan, const mc_replay *replay, reprise_error *error)
{
    const mc_members *textures = &replay->outer.textures;
    plan->carried = rp_arena_array(&plan->arena, RP_MAX(textures->count, 1), sizeof *plan->carried,
                                   error);
    for (size_t i = 0; plan->carried && i < textures->count; i++) {
        size_t entry = textures->items[i].entry;
        if (replay->base.salvage && !is_whole(&replay->outer, entry))
            continue;
        plan->carried[plan->carried_count++] = (rp_carried){
            .name = rp_zip_entry_at(replay->outer.zip, entry)->name, .blob = (int64_t)entry};
    }
    return error->status;
}

static size_t count_others(const mc_replay *replay)
{
    size_t others = 0;
    for (size_t i = 0; i < replay->base.blob_count; i++) {
        const char *name = replay->base.blobs[i].name;
        others += strcmp(replay->base.blobs[i].kind, "other") == 0 && *name &&
                  name[strlen(name) - 1] != '/';
    }
    return others;
}

reprise_status mc_plan(rp_plan *plan, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)plan->source;
    if (plan->edit.remove)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "private data of Minecraft scenes is not taken out yet");
    if (!plan->edit.layout || strcmp(plan->edit.layout, replay->base.layout) == 0)
        plan->edit.layout = written;
    if (replay->has_world)
        RP_TRY(mc_open_world(replay, error));
    plan->header = replay->alone ? rp_new_object(&plan->doc) : make_header(&plan->doc, replay);
    if (!replay->alone)
        RP_TRY(carry_textures(plan, replay, error));
    size_t others = count_others(replay);
    if (others)
        rp_push(&plan->doc, plan->losses,
                rp_new_format(&plan->doc, "%zu members that belong to no scene", others));
    return error->status;
}
