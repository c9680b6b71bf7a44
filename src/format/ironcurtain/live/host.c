/* host.c - see host.h. */
#include "host.h"

/* ---- the built-in game ---- */

static reprise_status restore(void *ctx, const reprise_ic_snapshot *snapshot, reprise_error *error)
{
    ic_skirmish *s = ctx;
    ic_sim *sim = NULL;
    RP_TRY(ic_sim_new(s->context, &snapshot->core, &sim, error));
    ic_sim_free(s->sim);
    s->sim = sim;
    RP_TRY(ic_carry_set(&s->campaign, &ic_campaign_record, snapshot->campaign_state, error));
    return ic_carry_set(&s->script, &ic_script_record, snapshot->script_state, error);
}

static reprise_status need_state(const ic_skirmish *s, reprise_error *error)
{
    return s->sim ? REPRISE_OK
                  : rp_error_set(error, REPRISE_E_USAGE, "the game has no state: restore one");
}

static reprise_status apply_tick(void *ctx, uint64_t tick, const reprise_ic_order *orders,
                                 size_t count, reprise_error *error)
{
    ic_skirmish *s = ctx;
    RP_TRY(need_state(s, error));
    if (tick != ic_sim_tick(s->sim))
        return rp_error_set(error, REPRISE_E_USAGE, "orders of tick %llu for a state of tick %llu",
                            (unsigned long long)tick, (unsigned long long)ic_sim_tick(s->sim));
    return ic_sim_apply(s->sim, orders, count, error);
}

static reprise_status give_core(ic_skirmish *s, ic_core *ret_core, reprise_error *error)
{
    RP_TRY(need_state(s, error));
    rp_arena_reset(&s->states);
    return ic_sim_core(s->sim, &s->states, ret_core, error);
}

static reprise_status state_hash(void *ctx, uint8_t ret_hash[32], reprise_error *error)
{
    ic_skirmish *s = ctx;
    ic_core core;
    RP_TRY(give_core(s, &core, error));
    return ic_state_hash(&s->hasher, &core, ret_hash, error);
}

static reprise_status give_snapshot(void *ctx, reprise_ic_snapshot *ret_snapshot,
                                    reprise_error *error)
{
    ic_skirmish *s = ctx;
    ic_snapshot snapshot = {.campaign_state = s->campaign.value, .script_state = s->script.value};
    RP_TRY(give_core(s, &snapshot.core, error));
    *ret_snapshot = snapshot;
    return REPRISE_OK;
}

static bool has_unit(void *ctx, reprise_ic_tag unit)
{
    const ic_skirmish *s = ctx;
    return s->sim && ic_sim_has(s->sim, &unit);
}

bool ic_is_skirmish(const reprise_ic_simulation *calls)
{
    return calls->restore == restore;
}

reprise_status ic_skirmish_init(ic_skirmish *s, rp_context *context, reprise_error *error)
{
    *s = (ic_skirmish){.context = context,
                       .calls = {.ctx = s,
                                 .restore = restore,
                                 .apply_tick = apply_tick,
                                 .state_hash = state_hash,
                                 .snapshot = give_snapshot,
                                 .has_unit = has_unit}};
    rp_arena_init(&s->states, context);
    rp_arena_init(&s->orders, context);
    rp_arena_init(&s->alive[0], context);
    rp_arena_init(&s->alive[1], context);
    ic_carry_init(&s->campaign, context, error);
    ic_carry_init(&s->script, context, error);
    return ic_hasher_init(&s->hasher, context, error);
}

void ic_skirmish_free(ic_skirmish *s)
{
    if (!s->context)
        return;
    ic_sim_free(s->sim);
    ic_hasher_free(&s->hasher);
    ic_carry_free(&s->campaign);
    ic_carry_free(&s->script);
    rp_arena_free(&s->states);
    rp_arena_free(&s->orders);
    rp_arena_free(&s->alive[0]);
    rp_arena_free(&s->alive[1]);
    s->context = NULL;
}

/* ---- hosts ---- */

reprise_status ic_host_init(ic_host *host, rp_context *context, const reprise_ic_simulation *given,
                            reprise_error *error)
{
    *host = (ic_host){.calls = given ? given : context->simulation};
    if (host->calls)
        return REPRISE_OK;
    host->calls = &host->own.calls;
    return ic_skirmish_init(&host->own, context, error);
}

void ic_host_free(ic_host *host)
{
    ic_skirmish_free(&host->own);
    host->calls = NULL;
}

/* A callback that fails without saying why still fails. */
static reprise_status told(reprise_status status, const char *what, reprise_error *error)
{
    return status == REPRISE_OK ? REPRISE_OK
                                : rp_error_set(error, status, "the simulation could not %s", what);
}

reprise_status ic_host_restore(const ic_host *host, const ic_snapshot *snapshot,
                               reprise_error *error)
{
    return told(host->calls->restore(host->calls->ctx, snapshot, error), "restore a state", error);
}

reprise_status ic_host_apply(const ic_host *host, uint64_t tick, const rp_list *orders,
                             reprise_error *error)
{
    const reprise_ic_order *items = orders ? orders->items : NULL;
    size_t count = orders ? orders->count : 0;
    return told(host->calls->apply_tick(host->calls->ctx, tick, items, count, error),
                "apply orders", error);
}

reprise_status ic_host_hash(const ic_host *host, uint8_t ret_hash[IC_HASH_SIZE],
                            reprise_error *error)
{
    return told(host->calls->state_hash(host->calls->ctx, ret_hash, error), "hash its state",
                error);
}

reprise_status ic_host_snapshot(const ic_host *host, ic_snapshot *ret_snapshot,
                                reprise_error *error)
{
    if (!host->calls->snapshot)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "the simulation does not give states");
    return told(host->calls->snapshot(host->calls->ctx, ret_snapshot, error), "give its state",
                error);
}
