/* stats.c - the analysis of a scene as a document. */
#include "analyse.h"

enum { BYTES_PER_PIXEL = 4 };

static void set_classes(rp_doc *doc, reprise_value *to, const mc_analysis *a)
{
    reprise_value *list = rp_set_array(doc, to, "classes");
    for (size_t i = 0; i < a->classes.count; i++) {
        const mc_tally *one = &a->classes.items[i];
        reprise_value *row = rp_push_object(doc, list);
        rp_set_text(doc, row, "class", one->name);
        rp_set_uint(doc, row, "entities", one->count);
        rp_set_f64(doc, row, "seconds_on_screen", one->seconds);
        rp_set_f64(doc, row, "metres", one->metres);
    }
}

static void set_changes(rp_doc *doc, reprise_value *to, const mc_analysis *a)
{
    reprise_value *world = rp_set_object(doc, to, "world");
    rp_set_uint(doc, world, "whole_frames", a->whole_frames);
    rp_set_uint(doc, world, "block_changes", a->changed_blocks);
    reprise_value *types = rp_set_array(doc, world, "by_type");
    for (size_t i = 0; i < a->models.count; i++) {
        reprise_value *row = rp_push_object(doc, types);
        rp_set_text(doc, row, "block", a->models.items[i].name);
        rp_set_uint(doc, row, "changes", a->models.items[i].count);
    }
    reprise_value *minutes = rp_set_array(doc, world, "by_minute");
    for (uint64_t i = 0; i < a->per_minute_count; i++)
        rp_push(doc, minutes, rp_new_uint(doc, a->per_minute[i]));
}

reprise_status mc_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                        reprise_value *derived, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)base;
    mc_analysis a;
    RP_TRY(mc_analyse(replay, doc->arena, &a, error));
    rp_set_uint(doc, recorded, "entities", a.entities);
    rp_set_uint(doc, recorded, "entities_skipped", replay->outer.entities.count - a.entities);
    rp_set_uint(doc, recorded, "parts", a.parts);
    rp_set_uint(doc, recorded, "frames", a.frames);
    rp_set_f64(doc, derived, "metres", a.distance);
    rp_set_uint(doc, derived, "visibility_changes", a.visibility_changes);
    rp_set_uint(doc, derived, "entity_triangles", a.triangles);
    set_classes(doc, derived, &a);
    if (replay->has_world)
        set_changes(doc, derived, &a);
    rp_set_uint(doc, derived, "texture_file_bytes", a.texture_bytes);
    rp_set_uint(doc, derived, "texture_memory_bytes", a.texture_pixels * BYTES_PER_PIXEL);
    return error->status;
}
