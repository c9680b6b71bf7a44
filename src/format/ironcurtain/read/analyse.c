/* analyse.c - see analyse.h. */
#include "analyse.h"

#include "whole.h"

static ic_activity *activity_of(ic_analysis *a, uint32_t player)
{
    for (size_t i = 0; i < a->player_count; i++) {
        if (a->players[i].player == player)
            return &a->players[i];
    }
    if (a->player_count == RP_COUNT(a->players))
        return NULL;
    a->players[a->player_count] = (ic_activity){.player = player};
    return &a->players[a->player_count++];
}

/* ---- orders ---- */

static bool is_action(uint32_t kind)
{
    switch (kind) {
    case ic_player_order_V_Move:
    case ic_player_order_V_Attack:
    case ic_player_order_V_Stop:
    case ic_player_order_V_GameOrder:
        return true;
    default:
        return false;
    }
}

/* Moves the window of the last minute on. */
static void advance(ic_activity *p, int64_t second)
{
    if (second - p->second >= IC_APM_SECONDS) {
        memset(p->recent, 0, sizeof p->recent);
        p->second = second;
    }
    while (p->second < second)
        p->recent[++p->second % IC_APM_SECONDS] = 0;
}

void ic_analyse_order(ic_analysis *a, const ic_order *order, double seconds)
{
    ic_activity *p = activity_of(a, order->player);
    if (!p)
        return;
    p->orders++;
    p->by_kind[order->order.variant]++;
    if (!is_action(order->order.variant))
        return;
    p->actions++;
    advance(p, rp_whole(seconds));
    p->recent[p->second % IC_APM_SECONDS]++;
}

uint64_t ic_actions_per_minute(ic_analysis *a, uint32_t player, int64_t second)
{
    ic_activity *p = activity_of(a, player);
    uint64_t sum = 0;
    if (!p)
        return 0;
    advance(p, second);
    for (size_t i = 0; i < IC_APM_SECONDS; i++)
        sum += p->recent[i];
    return sum;
}

/* ---- frames ---- */

uint64_t ic_analyse_frame(ic_analysis *a, uint64_t tick, uint64_t hash, ic_hashes_found *ret_found)
{
    uint64_t last = a->hashes.frame_tick;
    uint64_t missing = a->hashes.any_frame && tick > last ? tick - last - 1 : 0;
    a->frames++;
    a->missing_frames += missing;
    *ret_found = ic_hashes_frame(&a->hashes, tick, hash);
    return missing;
}

ic_hashes_found ic_analyse_state(ic_analysis *a, uint64_t tick, const uint8_t hash[IC_HASH_SIZE])
{
    return ic_hashes_state(&a->hashes, tick, hash);
}

/* ---- curves ---- */

ic_sample ic_sample_state(const ic_player *p)
{
    return (ic_sample){
        .player = p->player,
        .count = IC_POWER + 1,
        .values = {[IC_CREDITS] = (double)p->credits,
                   [IC_POWER] = (double)p->power_produced - (double)p->power_drained}};
}

ic_sample ic_sample_event(const ic_stat_snapshot *e)
{
    const ic_player_stats *stats = &e->stats;
    const ic_game_score *score = &stats->score;
    return (ic_sample){
        .player = e->player,
        .count = IC_METRIC_COUNT,
        .values = {[IC_CREDITS] = (double)stats->credits,
                   [IC_POWER] = (double)stats->power_produced - (double)stats->power_drained,
                   [IC_ARMY_VALUE] = (double)stats->army_value,
                   [IC_HARVESTERS] = (double)stats->harvesters,
                   [IC_KILLS] = (double)score->units_killed + (double)score->structures_destroyed,
                   [IC_INCOME] = (double)score->collection_rate}};
}

/* ---- events ---- */

