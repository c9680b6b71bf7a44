/*
 * merkle.c - the state hash: a Merkle tree with one leaf per part of a state (specification, 6.6),
 * proofs of single leaves, and the links of the signature chain (9).
 */
#include "state.h"

reprise_status ic_hasher_init(ic_hasher *hasher, rp_context *context, reprise_error *error)
{
    *hasher = (ic_hasher){.context = context};
    rp_arena_init(&hasher->arena, context);
    rp_writer_init(&hasher->leaf, context, SIZE_MAX / 2, error);
    return rp_sha256_new(context, &hasher->sha, error);
}

void ic_hasher_free(ic_hasher *hasher)
{
    if (!hasher->context)
        return;
    rp_sha256_free(hasher->sha);
    rp_writer_free(&hasher->leaf);
    rp_arena_free(&hasher->arena);
    *hasher = (ic_hasher){0};
}

void ic_digest(ic_hasher *hasher, const void *data, size_t size, uint8_t ret[IC_HASH_SIZE])
{
    rp_sha256_update(hasher->sha, data, size);
    rp_sha256_final(hasher->sha, ret);
}

/* ---- the parts of a state ---- */

enum { LEADING_LEAVES = 3, TRAILING_LEAVES = 2 };

static reprise_status collect(ic_hasher *hasher, const ic_core *core, ic_archetypes *ret,
                              reprise_error *error)
{
    rp_arena_reset(&hasher->arena);
    const ic_entity *entities = core->entities.items;
    RP_TRY(
        ic_archetypes_init(ret, &core->intern_table, core->entities.count, &hasher->arena, error));
    for (uint32_t i = 0; i < core->entities.count; i++)
        ic_archetypes_add(ret, &entities[i], i);
    ic_archetypes_end(ret);
    return ret->unnamed == IC_NO_ENTITY
               ? REPRISE_OK
               : rp_error_set(error, REPRISE_E_CORRUPT, "entity %u: archetype is not interned",
                              entities[ret->unnamed].tag.index);
}

static void begin_leaf(rp_writer *w, const char *prefix, const rp_text *name)
{
    size_t size = strlen(prefix) + (name ? name->size : 0);
    rp_writer_clear(w);
    rp_put_u8(w, 0);
    rp_put_u32(w, (uint32_t)size);
    rp_put_text(w, prefix);
    if (name)
        rp_put(w, name->data, name->size);
}

enum {
    ENTITY_HEAD = 20,
    STEP = 16, /* copied at once */
    USUAL_LEAST = 3 * STEP,
    USUAL_MOST = 5 * STEP,
    /*
     * Pieces are small, so that the next entities, whose addresses cannot be predicted, are fetched
     * and copied while the processor waits for the rounds of the hash.
     */
    PIECE_SIZE = 1 << 9,
    PIECE_ROOM = PIECE_SIZE + ENTITY_HEAD + USUAL_MOST,
};

static inline uint8_t *store_head(uint8_t *to, const ic_entity *e)
{
    rp_store16(to, e->tag.index);
    rp_store16(to + 2, e->tag.generation);
    rp_store64(to + 4, e->component_mask);
    rp_store64(to + 12, e->components.size);
    return to + ENTITY_HEAD;
}

static void put_entity(rp_writer *w, const ic_entity *e)
{
    uint8_t *to = rp_put_raw(w, ENTITY_HEAD + e->components.size);
    if (to)
        memcpy(store_head(to, e), e->components.data, e->components.size);
}

/* Components are short and so numerous that a call or loop for each of them is measurable. */
static inline uint8_t *store_usual(uint8_t *to, const ic_entity *e)
{
    const char *from = e->components.data;
    size_t size = e->components.size;
    to = store_head(to, e);
    for (size_t i = 0; i < 3; i++)
        memcpy(to + i * STEP, from + i * STEP, STEP);
    for (size_t i = 1; i <= 2; i++)
        memcpy(to + size - i * STEP, from + size - i * STEP, STEP);
    return to + size;
}

