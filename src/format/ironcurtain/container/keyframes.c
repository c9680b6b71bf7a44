/*
 * keyframes.c - loads the state of a keyframe: a full snapshot, or a full snapshot and one delta
 * (specification, 6.5 and 7.3).
 */
#include "hash.h"
#include "schema_unknown.h"

static void state_init(ic_state *state, rp_context *context, reprise_error *error)
{
    rp_writer_init(&state->bytes, context, IC_UNIT_MAX + 1, error);
    rp_arena_init(&state->arena, context);
}

static void state_free(ic_state *state)
{
    rp_writer_free(&state->bytes);
    rp_arena_free(&state->arena);
}

void ic_carry_init(ic_carry *carry, rp_context *context, reprise_error *error)
{
    rp_writer_init(&carry->bytes, context, IC_UNIT_MAX + 1, error);
    rp_arena_init(&carry->arena, context);
}

void ic_carry_free(ic_carry *carry)
{
    rp_writer_free(&carry->bytes);
    rp_arena_free(&carry->arena);
}

reprise_status ic_loader_init(ic_loader *loader, ic_replay *replay, reprise_error *error)
{
    rp_context *context = replay->base.context;
    *loader = (ic_loader){.replay = replay};
    state_init(&loader->full, context, error);
    state_init(&loader->now, context, error);
    ic_carry_init(&loader->campaign, context, error);
    ic_carry_init(&loader->script, context, error);
    RP_TRY(ic_hasher_init(&loader->hasher, context, error));
    return ic_index(replay, error);
}

void ic_loader_free(ic_loader *loader)
{
    if (!loader->replay)
        return;
    state_free(&loader->full);
    state_free(&loader->now);
    ic_carry_free(&loader->campaign);
    ic_carry_free(&loader->script);
    ic_hasher_free(&loader->hasher);
    loader->replay = NULL;
}

/* Copies the value because the memory of its keyframe is reused. */
reprise_status ic_carry_set(ic_carry *carry, const rp_record *record, const void *value,
                            reprise_error *error)
{
    carry->value = NULL;
    rp_writer_clear(&carry->bytes);
    rp_arena_reset(&carry->arena);
    if (!value)
        return REPRISE_OK;
    carry->bytes.error = error;
    rp_bincode_write(&carry->bytes, record, value);
    void *copy = rp_arena_alloc(&carry->arena, record->size, error);
    RP_TRY(error->status);
    rp_reader r = rp_reader_of(carry->bytes.data, carry->bytes.size, "state", error);
    rp_bincode_read(&r, &carry->arena, record, copy);
    RP_TRY(error->status);
    carry->value = copy;
    return REPRISE_OK;
}

static reprise_status place(reprise_error *error, uint64_t tick)
{
    if (error->status != REPRISE_OK) {
        rp_error_place(error, "keyframes", 0, "");
        rp_error_at(error, "keyframe %llu", (unsigned long long)tick);
    }
    return error->status;
}

static reprise_status check_match(ic_loader *loader, const ic_core *core, size_t index,
                                  reprise_error *error)
{
    if (index == 0) {
        loader->knows_match = true;
        loader->game_seed = core->game_seed;
        memcpy(loader->map_hash, core->map_hash, sizeof loader->map_hash);
    }
    if (core->game_seed != loader->game_seed ||
        memcmp(core->map_hash, loader->map_hash, sizeof loader->map_hash) != 0)
        return rp_error_set(error, REPRISE_E_CORRUPT,
                            "seed or map of this keyframe differ from the first one");
    return REPRISE_OK;
}

static reprise_status check_range(const ic_replay *replay, uint64_t tick, reprise_error *error)
{
    if (tick > replay->total_ticks && !replay->live)
        return rp_error_set(error, REPRISE_E_CORRUPT, "keyframe after the last tick");
    return REPRISE_OK;
}

static reprise_status check_tick(const ic_replay *replay, uint64_t inside, uint64_t tick,
                                 reprise_error *error)
{
    RP_TRY(check_range(replay, tick, error));
    if (inside != tick)
        return rp_error_set(error, REPRISE_E_CORRUPT, "the index has tick %llu, the state %llu",
                            (unsigned long long)tick, (unsigned long long)inside);
    return REPRISE_OK;
}

/*
 * A core whose hash is the recorded one is valid even if campaign and scripts are of unknown types.
 */
