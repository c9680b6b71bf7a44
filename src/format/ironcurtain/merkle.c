/*
 * merkle.c - the StateHash: one leaf per part of a state, paired upwards to a root (6.6), proofs
 * about single leaves, and the links of the signature chain (9).
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

/* Entities of one archetype: a list through `next`, in snapshot order. */
typedef struct group {
    rp_text name;
    uint32_t first, last, count;
} group;

typedef struct parts {
    const ic_core *core;
    group *groups;
    size_t group_count;
    uint32_t *next; /* per entity */
    bool streams;   /* data of a leaf may go to the hash in pieces */
} parts;

#define NO_ENTITY UINT32_MAX
enum { LEADING_LEAVES = 3, TRAILING_LEAVES = 2 };

static int compare_names(const rp_text *a, const rp_text *b)
{
    size_t size = RP_MIN(a->size, b->size);
    int order = size ? memcmp(a->data, b->data, size) : 0;
    return order ? order : a->size < b->size ? -1 : a->size > b->size;
}

/* Heap sort: archetypes may be as many as entities, and files are hostile. */
static void sift(group *groups, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && compare_names(&groups[child].name, &groups[child + 1].name) < 0)
            child++;
        if (compare_names(&groups[at].name, &groups[child].name) >= 0)
            return;
        group swap = groups[at];
        groups[at] = groups[child];
        groups[child] = swap;
    }
}

static void sort_groups(group *groups, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift(groups, i, count);
    for (size_t end = count; end-- > 1;) {
        group swap = groups[0];
        groups[0] = groups[end];
        groups[end] = swap;
        sift(groups, 0, end);
    }
}

/* The archetype is the first number of an entity's components: it was checked to be there. */
static uint32_t archetype_of(const ic_entity *entity)
{
    rp_cursor c = rp_cursor_at(entity->components.data, entity->components.size);
    const uint8_t *number = rp_cursor_take(&c, 4);
    return number ? rp_load32(number) : UINT32_MAX;
}

static reprise_status collect(ic_hasher *hasher, const ic_core *core, parts *ret,
                              reprise_error *error)
{
    const ic_entity *entities = core->entities.items;
    const ic_text *names = core->intern_table.entries.items;
    size_t name_count = core->intern_table.entries.count, count = core->entities.count;
    rp_arena_reset(&hasher->arena);
    uint32_t *group_of = rp_arena_array(&hasher->arena, name_count, sizeof *group_of, error);
    parts p = {
        .core = core,
        .groups = rp_arena_array(&hasher->arena, RP_MIN(count, name_count), sizeof(group), error),
        .next = rp_arena_array(&hasher->arena, count, sizeof(uint32_t), error)};
    RP_TRY(error->status);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t name = archetype_of(&entities[i]);
        if (name >= name_count)
            return rp_error_set(error, REPRISE_E_CORRUPT, "entity %u: archetype is not interned",
                                entities[i].tag.index);
        if (!group_of[name]) {
            p.groups[p.group_count++] = (group){.name = names[name].value, .first = i};
            group_of[name] = (uint32_t)p.group_count;
        } else {
            p.next[p.groups[group_of[name] - 1].last] = i;
        }
        p.groups[group_of[name] - 1].last = i;
        p.groups[group_of[name] - 1].count++;
        p.next[i] = NO_ENTITY;
    }
    sort_groups(p.groups, p.group_count);
    *ret = p;
    return REPRISE_OK;
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

