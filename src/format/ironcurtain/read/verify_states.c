/* verify_states.c - see verify_states.h. */
#include "verify_states.h"

#include "checked.h"

/*
 * Copies are part of the memory that one replay may hold, so they are allowed a part of it, and
 * never more than COPIES_MAX_BYTES. In memory a state is several times as large as it is stored.
 */
enum {
    COPIES_MAX = 16,
    COPIES_MAX_BYTES = 16 << 20,
    COPIES_PART = 4,
    COPY_FACTOR = 8,
    COPIES_MIN = 2,
};

typedef struct ic_state_copy {
    const reprise_ic_simulation *calls; /* has the copy; NULL: never used */
    ic_state_asked asked;
    uint8_t hash[IC_HASH_SIZE];
    reprise_error error;
} ic_state_copy;

static void hash_copy(void *ctx, void *slot)
{
    const ic_states *states = ctx;
    ic_state_copy *copy = slot;
    ic_simulation simulation = ic_simulation_of(copy->calls, states->simulation->context);
    (void)ic_simulation_hash(&simulation, copy->hash, &copy->error);
}

static size_t affordable_copies(const rp_context *context, uint64_t largest)
{
    uint64_t live = atomic_load(&context->bytes_live);
    uint64_t left = context->memory_max > live ? context->memory_max - live : 0;
    uint64_t room = RP_MIN(left / COPIES_PART, (uint64_t)COPIES_MAX_BYTES);
    uint64_t count = room / COPY_FACTOR / RP_MAX(largest, 1);
    return (size_t)RP_MIN(count, (uint64_t)COPIES_MAX);
}

reprise_status ic_states_open(ic_states *states, const ic_simulation *simulation, uint64_t largest,
                              ic_state_answer *answer, void *ctx, reprise_error *error)
{
    rp_context *context = simulation->context;
    *states = (ic_states){.simulation = simulation, .answer = answer, .ctx = ctx};
    size_t count = simulation->engine ? affordable_copies(context, largest) : 0;
    if (count < COPIES_MIN)
        return REPRISE_OK;
    states->copies = rp_alloc_zero(context, count, sizeof *states->copies, error);
    if (!states->copies)
        return error->status;
    states->copy_count = count;
    RP_TRY(rp_workers_open(context, hash_copy, states, states->copies, sizeof *states->copies,
                           count, count / 2, &states->workers, error));
    if (rp_workers_help(states->workers))
        return REPRISE_OK;
    rp_workers_close(states->workers);
    states->workers = NULL;
    return REPRISE_OK;
}

/* Passes on the oldest answer, if there is one. */
static bool take(ic_states *states, reprise_error *error)
{
    ic_state_copy *copy = rp_workers_take(states->workers);
    if (!copy)
        return false;
    if (copy->error.status == REPRISE_OK)
        states->answer(states->ctx, &copy->asked, copy->hash);
    else if (error->status == REPRISE_OK)
        *error = copy->error;
    return true;
}

reprise_status ic_states_wait(ic_states *states, reprise_error *error)
{
    while (states->workers && take(states, error))
        continue;
    return error->status;
}

static reprise_status add_copy(ic_states *states, const ic_state_asked *asked, reprise_error *error)
{
    const ic_simulation *simulation = states->simulation;
    const struct rp_engine *engine = simulation->engine;
    ic_state_copy *copy = rp_workers_empty(states->workers);
    if (!copy) {
        (void)take(states, error);
        copy = rp_workers_empty(states->workers);
    }
    RP_TRY(error->status);
    if (!copy->calls)
        RP_TRY(engine->start(simulation->context, &copy->calls, error));
    RP_TRY(engine->copy_state(simulation->calls, copy->calls, error));
    copy->asked = *asked;
    copy->error = (reprise_error)REPRISE_ERROR_INIT;
    rp_workers_give(states->workers);
    return REPRISE_OK;
}

reprise_status ic_states_add(ic_states *states, const ic_state_asked *asked, reprise_error *error)
{
    uint8_t hash[IC_HASH_SIZE];
    if (states->workers)
        return add_copy(states, asked, error);
    ic_state_asked same = *asked;
    RP_TRY(ic_simulation_hash(states->simulation, hash, error));
    states->answer(states->ctx, &same, hash);
    return REPRISE_OK;
}

void ic_states_close(ic_states *states)
{
    if (!states->simulation)
        return;
    rp_workers_close(states->workers);
    for (size_t i = 0; i < states->copy_count; i++) {
        if (states->copies[i].calls)
            states->simulation->engine->stop(states->copies[i].calls);
    }
    if (states->copies)
        rp_free(states->simulation->context, states->copies,
                states->copy_count * sizeof *states->copies);
    *states = (ic_states){0};
}