/* Complete blocks of SHA-256 only: these are hashed in place. */
static void hash_piece(ic_hasher *hasher)
{
    enum { BLOCK = 64 };
    rp_writer *w = &hasher->leaf;
    size_t left = w->size % BLOCK, whole = w->size - left;
    rp_sha256_update(hasher->sha, w->data, whole);
    memmove(w->data, w->data + whole, left);
    w->size = left;
}

/* Adds usual entities, starting at `i`, until the piece is full or one is not usual. */
static uint32_t put_usual(rp_writer *w, const ic_core *core, const ic_archetypes *groups,
                          uint32_t i)
{
    const ic_entity *entities = core->entities.items;
    const uint32_t *next = groups->next;
    uint8_t *to = w->data + w->size, *full = w->data + PIECE_SIZE;
    for (; i != IC_NO_ENTITY && to < full; i = next[i]) {
        if (entities[i].components.size - USUAL_LEAST > USUAL_MOST - USUAL_LEAST)
            break;
        to = store_usual(to, &entities[i]);
    }
    w->size = (size_t)(to - w->data);
    return i;
}

/* Hashes the content of the writer and the entities of a group; a rest stays in the writer. */
static void stream_entities(ic_hasher *hasher, const ic_core *core, const ic_archetypes *groups,
                            uint32_t i)
{
    const ic_entity *entities = core->entities.items;
    rp_writer *w = &hasher->leaf;
    while (i != IC_NO_ENTITY && rp_reserve(w, PIECE_ROOM)) {
        i = put_usual(w, core, groups, i);
        if (w->size < PIECE_SIZE && i != IC_NO_ENTITY) {
            put_entity(w, &entities[i]);
            i = groups->next[i];
        }
        if (w->size >= PIECE_SIZE)
            hash_piece(hasher);
    }
}

/* With `streams`, data may go to the hash in pieces; the writer keeps the rest. */
static void put_entities(ic_hasher *hasher, const ic_core *core, const ic_archetypes *groups,
                         const ic_group *group, bool streams)
{
    const ic_entity *entities = core->entities.items;
    rp_put_u64(&hasher->leaf, group->count);
    if (streams)
        stream_entities(hasher, core, groups, group->first);
    for (uint32_t i = group->first; !streams && i != IC_NO_ENTITY; i = groups->next[i])
        put_entity(&hasher->leaf, &entities[i]);
}

static void put_players(rp_writer *w, const reprise_ic_player_list *players)
{
    rp_put_u64(w, players->count);
    for (size_t i = 0; i < players->count; i++)
        rp_bincode_write(w, &ic_player_record, &players->items[i]);
}

static void put_core(rp_writer *w, const ic_core *core)
{
    rp_put_u64(w, core->tick);
    rp_put_u64(w, core->game_seed);
    rp_put(w, core->map_hash, sizeof core->map_hash);
}

static const ic_group *group_at(const ic_archetypes *groups, size_t index)
{
    bool inside = index >= LEADING_LEAVES && index - LEADING_LEAVES < groups->count;
    return inside ? &groups->of[index - LEADING_LEAVES] : NULL;
}

/* A leaf in hasher->leaf begins with its label, which ends at 5 + its size. */
static void put_label(ic_hasher *hasher, const ic_archetypes *groups, size_t index)
{
    static const char *const leading[LEADING_LEAVES] = {"core", "rng", "intern"};
    const ic_group *group = group_at(groups, index);
    if (group)
        begin_leaf(&hasher->leaf, "arch:", &group->name);
    else if (index < LEADING_LEAVES)
        begin_leaf(&hasher->leaf, leading[index], NULL);
    else
        begin_leaf(&hasher->leaf, index - LEADING_LEAVES == groups->count ? "players" : "map",
                   NULL);
}

