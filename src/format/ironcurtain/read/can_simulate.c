/* can_simulate.c - see can_simulate.h. */
#include "can_simulate.h"

#include "compat.h"

static bool is_among(const char *const *list, const char *text)
{
    for (size_t i = 0; list[i]; i++) {
        if (strcmp(list[i], text) == 0)
            return true;
    }
    return false;
}

static const char *text_of(const ic_replay *replay, const char *key)
{
    const char *text = rp_get_text(replay->metadata, key);
    return text ? text : "";
}

/* ---- trying ---- */

/* The hash that was recorded for the state after the first tick; false if none was. */
static reprise_status second_hash(ic_follower *f, uint64_t *ret_hash, bool *ret_there,
                                  reprise_error *error)
{
    static const uint8_t unknown[IC_HASH_SIZE];
    const ic_replay *replay = f->decoder->replay;
    const ic_frame *frame = NULL;
    RP_TRY(ic_follow_frame(f, &frame, error));
    bool is_end = f->tick == replay->total_ticks &&
                  memcmp(replay->header.final_state_hash, unknown, sizeof unknown) != 0;
    *ret_there = frame || is_end;
    if (frame)
        *ret_hash = frame->state_hash;
    else if (is_end)
        *ret_hash = ic_sync_hash(replay->header.final_state_hash);
    return REPRISE_OK;
}

/*
 * Plays the first tick. A simulation with different rules does not reach the recorded state;
 * neither does the right one if the first keyframe is not the recorded state, which is damage.
 */
static reprise_status play_first(ic_follower *f, bool *ret_same, bool *ret_damaged,
                                 reprise_error *error)
{
    const ic_frame *frame = NULL;
    uint8_t hash[IC_HASH_SIZE];
    uint64_t recorded = 0;
    bool is_there = false;
    RP_TRY(ic_follow_restore(f, 0, error));
    RP_TRY(ic_follow_frame(f, &frame, error));
    if (!frame)
        return REPRISE_OK;
    *ret_damaged = ic_sync_hash(f->decoder->loader.now.hash) != frame->state_hash;
    RP_TRY(ic_follow_apply(f, frame, error));
    RP_TRY(second_hash(f, &recorded, &is_there, error));
    RP_TRY(ic_simulation_hash(&f->host, hash, error));
    *ret_same = !is_there || ic_sync_hash(hash) == recorded;
    return REPRISE_OK;
}

static reprise_status try_first(ic_replay *replay, bool *ret_same, bool *ret_damaged,
                                reprise_error *error)
{
    ic_follower follower;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_findings kept = replay->base.findings; /* whoever plays all of it notices the same */
    rp_findings_init(&replay->base.findings, kept.arena);
    *ret_same = true;
    reprise_status status = ic_follow_open(&follower, replay, 0, true, NULL, &damage);
    if (status == REPRISE_OK)
        status = play_first(&follower, ret_same, ret_damaged, &damage);
    ic_follow_close(&follower);
    replay->base.findings = kept;
    if (status != REPRISE_E_NOMEM && status != REPRISE_E_IO && status != REPRISE_E_CANCELLED)
        return REPRISE_OK;
    *error = damage;
    return status;
}

/* ---- the answer ---- */

#define REASON(replay, error, ...) rp_arena_format(&(replay)->base.arena, error, __VA_ARGS__)

static const char *list_modules(const ic_replay *replay, rp_arena *arena, reprise_error *error)
{
    const char *const *modules = replay->base.context->engine->game_modules;
    const char *list = NULL;
    for (size_t i = 0; modules[i]; i++)
        list = list ? rp_arena_format(arena, error, "%s%s'%s'", list,
                                      modules[i + 1] ? ", " : " and ", modules[i])
                    : rp_arena_format(arena, error, "'%s'", modules[i]);
    return list;
}

/*
 * An engine does not read rules from files, so a replay with rules that the engine does not name
 * must be tried first.
 */
static reprise_status check_engine(ic_replay *replay, const char **ret_reason, reprise_error *error)
{
    const struct rp_engine *engine = replay->base.context->engine;
    const char *module = text_of(replay, "game_module");
    const char *rules = text_of(replay, "data_version");
    bool same = true, damaged = false;
    if (!engine) {
        *ret_reason = "no simulation is available";
        return REPRISE_OK;
    }
    if (!is_among(engine->game_modules, module)) {
        *ret_reason = REASON(replay, error,
                             "its game module is '%.40s'; the built-in game plays %s", module,
                             list_modules(replay, &replay->base.arena, error));
        return error->status;
    }
    if (is_among(engine->rules, rules))
        return REPRISE_OK;
    if (!ic_brings_rules(replay, rules)) {
        *ret_reason = REASON(replay, error, "its rules '%.71s' are neither known nor embedded",
                             rules);
        return error->status;
    }
    RP_TRY(try_first(replay, &same, &damaged, error));
    if (!same && damaged)
        ic_fault_keyframe(replay, 0);
    if (!same)
        *ret_reason = REASON(replay, error, "the built-in game does not follow its rules '%.71s'",
                             rules);
    return error->status;
}

reprise_status ic_unplayable(ic_replay *replay, const reprise_ic_simulation *given,
                             const char **ret_reason, reprise_error *error)
{
    const reprise_ic_simulation *calls = given ? given : replay->base.context->simulation;
    *ret_reason = NULL;
    if (replay->imported && !given) {
        *ret_reason = "it comes from another game";
        return REPRISE_OK;
    }
    const struct rp_engine *engine = replay->base.context->engine;
    if (calls && !(engine && engine->owns(calls))) {
        const char *module = text_of(replay, "game_module");
        if (calls->game_module && strcmp(calls->game_module, module) != 0)
            *ret_reason = REASON(replay, error,
                                 "its game module is '%.40s'; the simulation plays '%.40s'", module,
                                 calls->game_module);
        return error->status;
    }
    if (!replay->judged) {
        RP_TRY(check_engine(replay, &replay->unplayable, error));
        replay->judged = true;
    }
    *ret_reason = replay->unplayable;
    return REPRISE_OK;
}

reprise_status ic_require_playable(ic_replay *replay, const reprise_ic_simulation *given,
                                   reprise_error *error)
{
    const char *reason = NULL;
    RP_TRY(ic_unplayable(replay, given, &reason, error));
    return reason ? rp_error_set(error, REPRISE_E_UNSUPPORTED,
                                 "the replay cannot be simulated here: %s", reason)
                  : REPRISE_OK;
}
