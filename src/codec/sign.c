/* sign.c - see sign.h. */
#include "sign.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

struct rp_ed25519_key {
    rp_context *context;
    EVP_PKEY *key;
};

static reprise_status wrap(rp_context *context, EVP_PKEY *pkey, rp_ed25519_key **ret_key,
                           reprise_error *error)
{
    rp_ed25519_key *key = pkey ? rp_alloc_zero(context, 1, sizeof *key, error) : NULL;
    if (!key) {
        EVP_PKEY_free(pkey);
        return rp_error_set(error, REPRISE_E_SIGNATURE, "not a valid Ed25519 key");
    }
    *key = (rp_ed25519_key){.context = context, .key = pkey};
    *ret_key = key;
    return REPRISE_OK;
}

reprise_status rp_ed25519_key_public(rp_context *context, const uint8_t bytes[RP_ED25519_KEY],
                                     rp_ed25519_key **ret_key, reprise_error *error)
{
    return wrap(context, EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, bytes, RP_ED25519_KEY),
                ret_key, error);
}

reprise_status rp_ed25519_key_private(rp_context *context, const uint8_t bytes[RP_ED25519_KEY],
                                      rp_ed25519_key **ret_key, reprise_error *error)
{
    return wrap(context,
                EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, bytes, RP_ED25519_KEY),
                ret_key, error);
}

void rp_ed25519_key_free(rp_ed25519_key *key)
{
    if (!key)
        return;
    EVP_PKEY_free(key->key);
    rp_free(key->context, key, sizeof *key);
}

reprise_status rp_ed25519_key_public_bytes(const rp_ed25519_key *key,
                                           uint8_t ret_bytes[RP_ED25519_KEY], reprise_error *error)
{
    size_t size = RP_ED25519_KEY;
    if (!EVP_PKEY_get_raw_public_key(key->key, ret_bytes, &size))
        return rp_error_set(error, REPRISE_E_SIGNATURE, "cannot get the public key");
    return REPRISE_OK;
}

bool rp_ed25519_key_verify(const rp_ed25519_key *key, const uint8_t signature[RP_ED25519_SIGNATURE],
                           const void *message, size_t size)
{
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    bool valid = state && EVP_DigestVerifyInit(state, NULL, NULL, NULL, key->key) == 1 &&
                 EVP_DigestVerify(state, signature, RP_ED25519_SIGNATURE, message, size) == 1;
    EVP_MD_CTX_free(state);
    return valid;
}

reprise_status rp_ed25519_key_sign(const rp_ed25519_key *key, const void *message, size_t size,
                                   uint8_t ret_signature[RP_ED25519_SIGNATURE],
                                   reprise_error *error)
{
    size_t room = RP_ED25519_SIGNATURE;
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    bool done = state && EVP_DigestSignInit(state, NULL, NULL, NULL, key->key) == 1 &&
                EVP_DigestSign(state, ret_signature, &room, message, size) == 1;
    EVP_MD_CTX_free(state);
    return done ? REPRISE_OK
                : rp_error_set(error, REPRISE_E_SIGNATURE, "cannot sign with this key");
}

reprise_status rp_random(void *to, size_t size, reprise_error *error)
{
    if (size > INT_MAX || RAND_bytes(to, (int)size) != 1)
        return rp_error_set(error, REPRISE_E_IO, "cannot get random bytes from the system");
    return REPRISE_OK;
}
