/*
 * divergence.c - estimates from when on a match of another game no longer is the recorded one: from
 * what was recorded about it, and from orders that are impossible in the simulated state.
 */
#include "player.h"

#include <stdio.h>

enum { ODD_ORDERS_MAX = 16 }; /* more impossible orders than this mean divergence */

static void raise_since(ic_playback *p, uint64_t tick, reprise_ic_divergence_level level,
                        const char *reason)
{
    reprise_ic_divergence *d = &p->divergence;
    if (level <= d->level)
        return;
    d->level = level;
    d->tick = tick;
    snprintf(d->reason, sizeof d->reason, "%s", reason);
    if (p->report.divergence)
        p->report.divergence(p->report.ctx, d);
}

static void raise_level(ic_playback *p, reprise_ic_divergence_level level, const char *reason)
{
    raise_since(p, p->driver.tick, level, reason);
}

static void check_units(ic_playback *p, const reprise_ic_tag_list *units)
{
    const ic_tag *tags = units->items;
    const reprise_ic_simulation *game = p->driver.simulation.calls;
    if (!p->driver.has_state || !game->has_unit)
        return;
    for (size_t i = 0; i < units->count; i++)
        p->divergence.dead_unit_orders += !game->has_unit(game->ctx, tags[i]);
    if (p->divergence.dead_unit_orders)
        raise_level(p,
                    p->divergence.dead_unit_orders > ODD_ORDERS_MAX ? REPRISE_IC_DIVERGED
                                                                    : REPRISE_IC_MINOR_DRIFT,
                    "orders to units that do not exist");
}

static void check_place(ic_playback *p, const ic_pos *pos)
{
    int64_t width = (int64_t)p->match->width * 1024, height = (int64_t)p->match->height * 1024;
    if (pos->x >= 0 && pos->x < width && pos->y >= 0 && pos->y < height)
        return;
    p->divergence.bad_position_orders++;
    raise_level(p,
                p->divergence.bad_position_orders > ODD_ORDERS_MAX ? REPRISE_IC_DIVERGED
                                                                   : REPRISE_IC_MINOR_DRIFT,
                "orders to positions outside the map");
}

static void check_order(ic_playback *p, const reprise_ic_player_order *order)
{
    switch (order->variant) {
    case ic_player_order_V_Move: {
        const ic_move *move = order->as.move;
        check_units(p, &move->units);
        check_place(p, &move->target);
        break;
    }
    case ic_player_order_V_Attack: {
        const ic_attack *attack = order->as.attack;
        check_units(p, &attack->units);
        if (attack->target.variant == ic_target_V_Ground)
            check_place(p, attack->target.as.ground);
        break;
    }
    case ic_player_order_V_Stop:
        check_units(p, &order->as.stop->units);
        break;
    case ic_player_order_V_TacticalPing:
        check_place(p, &order->as.tactical_ping->pos);
        break;
    default:
        break;
    }
}

void ic_divergence_frame(ic_playback *p, const ic_frame *frame)
{
    const ic_order *orders = frame->orders.items;
    if (p->driver.tick >= p->match->diverged_at)
        raise_since(p, p->match->diverged_at, REPRISE_IC_DIVERGED,
                    "the recording states that the players' games differed");
    for (size_t i = 0; i < frame->orders.count; i++)
        check_order(p, &orders[i].order);
}

void ic_divergence_state(ic_playback *p)
{
    raise_level(p, REPRISE_IC_DIVERGED, "the state differs from the recorded one");
}
