/*
 * divergence.c - how far a replay of another game can be believed: what was recorded about it, and
 * orders that make no sense in the state that was reached.
 */
#include "player.h"

#include <stdio.h>

enum { DOUBTS_MAX = 16 }; /* so many odd orders are no accident any more */

static void doubt_since(ic_playback *p, uint64_t tick, reprise_ic_divergence_level level,
                        const char *reason)
{
    reprise_ic_divergence *d = &p->divergence;
    if (level <= d->level)
        return;
    d->level = level;
    d->tick = tick;
    snprintf(d->reason, sizeof d->reason, "%s", reason);
    if (p->tell.divergence)
        p->tell.divergence(p->tell.ctx, d);
}

static void doubt(ic_playback *p, reprise_ic_divergence_level level, const char *reason)
{
    doubt_since(p, p->follow.tick, level, reason);
}

static void doubt_units(ic_playback *p, const rp_list *units)
{
    const ic_tag *tags = units->items;
    const reprise_ic_simulation *game = p->follow.host.calls;
    if (!p->follow.has_state || !game->has_unit)
        return;
    for (size_t i = 0; i < units->count; i++)
        p->divergence.dead_unit_orders += !game->has_unit(game->ctx, tags[i]);
    if (p->divergence.dead_unit_orders)
        doubt(p,
              p->divergence.dead_unit_orders > DOUBTS_MAX ? REPRISE_IC_DIVERGED
                                                          : REPRISE_IC_MINOR_DRIFT,
              "orders to units that are not there");
}

static void doubt_place(ic_playback *p, const ic_pos *pos)
{
    const ic_map *map = &p->follow.decoder->loader.now.core.map_state;
    int64_t width = (int64_t)map->width * 1024, height = (int64_t)map->height * 1024;
    if (pos->x >= 0 && pos->x < width && pos->y >= 0 && pos->y < height)
        return;
    p->divergence.bad_position_orders++;
    doubt(p,
          p->divergence.bad_position_orders > DOUBTS_MAX ? REPRISE_IC_DIVERGED
                                                         : REPRISE_IC_MINOR_DRIFT,
          "orders to places that are not on the map");
}

static void doubt_order(ic_playback *p, const rp_choice *order)
{
    switch (order->variant) {
    case ic_player_order_V_Move: {
        const ic_move *move = order->value;
        doubt_units(p, &move->units);
        doubt_place(p, &move->target);
        break;
    }
    case ic_player_order_V_Attack: {
        const ic_attack *attack = order->value;
        doubt_units(p, &attack->units);
        if (attack->target.variant == ic_target_V_Ground)
            doubt_place(p, attack->target.value);
        break;
    }
    case ic_player_order_V_Stop:
        doubt_units(p, &((const ic_stop *)order->value)->units);
        break;
    case ic_player_order_V_TacticalPing:
        doubt_place(p, &((const ic_ping *)order->value)->pos);
        break;
    default:
        break;
    }
}

void ic_doubt_frame(ic_playback *p, const ic_frame *frame)
{
    const ic_order *orders = frame->orders.items;
    if (p->follow.tick >= p->diverged_at)
        doubt_since(p, p->diverged_at, REPRISE_IC_DIVERGED,
                    "the recording itself says that the players' games differed");
    for (size_t i = 0; i < frame->orders.count; i++)
        doubt_order(p, &orders[i].order);
}

void ic_doubt_state(ic_playback *p, uint64_t ours, uint64_t recorded)
{
    if (ours == recorded)
        return;
    p->divergence.mismatches++;
    doubt(p, REPRISE_IC_DIVERGED, "the state is not the recorded one");
}