/* A piece that stays in the fastest cache between being put together and being hashed. */
static void put_entities(ic_hasher *hasher, const parts *p, const group *g)
{
    enum { ENTITY_HEAD = 20, PIECE_SIZE = 1 << 13 };
    rp_writer *w = &hasher->leaf;
    const ic_entity *entities = p->core->entities.items;
    rp_put_u64(w, g->count);
    for (uint32_t i = g->first; i != NO_ENTITY; i = p->next[i]) {
        const ic_entity *e = &entities[i];
        uint8_t *to = rp_put_raw(w, ENTITY_HEAD + e->components.size);
        if (!to)
            return;
        rp_store16(to, e->tag.index);
        rp_store16(to + 2, e->tag.generation);
        rp_store64(to + 4, e->component_mask);
        rp_store64(to + 12, e->components.size);
        memcpy(to + ENTITY_HEAD, e->components.data, e->components.size);
        if (p->streams && w->size >= PIECE_SIZE) {
            rp_sha256_update(hasher->sha, w->data, w->size);
            rp_writer_clear(w);
        }
    }
}

static void put_players(rp_writer *w, const rp_list *players)
{
    rp_put_u64(w, players->count);
    for (size_t i = 0; i < players->count; i++)
        rp_bincode_write(w, &ic_player_record, (const ic_player *)players->items + i);
}

static void put_core(rp_writer *w, const ic_core *core)
{
    rp_put_u64(w, core->tick);
    rp_put_u64(w, core->game_seed);
    rp_put(w, core->map_hash, sizeof core->map_hash);
}

static const group *group_at(const parts *p, size_t index)
{
    bool inside = index >= LEADING_LEAVES && index - LEADING_LEAVES < p->group_count;
    return inside ? &p->groups[index - LEADING_LEAVES] : NULL;
}

/* Leaf number `index` in hasher->leaf begins with its label, which ends at 5 + its size. */
static void put_label(ic_hasher *hasher, const parts *p, size_t index)
{
    static const char *const leading[LEADING_LEAVES] = {"core", "rng", "intern"};
    const group *g = group_at(p, index);
    if (g)
        begin_leaf(&hasher->leaf, "arch:", &g->name);
    else if (index < LEADING_LEAVES)
        begin_leaf(&hasher->leaf, leading[index], NULL);
    else
        begin_leaf(&hasher->leaf, index - LEADING_LEAVES == p->group_count ? "players" : "map",
                   NULL);
}

static void put_data(ic_hasher *hasher, const parts *p, size_t index)
{
    rp_writer *w = &hasher->leaf;
    const ic_core *core = p->core;
    const group *g = group_at(p, index);
    if (g)
        put_entities(hasher, p, g);
    else if (index == 0)
        put_core(w, core);
    else if (index == 1)
        rp_bincode_write(w, &ic_rng_state_record, &core->rng_state);
    else if (index == 2)
        rp_bincode_write(w, &ic_intern_record, &core->intern_table);
    else if (index - LEADING_LEAVES == p->group_count)
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

reprise_status ic_state_hash(ic_hasher *hasher, const ic_core *core, uint8_t ret[IC_HASH_SIZE],
                             reprise_error *error)
{
    parts p;
    hasher->leaf.error = error;
    RP_TRY(collect(hasher, core, &p, error));
    p.streams = true;
    hasher->leaf_count = p.group_count + LEADING_LEAVES + TRAILING_LEAVES;
    hasher->leaves = rp_arena_array(&hasher->arena, hasher->leaf_count, sizeof(ic_leaf), error);
    for (size_t i = 0; hasher->leaves && i < hasher->leaf_count; i++) {
        ic_leaf *leaf = &hasher->leaves[i];
        put_label(hasher, &p, i);
        RP_TRY(error->status);
        rp_text label = leaf_label(&hasher->leaf);
        leaf->label = (rp_text){rp_arena_text(&hasher->arena, label.data, label.size, error),
                                label.size};
        put_data(hasher, &p, i);
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

reprise_status ic_leaf_data(ic_hasher *hasher, const ic_core *core, size_t index, rp_text *ret_data,
                            reprise_error *error)
{
    parts p;
    hasher->leaf.error = error;
    RP_TRY(collect(hasher, core, &p, error));
    put_label(hasher, &p, index);
    put_data(hasher, &p, index);
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
