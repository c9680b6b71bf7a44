/* live.c - the functions of reprise/live.h: simulations. */
#include "handle.h"
#include "ironcurtain/host.h"

struct reprise_skirmish {
    rp_context context;
    ic_skirmish game;
};

reprise_status reprise_skirmish_new(const reprise_options *options, reprise_skirmish **ret_skirmish,
                                    reprise_error *error)
{
    reprise_options all = rp_complete_options(options);
    rp_context context;
    rp_context_init(&context, &all);
    reprise_skirmish *skirmish = rp_alloc_zero(&context, 1, sizeof *skirmish, error);
    if (!skirmish)
        return error->status;
    rp_context_init(&skirmish->context, &all);
    if (ic_skirmish_init(&skirmish->game, &skirmish->context, error) != REPRISE_OK) {
        reprise_skirmish_free(skirmish);
        return error->status;
    }
    *ret_skirmish = skirmish;
    return REPRISE_OK;
}

void reprise_skirmish_free(reprise_skirmish *skirmish)
{
    if (!skirmish)
        return;
    ic_skirmish_free(&skirmish->game);
    skirmish->context.allocator.free(skirmish->context.allocator.ctx, skirmish, sizeof *skirmish);
}

const reprise_simulation *reprise_skirmish_simulation(reprise_skirmish *skirmish)
{
    return &skirmish->game.calls;
}

reprise_status reprise_skirmish_start(reprise_skirmish *skirmish, uint64_t seed, uint32_t players,
                                      uint32_t units_per_player, reprise_error *error)
{
    return ic_demo_start(&skirmish->game, seed, players, units_per_player, error);
}

reprise_status reprise_skirmish_orders(reprise_skirmish *skirmish,
                                       const reprise_ic_order **ret_orders, size_t *ret_count,
                                       reprise_error *error)
{
    return ic_demo_orders(&skirmish->game, ret_orders, ret_count, error);
}

reprise_status reprise_skirmish_events(reprise_skirmish *skirmish,
                                       const reprise_choice **ret_events, size_t *ret_count,
                                       reprise_error *error)
{
    return ic_demo_events(&skirmish->game, ret_events, ret_count, error);
}
