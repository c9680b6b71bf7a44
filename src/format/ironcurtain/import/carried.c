/*
 * carried.c - what an import of OpenRA brings along besides orders: how long a frame takes, and
 * what the engine that recorded it summed its world up to.
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

/* Lines are "FRAME: SUM,... DEFEAT"; those of one client, "FRAME@CLIENT", are not for everybody. */
static bool read_line(const rp_yaml_node *node, uint64_t frame_ms, ic_sum *ret_sum)
{
    rp_yaml_node key = {.value = node->key, .value_size = node->key_size};
    int64_t frame = rp_yaml_int(&key, 0), sum = 0;
    size_t digits = 0;
    while (digits < node->value_size && node->value[digits] != ',' && node->value[digits] != ' ')
        digits++;
    rp_yaml_node first = {.value = node->value, .value_size = digits};
    sum = rp_yaml_int(&first, INT64_MAX);
    if (frame < 1 || frame > INT32_MAX || sum < INT32_MIN || sum > INT32_MAX)
        return false;
    uint64_t ms = (uint64_t)(frame - 1) * frame_ms;
    /* Taken after the orders of the frame, so it is that of the next state. */
    *ret_sum = (ic_sum){(ms * TICKS_PER_SECOND + 500) / 1000 + 1, (uint32_t)(int32_t)sum};
    return true;
}

static reprise_status add_sums(ic_replay *replay, const ic_embedded *embedded, rp_vector *sums,
                               reprise_error *error)
{
    const rp_text *text = text_of(embedded, IC_CARRIED_SYNC);
    uint64_t frame_ms = ic_carried_frame_ms(text_of(embedded, IC_CARRIED_MATCH), 0);
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml_node node;
    if (!text || !frame_ms)
        return REPRISE_OK;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "sync", &damage);
    while (rp_yaml_next(&yaml, &node)) {
        ic_sum sum;
        const ic_sum *last = sums->count ? (ic_sum *)sums->items + sums->count - 1 : NULL;
        /* 0 stands for a sum that was not made. */
        if (node.depth != 1 || !read_line(&node, frame_ms, &sum) || !sum.value ||
            (last && sum.tick < last->tick) || sum.tick > replay->total_ticks)
            continue;
        /* Of several frames in one tick the last one tells. */
        ic_sum *to = last && last->tick == sum.tick
                         ? (ic_sum *)sums->items + sums->count - 1
                         : rp_vector_add(replay->base.context, sums, sizeof *to, error);
        if (!to)
            return error->status;
        *to = sum;
    }
    return REPRISE_OK;
}

reprise_status ic_carried_sums(ic_replay *replay, rp_vector *ret_sums, reprise_error *error)
{
    rp_arena arena;
    ic_embedded embedded;
    rp_arena_init(&arena, replay->base.context);
    reprise_status status = ic_embedded_load(replay, &arena, &embedded, error);
    if (status == REPRISE_OK)
        status = add_sums(replay, &embedded, ret_sums, error);
    rp_arena_free(&arena);
    return status;
}
