/*
 * opus.h - Opus packets into an Ogg file (RFC 7845): what any player opens.
 *
 * Packets are copied, never decoded. Time that nobody spoke in is filled with packets that ask the
 * decoder to conceal a loss, as the RFC wants it for streams with gaps.
 */
#ifndef RP_OPUS_H
#define RP_OPUS_H

#include "writer.h"

enum { RP_OPUS_RATE = 48000, RP_OPUS_PACKET_MAX = 5760 }; /* samples: 120 ms */

typedef struct rp_opus {
    rp_writer *to;
    uint32_t table[256]; /* of the checksum */
    uint32_t serial, page;
    uint64_t samples;      /* written so far, with those a player skips at the start */
    uint64_t page_samples; /* at the end of the last page */
    size_t body_size;
    uint8_t segments[255];
    unsigned segment_count;
    uint8_t toc; /* of the last packet */
    uint8_t body[255 * 255];
} rp_opus;

/* How many samples a packet stands for; 0: it is none. */
unsigned rp_opus_packet_samples(const void *data, size_t size);

/* Writes the two header pages. `serial` tells streams apart; `stereo` is what players set up. */
void rp_opus_begin(rp_opus *opus, rp_writer *to, uint32_t serial, bool stereo);
/* A packet that rp_opus_packet_samples knows. */
void rp_opus_put(rp_opus *opus, const void *data, size_t size);
/* Silence, up to less than 20 ms short of so many samples. */
void rp_opus_skip(rp_opus *opus, uint64_t samples);
/* Samples since the start, as a player counts them. */
uint64_t rp_opus_position(const rp_opus *opus);
void rp_opus_end(rp_opus *opus);

#endif
