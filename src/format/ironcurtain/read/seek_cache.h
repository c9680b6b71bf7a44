/*
 * seek_cache.h - what earlier seeks have learned about a replay, so that the next one reads less.
 *
 * Events and signatures have no index in the file. The first seek reads them from the start and
 * leaves marks in the events and links in the chain; later ones begin at the last mark before their
 * tick. Nothing is skipped that was not read and checked once.
 *
 * The hash of a keyframe is remembered together with a checksum of the bytes of its state, which
 * are decoded each time, and compared with the recorded hash each time. Only valid signatures are
 * remembered, and their bytes stay in the chain that the cache owns.
 */
#ifndef IRONCURTAIN_READ_SEEK_CACHE_H
#define IRONCURTAIN_READ_SEEK_CACHE_H

#include "ironcurtain/container/chain.h"
#include "read.h"

enum { IC_EVENTS_PER_MARK = 32, IC_KNOWN_STATES = 1024 };

/* The start of an event. */
typedef struct ic_event_mark {
    uint64_t tick; /* of the event before it */
    size_t piece;  /* that it is in */
    size_t offset; /* in the decoded piece */
    uint64_t left; /* events from here to the end of the piece */
} ic_event_mark;

/* The hash that was computed for the state of a keyframe. */
typedef struct ic_known_state {
    size_t number;    /* of the keyframe, from 1; 0: none */
    uint32_t content; /* checksum of the bytes that the state was decoded from */
    uint8_t hash[IC_HASH_SIZE];
} ic_known_state;

typedef struct ic_seek_cache {
    rp_vector marks;  /* ic_event_mark, one for IC_EVENTS_PER_MARK events */
    rp_writer events; /* the decoded events, if they are in one piece that is not too large */
    bool has_events;
    ic_chain chain;
    bool has_chain;
    rp_vector links; /* [IC_HASH_SIZE]: before each entry of the chain, as far as computed */
    uint8_t *valid;  /* for each entry of the chain: 1 if its signature was found valid */
    ic_known_state states[IC_KNOWN_STATES]; /* keyframe i has place i % IC_KNOWN_STATES */
    bool knows_match;                       /* seed and map of the first keyframe, which is valid */
    uint64_t game_seed;
    uint8_t map_hash[IC_HASH_SIZE];
} ic_seek_cache;

/* NULL with the error set on failure. */
ic_seek_cache *ic_seek_cache_of(ic_replay *replay, reprise_error *error);

/* Before an event of a decoder that seeks is read: adds a mark where one is due. */
void ic_mark_event(ic_decoder *d);
/* Moves the events to the last mark before a tick. False: there is none. */
bool ic_find_event_mark(ic_decoder *d, uint64_t tick, ic_event_mark *ret_mark);

/* Loads the signature chain, which the cache owns. */
reprise_status ic_cached_chain(ic_replay *replay, const ic_chain **ret_chain, reprise_error *error);
/* Gives the link that precedes an entry of the chain. */
reprise_status ic_cached_link(ic_replay *replay, size_t entry, const uint8_t **ret_link,
                              reprise_error *error);
/*
 * The chain as the only signature record of a file, or NULL if the file has several or the chain
 * was not loaded.
 */
const ic_chain *ic_only_chain(const ic_replay *replay);

#endif
