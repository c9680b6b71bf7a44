/* sign.h - Ed25519 signatures (RFC 8032, pure) with OpenSSL, and random bytes. */
#ifndef RP_SIGN_H
#define RP_SIGN_H

#include "context.h"

enum { RP_ED25519_KEY = 32, RP_ED25519_SIGNATURE = 64 };

/*
 * A parsed key. Parsing takes a noticeable part of the time of a verification. Several threads may
 * use one at once.
 */
typedef struct rp_ed25519_key rp_ed25519_key;

/* Any 32 bytes are a valid secret key. Not all are a valid public key (REPRISE_E_SIGNATURE). */
reprise_status rp_ed25519_key_public(rp_context *context, const uint8_t bytes[RP_ED25519_KEY],
                                     rp_ed25519_key **ret_key, reprise_error *error);
reprise_status rp_ed25519_key_private(rp_context *context, const uint8_t bytes[RP_ED25519_KEY],
                                      rp_ed25519_key **ret_key, reprise_error *error);
void rp_ed25519_key_free(rp_ed25519_key *key);

/* Gets the public key of a secret key. */
reprise_status rp_ed25519_key_public_bytes(const rp_ed25519_key *key,
                                           uint8_t ret_bytes[RP_ED25519_KEY], reprise_error *error);

bool rp_ed25519_key_verify(const rp_ed25519_key *key, const uint8_t signature[RP_ED25519_SIGNATURE],
                           const void *message, size_t size);
reprise_status rp_ed25519_key_sign(const rp_ed25519_key *key, const void *message, size_t size,
                                   uint8_t ret_signature[RP_ED25519_SIGNATURE],
                                   reprise_error *error);

/* Fills in cryptographically secure random bytes, for new keys and ids. */
reprise_status rp_random(void *to, size_t size, reprise_error *error);

#endif