static ic_event_summary combat(const rp_choice *event)
{
    ic_event_summary h = {.player = -1};
    switch (event->variant) {
    case ic_event_V_EngagementStarted:
        h = (ic_event_summary){.player = -1, .listed = true, .weight = 3, .text = "engagement"};
        h.pos = &((const ic_engagement_started *)event->value)->center_pos;
        break;
    case ic_event_V_SuperweaponFired: {
        const ic_superweapon_fired *e = event->value;
        h = (ic_event_summary){.player = e->player,
                               .has_type = true,
                               .type = e->weapon_type,
                               .pos = &e->target_pos,
                               .highlight = "superweapon",
                               .score = 0.9,
                               .listed = true,
                               .weight = 5};
        break;
    }
    case ic_event_V_BaseDestroyed: {
        const ic_base_destroyed *e = event->value;
        h = (ic_event_summary){.player = e->player,
                               .pos = &e->pos,
                               .highlight = "base destroyed",
                               .score = 0.85,
                               .listed = true,
                               .weight = 5,
                               .text = "base destroyed"};
        break;
    }
    case ic_event_V_ArmyWipe: {
        const ic_army_wipe *e = event->value;
        h = (ic_event_summary){.player = e->player,
                               .highlight = "army wipe",
                               .score = 0.8,
                               .amount_key = "value_lost",
                               .amount = e->total_value_lost,
                               .listed = true,
                               .weight = 4,
                               .text = "army wiped out"};
        break;
    }
    case ic_event_V_ComebackMoment: {
        const ic_comeback *e = event->value;
        h = (ic_event_summary){.player = e->player,
                               .highlight = "comeback",
                               .score = 0.75,
                               .amount_key = "swing",
                               .amount = e->swing_value,
                               .listed = true,
                               .weight = 4,
                               .text = "comeback"};
        break;
    }
    default:
        break;
    }
    return h;
}

ic_event_summary ic_event_summary_of(const rp_choice *event)
{
    ic_event_summary h = {.player = -1};
    switch (event->variant) {
    case ic_event_V_UnitCreated: {
        const ic_unit_created *e = event->value;
        h = (ic_event_summary){.player = e->owner,
                               .has_type = true,
                               .type = e->unit_type,
                               .pos = &e->pos,
                               .production = "unit created"};
        break;
    }
    case ic_event_V_ConstructionStarted: {
        const ic_construction_started *e = event->value;
        h = (ic_event_summary){.player = e->owner,
                               .has_type = true,
                               .type = e->unit_type,
                               .pos = &e->pos,
                               .production = "construction started"};
        break;
    }
    case ic_event_V_UpgradeCompleted: {
        const ic_upgrade_completed *e = event->value;
        h = (ic_event_summary){.player = e->player,
                               .has_type = true,
                               .type = e->upgrade_id,
                               .production = "upgrade completed",
                               .listed = true,
                               .weight = 3};
        break;
    }
    case ic_event_V_AbilityUsed: {
        const ic_ability_used *e = event->value;
        h = (ic_event_summary){.player = e->player,
                               .has_type = true,
                               .type = e->ability_id,
                               .listed = true,
                               .weight = 3};
        break;
    }
    case ic_event_V_PauseEvent: {
        const ic_pause *e = event->value;
        h = (ic_event_summary){.player = e->player,
                               .listed = true,
                               .weight = 2,
                               .text = e->paused ? "paused" : "resumed"};
        break;
    }
    case ic_event_V_MatchEnded:
        h = (ic_event_summary){.player = -1, .listed = true, .weight = 5, .text = "match ended"};
        break;
    default:
        h = combat(event);
    }
    h.tick = *(const uint64_t *)event->value; /* the first field of every event */
    return h;
}

void ic_analyse_event(ic_analysis *a, const rp_choice *event)
{
    if (event->variant == ic_event_V_SelectionChanged) {
        const ic_selection_changed *e = event->value;
        ic_activity *p = activity_of(a, e->player);
        if (!p)
            return;
        p->selections++;
        p->selected_units += e->added.count;
    } else if (event->variant == ic_event_V_ControlGroupEvent) {
        const ic_control_group *e = event->value;
        ic_activity *p = activity_of(a, e->player);
        if (p)
            p->groups[e->action]++;
    }
}

double ic_loss_share(const ic_engagement_ended *e)
{
    double lost = (double)e->friendly_losses + (double)e->enemy_losses;
    double left = (double)e->friendly_survivors + (double)e->enemy_survivors;
    return lost + left > 0 ? lost / (lost + left) : 0;
}

ic_cell ic_cell_of(const ic_pos *pos)
{
    enum { CELL = 1024 };
    return (ic_cell){pos->x / CELL - (pos->x % CELL < 0), pos->y / CELL - (pos->y % CELL < 0), 0};
}
