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

/* ---- trying ---- */

/*
 * Plays the first tick. A simulation with different rules does not reach the recorded state;
 * neither does the right one if the first keyframe is not the recorded state, which is damage.
 */
static reprise_status play_first(ic_driver *d, bool *ret_same, bool *ret_damaged,
                                 reprise_error *error)
{
    const ic_frame *frame = NULL;
    ic_comparison found;
    RP_TRY(ic_driver_restore(d, 0, error));
    RP_TRY(ic_driver_frame(d, &frame, error));
    if (!frame)
        return REPRISE_OK;
    RP_TRY(ic_driver_compare(d, &found, error));
    *ret_damaged = !found.same;
    RP_TRY(ic_driver_play(d, frame, error));
    RP_TRY(ic_driver_compare(d, &found, error));
    *ret_same = !found.known || found.same;
    return REPRISE_OK;
}

static reprise_status try_first(ic_replay *replay, bool *ret_same, bool *ret_damaged,
                                reprise_error *error)
{
    ic_driver driver;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_findings kept = replay->base.findings; /* playing all of it will note the same */
    rp_findings_init(&replay->base.findings, kept.arena);
    *ret_same = true;
    reprise_status status = ic_drive_replay(&driver, replay, &damage);
    if (status == REPRISE_OK)
        status = play_first(&driver, ret_same, ret_damaged, &damage);
    ic_driver_close(&driver);
    replay->base.findings = kept;
    if (status != REPRISE_E_NOMEM && status != REPRISE_E_IO && status != REPRISE_E_CANCELLED)
        return REPRISE_OK;
    *error = damage;
    return status;
}

/* ---- the answer ---- */

/* What the answer depends on. */
typedef struct subject {
    rp_context *context;
    rp_arena *arena; /* of the reason */
    const char *game_module, *data_version;
    ic_replay *replay; /* NULL: the orders of another game */
} subject;

#define REASON(subject, error, ...) rp_arena_format((subject)->arena, error, __VA_ARGS__)

static const char *list_modules(const subject *s, reprise_error *error)
{
    const char *const *modules = s->context->engine->game_modules;
    const char *list = NULL;
    for (size_t i = 0; modules[i]; i++)
        list = list
                   ? REASON(s, error, "%s%s'%s'", list, modules[i + 1] ? ", " : " and ", modules[i])
                   : REASON(s, error, "'%s'", modules[i]);
    return list;
}

/*
 * An engine does not read rules from files, so one that does not name the replay's rules has to
 * prove that it follows them.
 */
static reprise_status check_rules(const subject *s, const char **ret_reason, reprise_error *error)
{
    bool same = true, damaged = false;
    if (!s->replay || !ic_brings_rules(s->replay, s->data_version)) {
        *ret_reason = REASON(s, error, "its rules '%.71s' are neither known nor embedded",
                             s->data_version);
        return error->status;
    }
    RP_TRY(try_first(s->replay, &same, &damaged, error));
    if (!same && damaged)
        ic_fault_keyframe(s->replay, 0);
    if (!same)
        *ret_reason = REASON(s, error, "the built-in game does not follow its rules '%.71s'",
                             s->data_version);
    return error->status;
}

static reprise_status check_engine(const subject *s, const char **ret_reason, reprise_error *error)
{
    const struct rp_engine *engine = s->context->engine;
    if (!engine) {
        *ret_reason = "no simulation is available";
        return REPRISE_OK;
    }
    if (!is_among(engine->game_modules, s->game_module)) {
        const char *modules = list_modules(s, error);
        *ret_reason = REASON(s, error, "its game module is '%.40s'; the built-in game plays %s",
                             s->game_module, modules ? modules : "");
        return error->status;
    }
    return is_among(engine->rules, s->data_version) ? REPRISE_OK
                                                    : check_rules(s, ret_reason, error);
}

/* The answer for a replay and the engine is kept: it may take playing a tick. */
static reprise_status ask_engine(const subject *s, const char **ret_reason, reprise_error *error)
{
    ic_replay *replay = s->replay;
    if (!replay)
        return check_engine(s, ret_reason, error);
    if (!replay->engine_checked) {
        RP_TRY(check_engine(s, &replay->engine_reason, error));
        replay->engine_checked = true;
    }
    *ret_reason = replay->engine_reason;
    return REPRISE_OK;
}

static reprise_status find_reason(const subject *s, bool imported,
                                  const reprise_ic_simulation *given, const char **ret_reason,
                                  reprise_error *error)
{
    const struct rp_engine *engine = s->context->engine;
    const reprise_ic_simulation *calls = given ? given : s->context->simulation;
    *ret_reason = NULL;
    if (imported && !given) {
        *ret_reason = "it comes from another game";
        return REPRISE_OK;
    }
    if (!calls || (engine && engine->owns(calls)))
        return ask_engine(s, ret_reason, error);
    if (calls->game_module && strcmp(calls->game_module, s->game_module) != 0)
        *ret_reason = REASON(s, error, "its game module is '%.40s'; the simulation plays '%.40s'",
                             s->game_module, calls->game_module);
    return error->status;
}

static const char *text_of(const ic_replay *replay, const char *key)
{
    const char *text = rp_get_text(replay->metadata, key);
    return text ? text : "";
}

reprise_status ic_unplayable(ic_replay *replay, const reprise_ic_simulation *given,
                             const char **ret_reason, reprise_error *error)
{
    subject s = {.context = replay->base.context,
                 .arena = &replay->base.arena,
                 .game_module = text_of(replay, "game_module"),
                 .data_version = text_of(replay, "data_version"),
                 .replay = replay};
    return find_reason(&s, replay->imported, given, ret_reason, error);
}

reprise_status ic_match_unplayable(const ic_match *match, const reprise_ic_simulation *given,
                                   const char **ret_reason, reprise_error *error)
{
    subject s = {.context = match->context,
                 .arena = match->arena,
                 .game_module = match->game_module,
                 .data_version = match->data_version,
                 .replay = match->replay};
    return find_reason(&s, match->imported, given, ret_reason, error);
}

reprise_status ic_require_playable(ic_replay *replay, reprise_error *error)
{
    const char *reason = NULL;
    RP_TRY(ic_unplayable(replay, NULL, &reason, error));
    return reason ? rp_error_set(error, REPRISE_E_UNSUPPORTED,
                                 "the replay cannot be simulated here: %s", reason)
                  : REPRISE_OK;
}