static void put_data(ic_hasher *hasher, const ic_core *core, const ic_archetypes *groups,
                     size_t index, bool streams)
{
    rp_writer *w = &hasher->leaf;
    const ic_group *group = group_at(groups, index);
    if (group)
        put_entities(hasher, core, groups, group, streams);
    else if (index == 0)
        put_core(w, core);
    else if (index == 1)
        rp_bincode_write(w, &ic_rng_state_record, &core->rng_state);
    else if (index == 2)
        rp_bincode_write(w, &ic_intern_record, &core->intern_table);
    else if (index - LEADING_LEAVES == groups->count)
        put_players(w, &core->player_states);
    else
        rp_bincode_write(w, &ic_map_record, &core->map_state);
}

static rp_text leaf_label(const rp_writer *leaf)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(leaf->data, leaf->size, "leaf", &ignored);
    rp_skip(&r, 1, "prefix");
    size_t size = rp_u32(&r, "label");
    return (rp_text){.data = (const char *)rp_take(&r, size, "label"), .size = size};
}

static void pair(ic_hasher *hasher, const uint8_t *left, const uint8_t *right, uint8_t *ret)
{
    rp_sha256_update(hasher->sha, left, IC_HASH_SIZE);
    rp_sha256_update(hasher->sha, right, IC_HASH_SIZE);
    rp_sha256_final(hasher->sha, ret);
}

/* One level up, in place; an unpaired last node moves up unchanged. */
static size_t climb(ic_hasher *hasher, uint8_t (*nodes)[IC_HASH_SIZE], size_t count)
{
    for (size_t i = 0; i < count; i += 2) {
        if (i + 1 < count)
            pair(hasher, nodes[i], nodes[i + 1], nodes[i / 2]);
        else
            memmove(nodes[i / 2], nodes[i], IC_HASH_SIZE);
    }
    return (count + 1) / 2;
}

static uint8_t (*copy_hashes(ic_hasher *hasher, reprise_error *error))[IC_HASH_SIZE]
{
    uint8_t(*nodes)[IC_HASH_SIZE] = rp_arena_array(&hasher->arena, hasher->leaf_count, IC_HASH_SIZE,
                                                   error);
    for (size_t i = 0; nodes && i < hasher->leaf_count; i++)
        memcpy(nodes[i], hasher->leaves[i].hash, IC_HASH_SIZE);
    return nodes;
}

static reprise_status hash_groups(ic_hasher *hasher, const ic_core *core,
                                  const ic_archetypes *groups, uint8_t ret[IC_HASH_SIZE],
                                  reprise_error *error)
{
    hasher->leaf.error = error;
    hasher->leaf_count = groups->count + LEADING_LEAVES + TRAILING_LEAVES;
    hasher->leaves = rp_arena_array(&hasher->arena, hasher->leaf_count, sizeof(ic_leaf), error);
    if (!hasher->leaves)
        return error->status;
    for (size_t i = 0; i < hasher->leaf_count; i++) {
        ic_leaf *leaf = &hasher->leaves[i];
        put_label(hasher, groups, i);
        RP_TRY(error->status);
        rp_text label = leaf_label(&hasher->leaf);
        leaf->label = (rp_text){rp_arena_text(&hasher->arena, label.data, label.size, error),
                                label.size};
        put_data(hasher, core, groups, i, true);
        ic_digest(hasher, hasher->leaf.data, hasher->leaf.size, leaf->hash);
        RP_TRY(error->status);
    }
    uint8_t(*nodes)[IC_HASH_SIZE] = copy_hashes(hasher, error);
    RP_TRY(error->status);
    for (size_t count = hasher->leaf_count; count > 1;)
        count = climb(hasher, nodes, count);
    memcpy(ret, nodes[0], IC_HASH_SIZE);
    return REPRISE_OK;
}

reprise_status ic_state_hash_grouped(ic_hasher *hasher, const ic_core *core,
                                     const ic_archetypes *groups, uint8_t ret[IC_HASH_SIZE],
                                     reprise_error *error)
{
    rp_arena_reset(&hasher->arena);
    return hash_groups(hasher, core, groups, ret, error);
}

