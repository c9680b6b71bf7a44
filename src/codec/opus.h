/*
 * opus.h - writes Opus packets to an Ogg file (RFC 7845), which any player can open.
 *
 * Packets are copied, never decoded. Gaps are filled with packets that make the decoder conceal a
 * loss, as the RFC requires for streams with gaps.
 */
#ifndef RP_OPUS_H
#define RP_OPUS_H

#include "writer.h"

enum { RP_OPUS_RATE = 48000, RP_OPUS_PACKET_MAX = 5760 }; /* samples: 120 ms */

typedef struct rp_opus {
    rp_writer *to;
    uint32_t table[256]; /* of the checksum */
    uint32_t serial, page;
    uint64_t samples;      /* written so far, including those a player skips at the start */
    uint64_t page_samples; /* at the end of the last page */
    size_t body_size;
    uint8_t segments[255];
    unsigned segment_count;
    uint8_t toc; /* of the last packet */
    uint8_t body[255 * 255];
} rp_opus;

/* Returns how many samples a packet has, or 0 if it is not a valid packet. */
unsigned rp_opus_packet_samples(const void *data, size_t size);

/* Writes the two header pages. `serial` identifies the stream. */
void rp_opus_begin(rp_opus *opus, rp_writer *to, uint32_t serial, bool stereo);
/* Appends a packet for which rp_opus_packet_samples is not 0. */
void rp_opus_put(rp_opus *opus, const void *data, size_t size);
/* Appends silence up to position `samples`, less at most 20 ms. */
void rp_opus_skip(rp_opus *opus, uint64_t samples);
/* Returns the number of samples since the start, as a player counts them. */
uint64_t rp_opus_position(const rp_opus *opus);
void rp_opus_end(rp_opus *opus);

#endif