static reprise_status take_rest(ic_loader *loader, const ic_piece *piece,
                                const uint8_t hash[IC_HASH_SIZE], reprise_error *error)
{
    ic_replay *replay = loader->replay;
    ic_rest *rest = &loader->rest;
    bool recorded = false;
    replay->unsorted_maps |= rest->unsorted;
    if (rest->unsorted)
        rp_note(&replay->base.findings, IC_FINDING(MAP_ORDER), "file", piece->offset,
                "campaign_state.flags", "a map of the campaign is not sorted");
    if (!rest->unknown || ic_is_schema_unknown(&rest->why))
        return REPRISE_OK;
    RP_TRY(ic_hash_is_recorded(replay, piece->tick, hash, &recorded, error));
    if (!recorded) {
        *error = rest->why;
        return ic_keyframe_unknown(replay, piece, error);
    }
    (void)ic_schema_unknown(&rest->why, IC_REST, "the core is valid, its hash is recorded");
    ic_note_unknown(replay, IC_KEYFRAMES, &rest->why);
    return REPRISE_OK;
}

/* The checksum of what a state was decoded from: a delta builds on a full snapshot. */
static uint32_t content_of(const ic_loader *loader, const ic_state *state)
{
    const rp_writer *full = &loader->full.bytes, *own = &state->bytes;
    uint32_t sum = rp_crc32(0, full->data, full->size);
    return state == &loader->full ? sum : rp_crc32(sum, own->data, own->size);
}

static reprise_status hash_state(ic_loader *loader, ic_state *state, size_t index,
                                 reprise_error *error)
{
    if (!loader->seeks)
        return ic_state_hash(&loader->hasher, &state->core, state->hash, error);
    uint32_t content = content_of(loader, state);
    if (ic_known_hash(loader->replay, index, content, state->hash))
        return REPRISE_OK;
    RP_TRY(ic_state_hash(&loader->hasher, &state->core, state->hash, error));
    ic_keep_hash(loader->replay, index, content, state->hash);
    return REPRISE_OK;
}

/* Frees what a state was decoded into. The state is empty until the next one is complete. */
static void forget(ic_state *state)
{
    rp_arena_reset(&state->arena);
    state->core = (ic_core){0};
}

static reprise_status load_full(ic_loader *loader, size_t index, reprise_error *error)
{
    const ic_piece *piece = &loader->replay->pieces[IC_KEYFRAMES].items[index];
    ic_state *full = &loader->full;
    loader->loaded = false;
    forget(full);
    forget(&loader->now); /* it points into the full state */
    RP_TRY(ic_piece_decode(loader->replay, piece, "keyframes", &full->bytes, error));
    rp_reader r = rp_reader_of(full->bytes.data, full->bytes.size, "keyframe", error);
    ic_snapshot snapshot;
    ic_archetypes groups;
    if (!ic_snapshot_read_open(&r, &full->arena, &snapshot, &groups, &loader->rest))
        return ic_keyframe_unknown(loader->replay, piece, error);
    full->core = snapshot.core;
    if (ic_core_check(&full->core, &full->arena, error) != REPRISE_OK) {
        rp_error_place(error, "keyframe", 0, "core");
        return ic_is_about_types(error) ? ic_keyframe_unknown(loader->replay, piece, error)
                                        : error->status;
    }
    RP_TRY(check_tick(loader->replay, full->core.tick, piece->tick, error));
    RP_TRY(check_match(loader, &full->core, index, error));
    RP_TRY(hash_state(loader, full, index, error));
    RP_TRY(take_rest(loader, piece, full->hash, error));
    loader->has_campaign = snapshot.campaign_state != NULL;
    loader->has_script = snapshot.script_state != NULL;
    RP_TRY(ic_carry_set(&loader->campaign, &ic_campaign_record, snapshot.campaign_state, error));
    RP_TRY(ic_carry_set(&loader->script, &ic_script_record, snapshot.script_state, error));
    loader->full_index = loader->index = index;
    loader->loaded = true;
    return REPRISE_OK;
}

