/* branch.c - the metadata of a recording that continues another from a tick (specification, 12). */
#include "ironcurtain/container/schema_unknown.h"
#include "json.h"
#include "player.h"

/* The id of a branch is derived from its parent and tick. */
static reprise_value *new_id(rp_doc *doc, const uint8_t file[IC_HASH_SIZE], uint64_t tick)
{
    return rp_new_format(doc, "%02x%02x%02x%02x-%02x%02x-4%01x%02x-8%01x%02x-%012llx", file[0],
                         file[1], file[2], file[3], file[4], file[5], file[6] & 15, file[7],
                         file[8] & 15, file[9], (unsigned long long)(tick & 0xFFFFFFFFFFFF));
}

static reprise_value *branch_metadata(ic_playback *p, rp_doc *doc, uint32_t slot,
                                      const uint8_t file[IC_HASH_SIZE],
                                      const uint8_t state[IC_HASH_SIZE])
{
    static const char *const gone[] = {"total_ticks", "duration_seconds", "signed", "relay_server",
                                       "branch_from"};
    const reprise_value *parent = p->match->replay->metadata;
    reprise_value *all = rp_copy(doc, parent);
    for (size_t i = 0; i < RP_COUNT(gone); i++)
        (void)rp_remove(all, gone[i]);
    reprise_value *players = rp_get(all, "players");
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        reprise_value *player = (reprise_value *)(uintptr_t)reprise_value_at(players, i);
        (void)rp_remove(player, "apm_avg");
        rp_replace(doc, player, "outcome", rp_new_text(doc, "unknown"));
    }
    rp_replace(doc, all, "replay_id", new_id(doc, file, p->driver.tick));
    rp_set_bool(doc, all, "signed", false);
    reprise_value *from = rp_set_object(doc, all, "branch_from");
    const char *id = rp_get_text(parent, "replay_id");
    rp_set_text(doc, from, "parent_replay_id", id ? id : "");
    rp_set(doc, from, "parent_replay_file_sha256", rp_new_hex(doc, file, IC_HASH_SIZE));
    rp_set_uint(doc, from, "branch_tick", p->driver.tick);
    rp_set(doc, from, "branch_state_hash", rp_new_hex(doc, state, IC_HASH_SIZE));
    rp_set_uint(doc, from, "original_player_slot", slot);
    rp_set_array(doc, from, "ai_assignments");
    return all;
}

reprise_status ic_playback_branch(ic_playback *p, uint64_t tick, uint32_t slot,
                                  const char **ret_metadata, reprise_error *error)
{
    uint8_t file[IC_HASH_SIZE], state[IC_HASH_SIZE];
    ic_replay *replay = p->match->replay;
    if (replay)
        RP_TRY(ic_refuse_unknown(replay, error));
    if (p->match->imported || !p->driver.has_state)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "a replay of another game has no state to continue from");
    RP_TRY(ic_playback_seek(p, tick, error));
    RP_TRY(rp_sha256_source(replay->base.context, replay->base.source, file, error));
    RP_TRY(ic_simulation_hash(&p->driver.simulation, state, error));
    rp_writer text;
    rp_arena_reset(&p->scratch);
    rp_doc doc = {.arena = &p->scratch, .error = error};
    rp_writer_init(&text, replay->base.context, IC_METADATA_MAX, error);
    rp_json_write(&text, branch_metadata(p, &doc, slot, file, state),
                  &(rp_json_format){.indent = 1, .exact_integers = true});
    const char *copy = rp_arena_text(&p->scratch, text.data, text.size, error);
    rp_writer_free(&text);
    RP_TRY(error->status);
    *ret_metadata = copy;
    return REPRISE_OK;
}
