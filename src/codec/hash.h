/* hash.h - checksums and digests. */
#ifndef RP_HASH_H
#define RP_HASH_H

#include "source.h"
#include "text.h"

enum { RP_SHA256_SIZE = 32 };

typedef struct rp_sha256 rp_sha256;
reprise_status rp_sha256_new(rp_context *context, rp_sha256 **ret_hash, reprise_error *error);
void rp_sha256_update(rp_sha256 *hash, const void *data, size_t size);
/*
 * Gives the digest and starts over. If OpenSSL failed, the digest is all zeros, which never equals
 * a recorded one.
 */
void rp_sha256_final(rp_sha256 *hash, uint8_t digest[RP_SHA256_SIZE]);
void rp_sha256_free(rp_sha256 *hash);
/* Hashes a complete source. */
reprise_status rp_sha256_source(rp_context *context, rp_source *source,
                                uint8_t ret_digest[RP_SHA256_SIZE], reprise_error *error);

enum { RP_SHA1_SIZE = 20 };
/* SHA-1 of several pieces in a row: a name for files, not a protection. All zeros on failure. */
void rp_sha1(const rp_text *pieces, size_t count, uint8_t ret_digest[RP_SHA1_SIZE]);

/* CRC-32 as in zip and gzip. Pass 0 first, then the previous result. */
uint32_t rp_crc32(uint32_t crc, const void *data, size_t size);

#endif
