/* simulation.c - see simulation.h. */
#include "simulation.h"

reprise_status ic_simulation_check(const reprise_ic_simulation *calls, reprise_error *error)
{
    if (!calls)
        return REPRISE_OK;
    if (calls->struct_size < sizeof *calls)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "struct_size of the simulation is %zu: set it to its size",
                            calls->struct_size);
    if (!calls->apply_tick || (!calls->state && (!calls->restore || !calls->state_hash)))
        return rp_error_set(error, REPRISE_E_USAGE,
                            "a simulation needs apply_tick, and state or restore and state_hash");
    return REPRISE_OK;
}

bool ic_simulation_has_snapshots(const ic_simulation *simulation)
{
    return simulation->calls->snapshot || simulation->calls->state;
}

ic_simulation ic_simulation_of(const reprise_ic_simulation *calls, rp_context *context)
{
    return (ic_simulation){.calls = calls, .context = context};
}

reprise_status ic_simulation_init(ic_simulation *simulation, rp_context *context,
                                  const reprise_ic_simulation *given, reprise_error *error)
{
    *simulation = ic_simulation_of(given ? given : context->simulation, context);
    if (simulation->calls)
        return ic_simulation_check(simulation->calls, error);
    if (!context->engine)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "no simulation is available");
    RP_TRY(context->engine->start(context, &simulation->calls, error));
    simulation->engine = context->engine;
    return REPRISE_OK;
}

void ic_simulation_free(ic_simulation *simulation)
{
    if (simulation->engine)
        simulation->engine->stop(simulation->calls);
    if (simulation->restored) {
        ic_carry_free(simulation->restored);
        rp_free(simulation->context, simulation->restored, sizeof *simulation->restored);
    }
    *simulation = (ic_simulation){0};
}

/*
 * Callbacks are not held to the library's rules for errors: one may fail without a message, or
 * succeed after an inner call failed and left its error in place.
 */
static reprise_status check(reprise_status status, const char *action, reprise_error *error)
{
    if (status == REPRISE_OK || !error->message[0])
        rp_error_clear(error);
    return status == REPRISE_OK
               ? REPRISE_OK
               : rp_error_set(error, status, "the simulation could not %s", action);
}

/* Copies a state and everything it refers to. */
static reprise_status copy_state(ic_simulation *simulation, const ic_snapshot *snapshot,
                                 reprise_error *error)
{
    if (!simulation->restored) {
        simulation->restored = rp_alloc_zero(simulation->context, 1, sizeof(ic_carry), error);
        RP_TRY(error->status);
        ic_carry_init(simulation->restored, simulation->context, error);
    }
    RP_TRY(ic_carry_set(simulation->restored, &ic_snapshot_record, snapshot, error));
    *simulation->calls->state = *(ic_snapshot *)simulation->restored->value;
    return REPRISE_OK;
}

reprise_status ic_simulation_restore(ic_simulation *simulation, const ic_snapshot *snapshot,
                                     reprise_error *error)
{
    const reprise_ic_simulation *calls = simulation->calls;
    if (!calls->restore)
        return copy_state(simulation, snapshot, error);
    return check(calls->restore(calls->ctx, snapshot, error), "restore a state", error);
}

reprise_status ic_simulation_apply(const ic_simulation *simulation, uint64_t tick,
                                   const reprise_ic_order_list *orders, reprise_error *error)
{
    const reprise_ic_simulation *calls = simulation->calls;
    const reprise_ic_order *items = orders ? orders->items : NULL;
    size_t count = orders ? orders->count : 0;
    return check(calls->apply_tick(calls->ctx, tick, items, count, error), "apply orders", error);
}

static reprise_status hash_state(const ic_simulation *simulation, uint8_t ret_hash[IC_HASH_SIZE],
                                 reprise_error *error)
{
    ic_hasher hasher;
    RP_TRY(ic_hasher_init(&hasher, simulation->context, error));
    reprise_status status = ic_state_hash(&hasher, &simulation->calls->state->core, ret_hash,
                                          error);
    ic_hasher_free(&hasher);
    return status;
}

reprise_status ic_simulation_hash(const ic_simulation *simulation, uint8_t ret_hash[IC_HASH_SIZE],
                                  reprise_error *error)
{
    const reprise_ic_simulation *calls = simulation->calls;
    if (!calls->state_hash)
        return hash_state(simulation, ret_hash, error);
    return check(calls->state_hash(calls->ctx, ret_hash, error), "hash its state", error);
}

reprise_status ic_simulation_snapshot(const ic_simulation *simulation, ic_snapshot *ret_snapshot,
                                      reprise_error *error)
{
    const reprise_ic_simulation *calls = simulation->calls;
    if (!ic_simulation_has_snapshots(simulation))
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "the simulation does not provide snapshots");
    if (!calls->snapshot) {
        *ret_snapshot = *calls->state;
        return REPRISE_OK;
    }
    return check(calls->snapshot(calls->ctx, ret_snapshot, error), "provide a snapshot", error);
}
