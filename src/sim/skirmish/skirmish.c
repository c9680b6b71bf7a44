/* skirmish.c - see skirmish.h. */
#include "skirmish.h"

static reprise_status restore(void *ctx, const reprise_ic_snapshot *snapshot, reprise_error *error)
{
    skirmish_sim *s = ctx;
    skirmish_game *game = NULL;
    RP_TRY(skirmish_game_new(s->context, &snapshot->core, &game, error));
    skirmish_game_free(s->game);
    s->game = game;
    RP_TRY(ic_carry_set(&s->campaign, &ic_campaign_record, snapshot->campaign_state, error));
    return ic_carry_set(&s->script, &ic_script_record, snapshot->script_state, error);
}

static reprise_status need_state(const skirmish_sim *s, reprise_error *error)
{
    return s->game
               ? REPRISE_OK
               : rp_error_set(error, REPRISE_E_USAGE, "the game has no state; restore one first");
}

static reprise_status apply_tick(void *ctx, uint64_t tick, const reprise_ic_order *orders,
                                 size_t count, reprise_error *error)
{
    skirmish_sim *s = ctx;
    RP_TRY(need_state(s, error));
    if (tick != skirmish_game_tick(s->game))
        return rp_error_set(error, REPRISE_E_USAGE, "orders of tick %llu for a state of tick %llu",
                            (unsigned long long)tick,
                            (unsigned long long)skirmish_game_tick(s->game));
    return skirmish_game_apply(s->game, orders, count, error);
}

static reprise_status core_of(skirmish_sim *s, ic_core *ret_core, reprise_error *error)
{
    RP_TRY(need_state(s, error));
    rp_arena_reset(&s->states);
    return skirmish_game_core(s->game, &s->states, ret_core, error);
}

static reprise_status state_hash(void *ctx, uint8_t ret_hash[32], reprise_error *error)
{
    skirmish_sim *s = ctx;
    ic_core core;
    RP_TRY(core_of(s, &core, error));
    return ic_state_hash(&s->hasher, &core, ret_hash, error);
}

static reprise_status take_snapshot(void *ctx, reprise_ic_snapshot *ret_snapshot,
                                    reprise_error *error)
{
    skirmish_sim *s = ctx;
    ic_snapshot snapshot = {.campaign_state = s->campaign.value, .script_state = s->script.value};
    RP_TRY(core_of(s, &snapshot.core, error));
    *ret_snapshot = snapshot;
    return REPRISE_OK;
}

static bool has_unit(void *ctx, reprise_ic_tag unit)
{
    const skirmish_sim *s = ctx;
    return s->game && skirmish_game_has(s->game, &unit);
}

reprise_status skirmish_init(skirmish_sim *s, rp_context *context, reprise_error *error)
{
    *s = (skirmish_sim){.context = context,
                        .calls = {.struct_size = sizeof s->calls,
                                  .ctx = s,
                                  .restore = restore,
                                  .apply_tick = apply_tick,
                                  .state_hash = state_hash,
                                  .snapshot = take_snapshot,
                                  .has_unit = has_unit}};
    rp_arena_init(&s->states, context);
    rp_arena_init(&s->orders, context);
    rp_arena_init(&s->alive[0], context);
    rp_arena_init(&s->alive[1], context);
    ic_carry_init(&s->campaign, context, error);
    ic_carry_init(&s->script, context, error);
    return ic_hasher_init(&s->hasher, context, error);
}

void skirmish_free(skirmish_sim *s)
{
    if (!s->context)
        return;
    skirmish_game_free(s->game);
    ic_hasher_free(&s->hasher);
    ic_carry_free(&s->campaign);
    ic_carry_free(&s->script);
    rp_arena_free(&s->states);
    rp_arena_free(&s->orders);
    rp_arena_free(&s->alive[0]);
    rp_arena_free(&s->alive[1]);
    s->context = NULL;
}

/* ---- the engine ---- */

static reprise_status start(rp_context *context, const reprise_ic_simulation **ret_calls,
                            reprise_error *error)
{
    skirmish_sim *s = rp_alloc_zero(context, 1, sizeof *s, error);
    if (!s)
        return error->status;
    if (skirmish_init(s, context, error) != REPRISE_OK) {
        skirmish_free(s);
        rp_free(context, s, sizeof *s);
        return error->status;
    }
    *ret_calls = &s->calls;
    return REPRISE_OK;
}

static void stop(const reprise_ic_simulation *calls)
{
    skirmish_sim *s = calls->ctx;
    rp_context *context = s->context;
    skirmish_free(s);
    rp_free(context, s, sizeof *s);
}

static reprise_status copy_state(const reprise_ic_simulation *from, const reprise_ic_simulation *to,
                                 reprise_error *error)
{
    const skirmish_sim *s = from->ctx;
    skirmish_sim *copy = to->ctx;
    RP_TRY(need_state(s, error));
    return skirmish_game_copy(copy->context, s->game, &copy->game, error);
}

static bool owns(const reprise_ic_simulation *calls)
{
    return calls->restore == restore;
}

static const char *const game_modules[] = {"ra1", "skirmish", NULL};

/* The table of units in game.c implements the rules of the module ra1, and no rules at all. */
static const char *const rules[] = {
    "sha256:21c44c201db4bb5183f3d27d3f13be93c0dbea589f0d96d6a39357f4ad07cf45",
    "sha256:af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc",
    NULL,
};

const struct rp_engine skirmish_engine = {
    .game_modules = game_modules,
    .rules = rules,
    .start = start,
    .stop = stop,
    .copy_state = copy_state,
    .owns = owns,
};
