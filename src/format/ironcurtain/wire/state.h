/*
 * state.h - decoding, checking and hashing states of the simulation, and deltas between them
 * (specification, 6).
 *
 * Nothing here knows about files. Decoded structs point into the bytes they were decoded from; new
 * values live in the arena given.
 */
#ifndef IRONCURTAIN_WIRE_STATE_H
#define IRONCURTAIN_WIRE_STATE_H

#include "hash.h"
#include "wire.h"

enum {
    IC_ENTITIES_MAX = 50000,
    IC_PLAYERS_MAX = 64,
    IC_STRINGS_MAX = 65536,
    IC_WORLD_INDEX = 0xFFFF, /* tag of the delta that carries the random number state */
    IC_COMPONENT_COUNT = 12,
    IC_HASH_SIZE = RP_SHA256_SIZE,
};

typedef reprise_ic_components ic_components;

#define IC_HAS(mask, component) ((mask) >> IC_BIT_##component & 1)

/* The bytes of each component of an entity; absent ones have no data. */
typedef struct ic_spans {
    rp_text of[IC_COMPONENT_COUNT];
} ic_spans;
extern const uint8_t ic_component_bits[IC_COMPONENT_COUNT];
extern const rp_record *const ic_component_records[IC_COMPONENT_COUNT];
extern const char *const ic_component_names[IC_COMPONENT_COUNT];

/* Decodes the components in `mask`; trailing bytes or unknown bits are failures. */
void ic_components_read(rp_reader *r, rp_arena *arena, uint64_t mask, ic_components *ret);
/* The same without keeping the targets of navigation. */
void ic_components_look(rp_reader *r, rp_arena *arena, uint64_t mask, ic_components *ret);
/* Appends the bytes of components; the inverse of ic_components_read. */
void ic_components_put(rp_writer *w, const ic_components *components);
/* The same in an arena. */
rp_text ic_components_write(rp_arena *arena, const ic_components *components, reprise_error *error);
void ic_components_split(rp_reader *r, rp_arena *arena, uint64_t mask, ic_spans *ret);

/* ---- entities by archetype ---- */

#define IC_NO_ENTITY UINT32_MAX

/* A list through `next` of the groups, in snapshot order. */
typedef struct ic_group {
    rp_text name;
    uint32_t first, last, count;
} ic_group;

/*
 * The entities of a state grouped by archetype, as they are hashed. They are added one by one while
 * they are decoded; at the end the groups are in order of name.
 */
typedef struct ic_archetypes {
    ic_group *of;
    size_t count, name_count;
    const ic_text *names;
    uint32_t *of_name; /* per name: the number of its group plus 1 */
    uint32_t *next;    /* per entity */
    uint32_t
        unnamed; /* the first entity whose archetype is not in the intern table, or IC_NO_ENTITY */
} ic_archetypes;

/* All memory comes from the arena. */
reprise_status ic_archetypes_init(ic_archetypes *groups, const ic_intern *table, size_t entities,
                                  rp_arena *arena, reprise_error *error);
void ic_archetypes_open(ic_archetypes *groups, uint32_t name, uint32_t entity);
void ic_archetypes_end(ic_archetypes *groups);

/* Adds the next entity; the archetype is the first number of its components. */
static inline void ic_archetypes_add(ic_archetypes *groups, const ic_entity *entity,
                                     uint32_t number)
{
    rp_cursor c = rp_cursor_at(entity->components.data, entity->components.size);
    const uint8_t *first = rp_cursor_take(&c, 4);
    uint32_t name = first ? rp_load32(first) : UINT32_MAX;
    uint32_t at = name < groups->name_count ? groups->of_name[name] : 0;
    if (!at) {
        ic_archetypes_open(groups, name, number);
        return;
    }
    ic_group *group = &groups->of[at - 1];
    groups->next[group->last] = number;
    group->last = number;
    group->count++;
}

/* What follows the core of a state: campaign and scripts. */
typedef struct ic_rest {
    rp_text bytes;     /* as stored */
    bool unknown;      /* not of the types of this profile; `why` says where */
    bool unsorted;     /* a map of the campaign is not sorted */
    reprise_error why; /* REPRISE_E_UNSUPPORTED once it was classified */
} ic_rest;

/*
 * Decode the core first. If what follows is of unknown types, it is kept as bytes, and the core is
 * valid if its hash is the recorded one. Return false with the reader's error set if the core
 * cannot be decoded. Rules are not checked.
 */
bool ic_snapshot_read_open(rp_reader *r, rp_arena *arena, ic_snapshot *ret,
                           ic_archetypes *ret_groups, ic_rest *ret_rest);
