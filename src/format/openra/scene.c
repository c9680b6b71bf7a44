/* scene.c - a match seen from above: its orders as arrows and rings. */
#include <stdlib.h>
#include <string.h>

#include "scene_builder.h"

static reprise_status read_orders(void *replay, rp_foreign *foreign, reprise_error *error)
{
    return ora_foreign(replay, foreign, error);
}

/*
 * Only the metadata says where players start; the lobby says 0 for a random place. Players are
 * those of the metadata, in its order.
 */
static void set_spawns(const ora_replay *replay, rp_timeline *timeline)
{
    static const char prefix[] = "Player@";
    size_t player = 0;
    for (size_t i = 0; i < reprise_value_count(replay->header); i++) {
        if (strncmp(reprise_value_key(replay->header, i), prefix, sizeof prefix - 1) != 0)
            continue;
        const reprise_value *one = reprise_value_at(replay->header, i);
        reprise_value *about = (reprise_value *)(uintptr_t)reprise_value_at(timeline->players,
                                                                            player++);
        const char *text = rp_get_text(one, "SpawnPoint");
        long spawn = text ? strtol(text, NULL, 10) : 0;
        if (about && spawn > 0)
            rp_set_int(&timeline->doc, about, "spawn", spawn);
    }
}

reprise_status ora_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                         reprise_error *error)
{
    reprise_status status = rp_orders_scene(scene, timeline, read_orders, base, ora_timeline_end,
                                            error);
    if (status == REPRISE_OK)
        set_spawns((const ora_replay *)base, timeline);
    return status;
}