reprise_status ic_state_hash(ic_hasher *hasher, const ic_core *core, uint8_t ret[IC_HASH_SIZE],
                             reprise_error *error)
{
    ic_archetypes groups;
    RP_TRY(collect(hasher, core, &groups, error));
    return hash_groups(hasher, core, &groups, ret, error);
}

reprise_status ic_leaf_data(ic_hasher *hasher, const ic_core *core, size_t index, rp_text *ret_data,
                            reprise_error *error)
{
    ic_archetypes groups;
    hasher->leaf.error = error;
    RP_TRY(collect(hasher, core, &groups, error));
    put_label(hasher, &groups, index);
    put_data(hasher, core, &groups, index, false);
    RP_TRY(error->status);
    size_t head = 5 + leaf_label(&hasher->leaf).size;
    *ret_data = (rp_text){(const char *)hasher->leaf.data + head, hasher->leaf.size - head};
    return REPRISE_OK;
}

reprise_status ic_leaf_path(ic_hasher *hasher, size_t index, rp_list *ret_siblings,
                            reprise_error *error)
{
    enum { LEVELS_MAX = 64 };
    uint8_t(*nodes)[IC_HASH_SIZE] = copy_hashes(hasher, error);
    ic_hash *path = rp_arena_array(&hasher->arena, LEVELS_MAX, sizeof *path, error);
    if (!nodes || !path)
        return error->status;
    size_t steps = 0;
    for (size_t count = hasher->leaf_count; count > 1; index /= 2) {
        size_t partner = index ^ 1;
        if (partner < count)
            memcpy(path[steps++].value, nodes[partner], IC_HASH_SIZE);
        count = climb(hasher, nodes, count);
    }
    *ret_siblings = (rp_list){path, steps};
    return REPRISE_OK;
}

bool ic_proof_root(ic_hasher *hasher, const ic_proof *proof, uint8_t ret_leaf[IC_HASH_SIZE],
                   uint8_t ret_root[IC_HASH_SIZE])
{
    uint8_t head[5] = {0}, node[IC_HASH_SIZE];
    rp_store32(head + 1, (uint32_t)proof->leaf_label.size);
    rp_sha256_update(hasher->sha, head, sizeof head);
    rp_sha256_update(hasher->sha, proof->leaf_label.data, proof->leaf_label.size);
    rp_sha256_update(hasher->sha, proof->leaf_data.data, proof->leaf_data.size);
    rp_sha256_final(hasher->sha, node);
    memcpy(ret_leaf, node, sizeof node);
    const ic_hash *path = proof->siblings.items;
    size_t index = proof->leaf_index, count = proof->leaf_count, used = 0;
    if (index >= count)
        return false;
    for (; count > 1; index /= 2, count = (count + 1) / 2) {
        if ((index ^ 1) >= count)
            continue;
        if (used == proof->siblings.count)
            return false;
        const uint8_t *sibling = path[used++].value;
        if (index & 1)
            pair(hasher, sibling, node, node);
        else
            pair(hasher, node, sibling, node);
    }
    memcpy(ret_root, node, sizeof node);
    return used == proof->siblings.count;
}

/* ---- the chain ---- */

void ic_chain_message(const ic_tick_signature *entry, const uint8_t link[IC_HASH_SIZE],
                      uint8_t ret[IC_CHAIN_MESSAGE])
{
    rp_store32(ret, entry->skipped_ticks);
    rp_store64(ret + 4, entry->tick);
    memcpy(ret + 12, entry->state_hash, IC_HASH_SIZE);
    memcpy(ret + 12 + IC_HASH_SIZE, link, IC_HASH_SIZE);
}

void ic_chain_advance(ic_hasher *hasher, const ic_tick_signature *entry, uint8_t link[IC_HASH_SIZE])
{
    uint8_t message[IC_CHAIN_MESSAGE];
    ic_chain_message(entry, link, message);
    rp_sha256_update(hasher->sha, link, IC_HASH_SIZE);
    rp_sha256_update(hasher->sha, message, IC_CHAIN_MESSAGE - IC_HASH_SIZE);
    rp_sha256_final(hasher->sha, link);
}
