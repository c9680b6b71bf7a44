/*
 * timeline_checks.c - checks and votes on the timeline: whether states are the recorded ones, where
 * frames are missing, what was signed, and what was voted on.
 */
#include <stdio.h>

#include "scene_builder.h"

static const rp_table_column vote_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},      {"event", "Event", NULL, RP_CELL_TEXT},
    {"vote", "Vote", NULL, RP_CELL_I32},  {"player", "Player", NULL, RP_CELL_TEXT},
    {"what", "What", NULL, RP_CELL_TEXT},
};
static const rp_table_column signature_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"tick", "Tick", NULL, RP_CELL_I32},
    {"state_hash", "State hash", NULL, RP_CELL_TEXT},
    {"skipped", "Frames lost before", NULL, RP_CELL_I32},
};

static const char *name_of(ic_scene_builder *s, uint64_t player)
{
    const ic_owner *o = ic_owner_of(s, player);
    return o ? o->name : "";
}

/* ---- states ---- */

typedef struct verdict {
    float time;
    bool same, simulated;
} verdict;

static void add_verdict(ic_scene_builder *s, bool same, bool simulated)
{
    verdict *to = s->shown
                      ? rp_vector_add(s->scene->context, &s->verdicts, sizeof *to, s->scene->error)
                      : NULL;
    if (to)
        *to = (verdict){s->scene->now, same, simulated};
}

static void add_found(ic_scene_builder *s, ic_hashes_found found)
{
    if (found.compared)
        add_verdict(s, !found.differences, false);
}

void ic_timeline_frame(ic_scene_builder *s, uint64_t tick, uint64_t hash)
{
    ic_hashes_found found;
    uint64_t missing = ic_analyse_frame(&s->analysis, tick, hash, &found);
    if (missing && s->shown) {
        char text[64];
        snprintf(text, sizeof text, "%llu frame%s missing", (unsigned long long)missing,
                 missing == 1 ? "" : "s");
        rp_timeline_marker(s->timeline, (double)s->scene->now, "gap", -1, 3, text);
    }
    add_found(s, found);
}

void ic_timeline_hash(ic_scene_builder *s, uint64_t tick, const uint8_t hash[IC_HASH_SIZE])
{
    add_found(s, ic_analyse_state(&s->analysis, tick, hash));
}

void ic_timeline_simulated(ic_scene_builder *s, bool same)
{
    add_verdict(s, same, true);
}

/* A simulation that never reaches a recorded state is of a different game and proves nothing. */
static bool knows_game(const ic_scene_builder *s)
{
    const verdict *list = s->verdicts.items;
    for (size_t i = 0; i < s->verdicts.count; i++) {
        if (list[i].simulated && list[i].same)
            return true;
    }
    return false;
}

void ic_timeline_states(ic_scene_builder *s)
{
    rp_timeline *t = s->timeline;
    const verdict *list = s->verdicts.items;
    bool knows = knows_game(s), any = false, before = false;
    rp_series *same = NULL, *differs = NULL;
    for (size_t i = 0; i < s->verdicts.count; i++) {
        if ((list[i].simulated && !knows) || (any && list[i].same == before))
            continue;
        if (!any) {
            rp_plot *plot = rp_timeline_plot(t, "state", "State hashes", "", "lanes", 0, 1);
            same = rp_plot_series(t, plot, "as recorded", -1);
            differs = rp_plot_series(t, plot, "differ", -1);
        }
        rp_series_add(t, same, (double)list[i].time, list[i].same);
        rp_series_add(t, differs, (double)list[i].time, !list[i].same);
        if (!list[i].same)
            rp_timeline_marker(t, (double)list[i].time, "desync", -1, 5,
                               "The state is not the one recorded");
        any = true;
        before = list[i].same;
    }
    rp_vector_free(s->scene->context, &s->verdicts, sizeof *list);
}

/* ---- signatures ---- */

void ic_timeline_signature(ic_scene_builder *s, uint64_t tick, const ic_signature_row *row)
{
    static const char digits[] = "0123456789abcdef";
    ic_timeline_hash(s, tick, row->state_hash);
    if (!s->shown)
        return;
    char hash[2 * IC_HASH_SIZE + 1] = {0};
    for (size_t i = 0; i < IC_HASH_SIZE; i++) {
        hash[2 * i] = digits[row->state_hash[i] >> 4];
        hash[2 * i + 1] = digits[row->state_hash[i] & 15];
    }
    if (!s->signatures)
        s->signatures = rp_timeline_table(s->timeline, "signatures", "Signatures", "t",
                                          signature_columns, RP_COUNT(signature_columns));
    const rp_cell cells[RP_COUNT(signature_columns)] = {{.number = (double)s->scene->now},
                                                        {.number = (double)tick},
                                                        {.text = hash},
                                                        {.number = row->skipped_ticks}};
    rp_table_row(s->timeline, s->signatures, cells);
}

/* ---- votes ---- */

static void add_vote(ic_scene_builder *s, const char *event, int64_t vote, uint64_t player,
                     const char *what)
{
    double now = (double)s->scene->now;
    if (!s->votes)
        s->votes = rp_timeline_table(s->timeline, "votes", "Votes", "t", vote_columns,
                                     RP_COUNT(vote_columns));
    const rp_cell cells[RP_COUNT(vote_columns)] = {{.number = now},
                                                   {.text = event},
                                                   {.number = (double)vote},
                                                   {.text = name_of(s, player)},
                                                   {.text = what}};
    rp_table_row(s->timeline, s->votes, cells);
}

/* A vote gets its number only after it was proposed. */
enum { NO_NUMBER = -1 };

void ic_timeline_vote_order(ic_scene_builder *s, const ic_order *order)
{
    const reprise_ic_vote_order *vote = &order->order.as.vote->vote;
    const char *event = ic_vote_order.names[vote->variant];
    switch (vote->variant) {
    case ic_vote_order_V_Propose: {
        const ic_propose *e = vote->as.propose;
        add_vote(s, event, NO_NUMBER, order->player, ic_vote_type.names[e->vote_type.variant]);
        break;
    }
    case ic_vote_order_V_Cast: {
        const ic_cast *e = vote->as.cast;
        add_vote(s, event, e->vote_id, order->player, rp_enum_name(&ic_vote_choice, e->choice));
        break;
    }
    default:
        add_vote(s, event, vote->as.cancel->vote_id, order->player, "");
    }
}

void ic_timeline_vote(ic_scene_builder *s, const ic_vote_event *event)
{
    const char *name = ic_vote_analysis.names[event->event.variant];
    switch (event->event.variant) {
    case ic_vote_analysis_V_Proposed: {
        const ic_vote_proposed *e = event->event.as.proposed;
        add_vote(s, name, e->vote_id, e->proposer, ic_vote_type.names[e->vote_type.variant]);
        break;
    }
    case ic_vote_analysis_V_BallotCast: {
        const ic_ballot_cast *e = event->event.as.ballot_cast;
        add_vote(s, name, e->vote_id, e->voter, rp_enum_name(&ic_vote_choice, e->choice));
        break;
    }
    default: {
        const ic_vote_resolved *e = event->event.as.resolved;
        add_vote(s, name, e->vote_id, UINT64_MAX, ic_vote_resolution.names[e->resolution.variant]);
    }
    }
}
