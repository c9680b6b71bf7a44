/*
 * carried.c - texts that an import from OpenRA carries along besides orders: the duration of a
 * frame, and the sync hashes of the engine that recorded it.
 */
#include "import.h"

#include <stdlib.h>

#include "miniyaml.h"

enum { TICKS_PER_SECOND = 15, MS_MAX = 10000, TICKS_MAX = 1000 };

uint64_t ic_carried_frame_ms(const rp_text *text, uint64_t fallback)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml_node node;
    int64_t ms = 0, ticks = 0;
    if (!text)
        return fallback;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "match", &damage);
    while (rp_yaml_next(&yaml, &node)) {
        if (rp_yaml_is(&node, "TickMs"))
            ms = rp_yaml_int(&node, 0);
        else if (rp_yaml_is(&node, "TicksPerFrame"))
            ticks = rp_yaml_int(&node, 0);
    }
    bool sane = ms > 0 && ms <= MS_MAX && ticks > 0 && ticks <= TICKS_MAX;
    return sane ? (uint64_t)(ms * ticks) : fallback;
}

static const rp_text *text_of(const ic_embedded *embedded, const char *path)
{
    const ic_manifest *manifest = embedded->mod_manifest;
    for (size_t i = 0; manifest && i < manifest->rules.count; i++) {
        const ic_rule *rule = (const ic_rule *)manifest->rules.items + i;
        if (rule->path.size == strlen(path) && memcmp(rule->path.data, path, rule->path.size) == 0)
            return &rule->yaml;
    }
    return NULL;
}

/* Lines are "FRAME: HASH,... DEFEAT"; those of one client, "FRAME@CLIENT", are ignored. */
static bool read_line(const rp_yaml_node *node, uint64_t frame_ms, ic_foreign_hash *ret_hash)
{
    rp_yaml_node key = {.value = node->key, .value_size = node->key_size};
    int64_t frame = rp_yaml_int(&key, 0), value = 0;
    size_t digits = 0;
    while (digits < node->value_size && node->value[digits] != ',' && node->value[digits] != ' ')
        digits++;
    rp_yaml_node first = {.value = node->value, .value_size = digits};
    value = rp_yaml_int(&first, INT64_MAX);
    if (frame < 1 || frame > INT32_MAX || value < INT32_MIN || value > INT32_MAX)
        return false;
    uint64_t ms = (uint64_t)(frame - 1) * frame_ms;
    /* It was taken after the orders of the frame, so it belongs to the next state. */
    *ret_hash = (ic_foreign_hash){(ms * TICKS_PER_SECOND + 500) / 1000 + 1,
                                  (uint32_t)(int32_t)value};
    return true;
}

reprise_status ic_foreign_hashes(rp_context *context, const rp_text *match, const rp_text *sync,
                                 uint64_t total_ticks, rp_vector *hashes, reprise_error *error)
{
    uint64_t frame_ms = ic_carried_frame_ms(match, 0);
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml_node node;
    if (!sync || !frame_ms)
        return REPRISE_OK;
    rp_yaml yaml = rp_yaml_of(sync->data, sync->size, "sync", &damage);
    while (rp_yaml_next(&yaml, &node)) {
        ic_foreign_hash hash;
        ic_foreign_hash *last = hashes->count ? (ic_foreign_hash *)hashes->items + hashes->count - 1
                                              : NULL;
        /* 0 means that no hash was taken. */
        if (node.depth != 1 || !read_line(&node, frame_ms, &hash) || !hash.value ||
            (last && hash.tick < last->tick) || hash.tick > total_ticks)
            continue;
        /* Of several frames in one tick the last one counts. */
        ic_foreign_hash *to = last && last->tick == hash.tick
                                  ? last
                                  : rp_vector_add(context, hashes, sizeof *to, error);
        if (!to)
            return error->status;
        *to = hash;
    }
    return REPRISE_OK;
}

reprise_status ic_carried_hashes(ic_replay *replay, rp_vector *ret_hashes, reprise_error *error)
{
    rp_arena arena;
    ic_embedded embedded;
    rp_arena_init(&arena, replay->base.context);
    reprise_status status = ic_embedded_load(replay, &arena, &embedded, error);
    if (status == REPRISE_OK)
        status = ic_foreign_hashes(replay->base.context, text_of(&embedded, IC_CARRIED_MATCH),
                                   text_of(&embedded, IC_CARRIED_SYNC), replay->total_ticks,
                                   ret_hashes, error);
    rp_arena_free(&arena);
    return status;
}
