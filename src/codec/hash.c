/* hash.c - SHA-256 and SHA-1 from OpenSSL. */
#include "hash.h"

#include <openssl/evp.h>
#include <string.h>

#include "checked.h"

struct rp_sha256 {
    rp_context *context;
    EVP_MD *kind; /* fetched once, because that takes longer than a short digest */
    EVP_MD_CTX *state;
    bool failed;
};

reprise_status rp_sha256_new(rp_context *context, rp_sha256 **ret_hash, reprise_error *error)
{
    rp_sha256 *hash = rp_alloc_zero(context, 1, sizeof *hash, error);
    if (!hash)
        return error->status;
    hash->context = context;
    hash->kind = EVP_MD_fetch(NULL, "SHA256", NULL);
    hash->state = EVP_MD_CTX_new();
    if (!hash->kind || !hash->state || !EVP_DigestInit_ex2(hash->state, hash->kind, NULL)) {
        rp_sha256_free(hash);
        return rp_error_set(error, REPRISE_E_NOMEM, "SHA-256 is not available");
    }
    *ret_hash = hash;
    return REPRISE_OK;
}

void rp_sha256_update(rp_sha256 *hash, const void *data, size_t size)
{
    if (!EVP_DigestUpdate(hash->state, data, size))
        hash->failed = true;
}

void rp_sha256_final(rp_sha256 *hash, uint8_t digest[RP_SHA256_SIZE])
{
    if (!EVP_DigestFinal_ex(hash->state, digest, NULL) || hash->failed)
        memset(digest, 0, RP_SHA256_SIZE);
    hash->failed = !EVP_DigestInit_ex2(hash->state, NULL, NULL);
}

void rp_sha256_free(rp_sha256 *hash)
{
    if (!hash)
        return;
    EVP_MD_CTX_free(hash->state);
    EVP_MD_free(hash->kind);
    rp_free(hash->context, hash, sizeof *hash);
}

reprise_status rp_sha256_source(rp_context *context, rp_source *source,
                                uint8_t ret_digest[RP_SHA256_SIZE], reprise_error *error)
{
    uint8_t piece[8192];
    uint64_t size = rp_source_size(source);
    rp_sha256 *sha = NULL;
    reprise_status status = rp_sha256_new(context, &sha, error);
    for (uint64_t at = 0; at < size && status == REPRISE_OK;) {
        size_t n = (size_t)RP_MIN((uint64_t)sizeof piece, size - at);
        status = rp_source_read(source, at, piece, n, error);
        if (status == REPRISE_OK)
            rp_sha256_update(sha, piece, n);
        at += n;
    }
    if (status == REPRISE_OK)
        rp_sha256_final(sha, ret_digest);
    rp_sha256_free(sha);
    return status;
}

void rp_sha1(const rp_text *pieces, size_t count, uint8_t ret_digest[RP_SHA1_SIZE])
{
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    bool ok = state && EVP_DigestInit_ex(state, EVP_sha1(), NULL);
    for (size_t i = 0; i < count && ok; i++)
        ok = EVP_DigestUpdate(state, pieces[i].data, pieces[i].size);
    if (!ok || !EVP_DigestFinal_ex(state, ret_digest, NULL))
        memset(ret_digest, 0, RP_SHA1_SIZE);
    EVP_MD_CTX_free(state);
}
