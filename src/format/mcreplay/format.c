/* format.c - the descriptor of Minecraft's scene replays, and the probe. */
#include "read.h"
#include "registry.h"
#include "write.h"

/* Counts the entries of a folder; stops after a few. */
static bool has_folder(const rp_zip *zip, const char *folder, const char *suffix)
{
    size_t front = strlen(folder), back = strlen(suffix);
    for (size_t i = 0; i < rp_zip_count(zip); i++) {
        const char *name = rp_zip_entry_at(zip, i)->name;
        size_t size = strlen(name);
        if (size > front + back && strncmp(name, folder, front) == 0 &&
            strcmp(name + size - back, suffix) == 0)
            return true;
    }
    return false;
}

/* Each matching name scores its letters. meta.json alone is too common. */
static unsigned probe(const rp_probe *probe)
{
    if (!probe->zip)
        return 0;
    bool meta = rp_zip_find(probe->zip, "meta.json") >= 0;
    unsigned bits = 0;
    if (rp_zip_find(probe->zip, "world.vcap") >= 0)
        bits += 32;
    if (rp_zip_find(probe->zip, "world.dat") >= 0)
        bits += 32;
    if (has_folder(probe->zip, "entities/", ".xml"))
        bits += 16;
    if (bits && meta)
        bits += 16;
    return bits ? bits : meta ? 4 : 0;
}

/* ReplayMod: the same game and kind of archive, but a different format. */
static const char *mistaken(const rp_probe *probe)
{
    bool packets = probe->zip && rp_zip_find(probe->zip, "recording.tmcpr") >= 0 &&
                   rp_zip_find(probe->zip, "metaData.json") >= 0;
    return packets ? "a ReplayMod recording (.mcpr): packets of the network, not a scene" : NULL;
}

static reprise_status blob_open(rp_replay *base, size_t index, rp_stream **ret_stream,
                                reprise_error *error)
{
    return rp_zip_open_entry(base->zip, index, "zip", 0, ret_stream, error);
}

static const rp_layout layouts[] = {
    {"vcap", "world capture without a version (November 2021)", true, false},
    {"0.1.0", "armatures, first parts, P-frames (to May 2022)", true, false},
    {"0.2.0", "override channels, blend modes (mod 0.3.0)", true, false},
    {"0.2.1", "offset (mods 0.3.1 to 0.5.0)", true, false},
    {"0.3.0", "animated textures, emission, new model ids (mods 0.6.0 to 0.9.1)", true, true},
};

/* Materials and textures, entities, then those of the world, its meshes and its frames. */
static int stage_of(const rp_row *row)
{
    const mc_mesh *mesh = row->data;
    const mc_material *material = row->data;
    const mc_texture *texture = row->data;
    switch (row->track) {
    case MC_MATERIALS:
        return material->scope == MC_SCOPE_WORLD ? MC_STAGE_WORLD_MATERIALS : MC_STAGE_MATERIALS;
    case MC_TEXTURES:
        return texture->scope == MC_SCOPE_WORLD ? MC_STAGE_WORLD_TEXTURES : MC_STAGE_TEXTURES;
    case MC_MESHES:
        return mesh->scope == MC_SCOPE_WORLD ? MC_STAGE_WORLD_MESHES : MC_STAGE_ENTITIES;
    case MC_BLOCKS:
    case MC_WORLD_FRAMES:
        return MC_STAGE_WORLD;
    default:
        return MC_STAGE_ENTITIES;
    }
}

static int order(const rp_row *a, const rp_row *b)
{
    int x = stage_of(a), y = stage_of(b);
    if (x != y)
        return x < y ? -1 : 1;
    if (x == MC_STAGE_ENTITIES && a->object != b->object)
        return a->object < b->object ? -1 : 1;
    bool definition = a->track == MC_ENTITIES, other = b->track == MC_ENTITIES;
    if (definition != other)
        return definition ? -1 : 1;
    bool timed = x == MC_STAGE_ENTITIES || x == MC_STAGE_WORLD;
    return timed && a->index != b->index ? (a->index < b->index ? -1 : 1) : 0;
}

static const rp_format_read reading = {
    .replay_size = sizeof(mc_replay),
    .decoder_size = sizeof(mc_decoder),
    .probe = probe,
    .mistaken = mistaken,
    .open = mc_open,
    .close = mc_close,
    .info = mc_info,
    .length = mc_length,
    .begin = mc_decode_begin,
    .next = mc_decode_next,
    .seek = mc_decode_seek,
    .end = mc_decode_end,
    .blob_open = blob_open,
    .stream_open = mc_stream_open,
    .salvages = true,
    .order = order,
    .interpolates = true,
};

static const rp_format_verify verifying = {
    .check = mc_verify,
    .finds_more = true,
};

static const rp_format_privacy privacy = {
    .header = mc_private_header,
};

static const rp_format_write writing = {
    .default_layout = "0.3.0",
    .encoder_size = sizeof(mc_encoder),
    .begin = mc_encode_begin,
    .rows = mc_encode_rows,
    .blob = mc_encode_blob,
    .end = mc_encode_end,
    .free = mc_encode_free,
};

static const rp_format_row_writer row_writing = {
    .collects = true,
    .order = mc_row_order,
    .batch_begins = mc_batch_begins,
    .init = mc_row_init,
    .held = mc_row_held,
    .header_made = mc_header_made,
};

static const rp_format_edit editing = {
    .plan = mc_plan,
    .plan_free = mc_plan_free,
    .rows = mc_edit_rows,
    .recompress = mc_recompress,
    .cuts = true,
};

static const rp_format_analyse analysis = {
    .stats = mc_stats,
};

const rp_finding_kind mc_findings[] = {MC_FINDINGS(RP_FINDING_ROW)};

const rp_format mcreplay_format = {
    .name = "mcreplay",
    .title = "Minecraft scene replay (mc-world-export)",
    .extensions = "replay vcap",
    .layouts = layouts,
    .layout_count = RP_COUNT(layouts),
    .tracks = mc_tracks,
    .track_count = MC_TRACK_COUNT,
    .records = mc_records,
    .record_count = MC_RECORD_COUNT,
    .findings = mc_findings,
    .finding_count = MC_FINDING_COUNT,
    .read = &reading,
    .verify = &verifying,
    .privacy = &privacy,
    .write = &writing,
    .row_writer = &row_writing,
    .edit = &editing,
    .analyse = &analysis,
    .summary = &mc_summary,
    .scene = mc_scene,
};
