/*
 * game.h - the rules of the reference game: small, deterministic, and complete enough to record,
 * play and verify Iron Curtain replays without the real game. It is specified in section 13 of
 * docs/spec/ironcurtain.md; Iron Curtain itself has other rules.
 */
#ifndef SIM_SKIRMISH_GAME_H
#define SIM_SKIRMISH_GAME_H

#include "ironcurtain/wire/state.h"

typedef struct skirmish_game skirmish_game;

/* Starts from a copy of a state. */
reprise_status skirmish_game_new(rp_context *context, const ic_core *core, skirmish_game **ret_sim,
                                 reprise_error *error);
/*
 * Makes *to, which is NULL or an earlier copy, equal to a game whose state can then be taken while
 * the game goes on. It refers to memory of the game, which must outlive that.
 */
reprise_status skirmish_game_copy(rp_context *context, const skirmish_game *game,
                                  skirmish_game **to, reprise_error *error);
void skirmish_game_free(skirmish_game *game);

uint64_t skirmish_game_tick(const skirmish_game *game);

/* Applies the orders of one tick, given in the order received. Invalid orders have no effect. */
reprise_status skirmish_game_apply(skirmish_game *game, const ic_order *orders, size_t count,
                                   reprise_error *error);

/* ---- for match.c ---- */

typedef struct skirmish_unit {
    ic_tag tag;
    uint32_t owner, type; /* type: interned */
    ic_pos pos;
    bool moves;
} skirmish_unit;

/* Puts a unit on the map; failures are reported by skirmish_game_status. */
void skirmish_game_spawn(skirmish_game *game, rp_text name, uint32_t owner, int64_t x, int64_t y);
reprise_status skirmish_game_status(skirmish_game *game, reprise_error *error);
bool skirmish_game_has(const skirmish_game *game, const ic_tag *unit);
size_t skirmish_game_unit_count(const skirmish_game *game);
/* Ascending by the index of their tags. */
skirmish_unit skirmish_game_unit(const skirmish_game *game, size_t index);
size_t skirmish_game_side_count(const skirmish_game *game);
uint32_t skirmish_game_side(const skirmish_game *game, size_t index);

/* The state as it is now, in the arena. */
reprise_status skirmish_game_core(const skirmish_game *game, rp_arena *arena, ic_core *ret_core,
                                  reprise_error *error);

#endif