/* Decodes the delta at `index` into `now`; so far only its campaign and script state are used. */
static reprise_status read_delta(ic_loader *loader, size_t index, reprise_error *error)
{
    const ic_piece *piece = &loader->replay->pieces[IC_KEYFRAMES].items[index];
    ic_state *now = &loader->now;
    forget(now);
    loader->delta = (ic_delta){0};
    RP_TRY(ic_piece_decode(loader->replay, piece, "keyframes", &now->bytes, error));
    rp_reader r = rp_reader_of(now->bytes.data, now->bytes.size, "keyframe", error);
    if (!ic_delta_read_open(&r, &now->arena, &loader->delta, &loader->rest))
        return ic_keyframe_unknown(loader->replay, piece, error);
    RP_TRY(check_tick(loader->replay, loader->delta.core.tick, piece->tick, error));
    loader->has_campaign = loader->delta.campaign_state != NULL;
    loader->has_script = loader->delta.script_state != NULL;
    if (loader->has_campaign)
        RP_TRY(ic_carry_set(&loader->campaign, &ic_campaign_record, loader->delta.campaign_state,
                            error));
    if (loader->has_script)
        RP_TRY(ic_carry_set(&loader->script, &ic_script_record, loader->delta.script_state, error));
    loader->index = index;
    return REPRISE_OK;
}

static reprise_status apply_delta(ic_loader *loader, reprise_error *error)
{
    ic_state *now = &loader->now;
    RP_TRY(ic_delta_apply(&loader->full.core, loader->full.hash, &loader->delta.core, &now->arena,
                          &now->core, error));
    RP_TRY(hash_state(loader, now, loader->index, error));
    return take_rest(loader, &loader->replay->pieces[IC_KEYFRAMES].items[loader->index], now->hash,
                     error);
}

/* The first keyframe has the seed and map that all must share. */
static reprise_status learn_match(ic_loader *loader, reprise_error *error)
{
    ic_replay *replay = loader->replay;
    loader->knows_match = loader->seeks &&
                          ic_known_match(replay, &loader->game_seed, loader->map_hash);
    if (loader->knows_match)
        return REPRISE_OK;
    RP_TRY(load_full(loader, 0, error));
    if (loader->seeks && !loader->rest.unsorted && !loader->rest.unknown)
        ic_keep_match(replay, loader->game_seed, loader->map_hash);
    return REPRISE_OK;
}

static size_t full_before(const ic_pieces *list, size_t index)
{
    while (!list->items[index].is_full)
        index--; /* the first keyframe is full */
    return index;
}

reprise_status ic_loader_load(ic_loader *loader, size_t index, reprise_error *error)
{
    const ic_pieces *list = &loader->replay->pieces[IC_KEYFRAMES];
    size_t full = full_before(list, index);
    bool ahead = loader->loaded && loader->full_index == full && loader->index <= index;
    if (!ahead) {
        if (full && !loader->knows_match && learn_match(loader, error) != REPRISE_OK)
            return place(error, list->items[0].tick);
        if (load_full(loader, full, error) != REPRISE_OK)
            return place(error, list->items[full].tick);
    }
    bool fresh = ahead && loader->index == index;
    while (loader->index < index) {
        if (read_delta(loader, loader->index + 1, error) != REPRISE_OK) {
            loader->loaded = false;
            return place(error, list->items[loader->index].tick);
        }
    }
    if (index != full && !fresh && apply_delta(loader, error) != REPRISE_OK) {
        loader->loaded = false;
        return place(error, list->items[index].tick);
    }
    if (index == full) {
        loader->now.core = loader->full.core;
        memcpy(loader->now.hash, loader->full.hash, IC_HASH_SIZE);
    }
    return REPRISE_OK;
}

size_t ic_keyframe_at(const ic_replay *replay, uint64_t tick)
{
    const ic_pieces *list = &replay->pieces[IC_KEYFRAMES];
    size_t low = 0, high = list->count;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle].tick <= tick)
            low = middle;
        else
            high = middle;
    }
    return low;
}

reprise_status ic_keyframe_check_next(ic_replay *replay, size_t index, reprise_error *error)
{
    const ic_pieces *list = &replay->pieces[IC_KEYFRAMES];
    reprise_error damage = REPRISE_ERROR_INIT;
    if (index + 1 < list->count &&
        check_range(replay, list->items[index + 1].tick, &damage) != REPRISE_OK)
        (void)place(&damage, list->items[index + 1].tick);
    return rp_skip_damage(&replay->base, &damage, error);
}

ic_snapshot ic_loader_snapshot(const ic_loader *loader)
{
    return (ic_snapshot){.core = loader->now.core,
                         .campaign_state = loader->campaign.value,
                         .script_state = loader->script.value};
}
