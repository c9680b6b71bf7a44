/*
 * edit.c - plans how a scene is written again: its meta.json, and the members that are copied.
 * Version 0.3.0 can hold everything that is read.
 */
#include <math.h>

#include "whole.h"
#include "write.h"

static const char written[] = "0.3.0";

/* The add-on accepts only integers of 32 bits. */
static int64_t whole_offset(double v)
{
    return rp_whole(round(fmin(fmax(v, INT32_MIN), INT32_MAX)));
}

static reprise_value *offset_of(rp_plan *plan, const mc_replay *replay)
{
    rp_doc *doc = &plan->doc;
    reprise_value *offset = rp_new_array(doc);
    bool rounded = false;
    for (size_t i = 0; i < 3; i++) {
        int64_t whole = whole_offset(replay->offset[i]);
        rounded = rounded || (double)whole != replay->offset[i];
        rp_push(doc, offset, rp_new_int(doc, whole));
    }
    if (rounded)
        rp_push(doc, plan->losses,
                rp_new_text(doc, "the fraction of an offset, which must be whole blocks"));
    return offset;
}

static reprise_value *make_header(rp_plan *plan, const mc_replay *replay)
{
    rp_doc *doc = &plan->doc;
    reprise_value *header = rp_new_object(doc);
    const reprise_value *about = replay->outer.about;
    rp_set_text(doc, header, "version", written);
    const char *encoder = rp_get_text(about, "encoder");
    rp_set_text(doc, header, "encoder", encoder ? encoder : "Reprise");
    rp_set(doc, header, "offset", offset_of(plan, replay));
    for (size_t i = 0; i < reprise_value_count(about); i++) {
        const char *key = reprise_value_key(about, i);
        if (!rp_get(header, key) && strcmp(key, "origin") != 0)
            rp_set(doc, header, key, rp_copy(doc, reprise_value_at(about, i)));
    }
    return header;
}

/* Whether a member is the image of a skin, or describes its frames. */
static bool is_replaced(rp_plan *plan, const char *file)
{
    return mc_placeholder_texture(plan, file, mc_texture_id_size(file)) != NULL;
}

/* Textures are copied. Those of a .vcap are copied with its world. */
static reprise_status carry_textures(rp_plan *plan, const mc_replay *replay, reprise_error *error)
{
    const mc_members *textures = &replay->outer.textures;
    /* plus one for each grey image that redact.c puts in place of a skin */
    for (size_t i = 0; i < textures->count; i++) {
        size_t entry = textures->items[i].entry;
        if (is_replaced(plan, textures->items[i].id))
            continue;
        if (replay->base.salvage && !mc_member_is_complete(&replay->outer, entry))
            continue;
        if ((plan->edit.remove & RP_PRIVATE_CONTENT) &&
            !mc_is_texture(rp_zip_entry_at(replay->outer.zip, entry)->name))
            continue;
        plan->carried[plan->carried_count++] = (rp_carried){
            .name = rp_zip_entry_at(replay->outer.zip, entry)->name, .blob = (int64_t)entry};
    }
    return error->status;
}

/* Notes which colours become textures, and which of them a texture cannot represent. */
static reprise_status check_materials(rp_plan *plan, const mc_archive *archive,
                                      reprise_error *error)
{
    const mc_replay *replay = (const mc_replay *)plan->source;
    size_t made = 0, clipped = 0;
    for (size_t i = 0; archive->zip && i < archive->materials.count; i++) {
        rp_arena_reset(&plan->scratch);
        reprise_error damage = REPRISE_ERROR_INIT;
        rp_doc doc = {.arena = &plan->scratch, .error = &damage};
        reprise_value *document = NULL;
        if (mc_material_document(archive, i, &plan->scratch, &document, &damage) == REPRISE_OK) {
            mc_conversion m = {.doc = &doc};
            (void)mc_convert_material(&m, document);
            made += m.made;
            clipped += m.clipped;
        }
        if (damage.status != REPRISE_OK &&
            (rp_is_own_failure(replay->base.context, damage.status) || !replay->base.salvage)) {
            *error = damage;
            return damage.status;
        }
    }
    if (made)
        rp_push(&plan->doc, plan->notes,
                rp_new_format(&plan->doc, "%zu colours of materials become textures of one pixel",
                              made));
    if (clipped)
        rp_push(&plan->doc, plan->notes,
                rp_new_format(&plan->doc,
                              "%zu materials have colours outside 0-1, which textures cannot hold",
                              clipped));
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
    if (!plan->edit.layout || strcmp(plan->edit.layout, replay->base.layout) == 0)
        plan->edit.layout = written;
    if (replay->has_world)
        RP_TRY(mc_open_world(replay, error));
    plan->header = replay->alone ? rp_new_object(&plan->doc) : make_header(plan, replay);
    plan->carried = rp_arena_array(&plan->arena, 2 * replay->outer.textures.count + 1,
                                   sizeof *plan->carried, error);
    if (!plan->carried)
        return error->status;
    if (plan->edit.remove)
        RP_TRY(mc_plan_private(plan, error));
    if (!replay->alone)
        RP_TRY(carry_textures(plan, replay, error));
    RP_TRY(check_materials(plan, &replay->outer, error));
    RP_TRY(check_materials(plan, &replay->inner, error));
    size_t others = count_others(replay);
    if (others && plan->edit.remove & RP_PRIVATE_CONTENT)
        rp_push(&plan->doc, plan->dropped,
                rp_new_format(&plan->doc, "%zu members that are not part of a scene", others));
    else if (others)
        rp_push(&plan->doc, plan->losses,
                rp_new_format(&plan->doc, "%zu members that are not part of a scene", others));
    return error->status;
}