bool ic_delta_read_open(rp_reader *r, rp_arena *arena, ic_delta *ret, ic_rest *ret_rest);
/*
 * Re-encodes a snapshot or delta that was not stored in the canonical form, if all types are known.
 */
reprise_status ic_state_normalise(bool is_full, rp_writer *raw, reprise_error *error);

/*
 * Decode a complete piece: trailing bytes are a failure. Snapshots are checked by the rules of the
 * profile, deltas when they are applied. Return false with the reader's error set.
 */
bool ic_snapshot_read(rp_reader *r, rp_arena *arena, ic_snapshot *ret);
/* The same, with the entities grouped by archetype for hashing. */
bool ic_snapshot_read_grouped(rp_reader *r, rp_arena *arena, ic_snapshot *ret,
                              ic_archetypes *ret_groups);
bool ic_delta_read(rp_reader *r, rp_arena *arena, ic_delta *ret);

/* The order of cells in a state: by z, y and x. Negative if a is before b. */
int ic_cell_order(const ic_cell *a, const ic_cell *b);
/* Checks the rules of 6.2 and 6.3. `arena` is for temporary data. */
reprise_status ic_core_check(const ic_core *core, rp_arena *arena, reprise_error *error);

/* ---- deltas ---- */

/* Applies a delta to its baseline and checks the result. */
reprise_status ic_delta_apply(const ic_core *base, const uint8_t base_hash[IC_HASH_SIZE],
                              const ic_core_delta *delta, rp_arena *arena, ic_core *ret_core,
                              reprise_error *error);
/*
 * Builds the delta that turns `base` into `core`: complete components and fields, nothing
 * unchanged.
 */
reprise_status ic_delta_build(const ic_core *base, const uint8_t base_hash[IC_HASH_SIZE],
                              const ic_core *core, rp_arena *arena, ic_core_delta *ret_delta,
                              reprise_error *error);

/* ---- hashes ---- */

typedef struct ic_leaf {
    rp_text label;
    uint8_t hash[IC_HASH_SIZE];
} ic_leaf;

/* Reusable memory for hashing. */
typedef struct ic_hasher {
    rp_context *context;
    rp_sha256 *sha;
    rp_writer leaf; /* one leaf: 0x00, label, data */
    rp_arena arena;
    ic_leaf *leaves; /* of the last state, in the arena */
    size_t leaf_count;
} ic_hasher;

reprise_status ic_hasher_init(ic_hasher *hasher, rp_context *context, reprise_error *error);
void ic_hasher_free(ic_hasher *hasher);

/* SHA-256 of some bytes. */
void ic_digest(ic_hasher *hasher, const void *data, size_t size, uint8_t ret[IC_HASH_SIZE]);
/* The state hash of a checked state; `leaves` then holds its parts. */
reprise_status ic_state_hash(ic_hasher *hasher, const ic_core *core, uint8_t ret[IC_HASH_SIZE],
                             reprise_error *error);
reprise_status ic_state_hash_grouped(ic_hasher *hasher, const ic_core *core,
                                     const ic_archetypes *groups, uint8_t ret[IC_HASH_SIZE],
                                     reprise_error *error);
/* The data of one leaf of a state, in hasher->leaf after the label. */
reprise_status ic_leaf_data(ic_hasher *hasher, const ic_core *core, size_t index, rp_text *ret_data,
                            reprise_error *error);
/* The Merkle path of a leaf of the state hashed last, in the hasher's arena. */
reprise_status ic_leaf_path(ic_hasher *hasher, size_t index, rp_list *ret_siblings,
                            reprise_error *error);
/* The root computed from a proof's leaf and path; false if path and counts do not match. */
bool ic_proof_root(ic_hasher *hasher, const ic_proof *proof, uint8_t ret_leaf[IC_HASH_SIZE],
                   uint8_t ret_root[IC_HASH_SIZE]);

static inline uint64_t ic_sync_hash(const uint8_t hash[IC_HASH_SIZE])
{
    return rp_load64(hash);
}

/* ---- the signature chain (specification, 9) ---- */

enum { IC_CHAIN_MESSAGE = 76 };
/* The signed bytes of an entry; `link` is that of the previous entry. */
void ic_chain_message(const ic_tick_signature *entry, const uint8_t link[IC_HASH_SIZE],
                      uint8_t ret[IC_CHAIN_MESSAGE]);
/* Advances `link` from the previous entry's to this entry's. */
void ic_chain_advance(ic_hasher *hasher, const ic_tick_signature *entry,
                      uint8_t link[IC_HASH_SIZE]);

/*
 * SplitMix64: advances the state and returns the next number. The first four numbers of a match's
 * seed are the initial state of its random number generator.
 */
static inline uint64_t ic_split_mix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

#endif
