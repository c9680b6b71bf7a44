/* trust.c - codec.h: keys, signatures, embedding, proofs. */
#include "handle.h"
#include "ironcurtain/edit/write.h"
#include "ironcurtain/read/verify_moment.h"
#include "sign.h"
#include "verify.h"

static reprise_status replay_of(const reprise_replay *handle, ic_replay **ret_replay,
                                reprise_error *error)
{
    if (strcmp(handle->replay->format->name, "icrep") != 0)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s is not an Iron Curtain replay format",
                            handle->replay->format->name);
    RP_TRY(rp_refuse_cut(handle, error));
    *ret_replay = (ic_replay *)rp_use(handle);
    return REPRISE_OK;
}

typedef struct bytes_out {
    const rp_writer *bytes;
} bytes_out;

static reprise_status put_bytes(void *ctx, rp_sink *sink, reprise_error *error)
{
    const rp_writer *bytes = ((bytes_out *)ctx)->bytes;
    return rp_sink_write(sink, bytes->data, bytes->size, error);
}

typedef struct signing {
    ic_replay *replay;
    const uint8_t *secret;
    uint64_t cadence, size;
} signing;

/* A damaged file is not signed. */
static reprise_status put_signed(void *ctx, rp_sink *sink, reprise_error *error)
{
    signing *s = ctx;
    RP_TRY(ic_sign(s->replay, s->secret, s->cadence, sink, error));
    RP_TRY(rp_check(&s->replay->base, error));
    if (rp_replay_damage(&s->replay->base, error))
        return error->status;
    s->size = rp_sink_size(sink);
    return REPRISE_OK;
}

/* Starts a report with what every written file has. */
static reprise_value *begin_report(rp_doc *doc, const char *format, const char *layout,
                                   uint64_t size)
{
    reprise_value *report = rp_new_object(doc);
    rp_set_text(doc, report, "format", format);
    rp_set_text(doc, report, "layout", layout);
    rp_set_uint(doc, report, "size", size);
    return report;
}

reprise_status reprise_ic_sign(reprise_replay *handle, const uint8_t secret[32], uint64_t cadence,
                               const reprise_write_options *options,
                               const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle && secret);
    signing s = {.secret = secret, .cadence = cadence};
    uint8_t key[32];
    RP_TRY(replay_of(handle, &s.replay, error));
    RP_TRY(reprise_ic_public_key(secret, key, error));
    RP_TRY(rp_write_target(&handle->context, options, put_signed, &s, error));
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *report = begin_report(&doc, "icrep", "final", s.size);
    rp_set_uint(&doc, report, "cadence", cadence);
    rp_set(&doc, report, "public_key", rp_new_hex(&doc, key, sizeof key));
    if (ret_report)
        *ret_report = report;
    return error->status;
}

typedef struct embedder {
    ic_replay *replay;
    reprise_ic_embedding_mode mode;
    const reprise_ic_embedding *with;
    uint64_t size;
} embedder;

static reprise_status put_embedded(void *ctx, rp_sink *sink, reprise_error *error)
{
    embedder *e = ctx;
    RP_TRY(ic_embed(e->replay, e->mode, e->with, sink, error));
    RP_TRY(rp_check(&e->replay->base, error));
    e->size = rp_sink_size(sink);
    return REPRISE_OK;
}

reprise_status reprise_ic_embed(reprise_replay *handle, reprise_ic_embedding_mode mode,
                                const reprise_ic_embedding *with,
                                const reprise_write_options *options,
                                const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle);
    static const char *const names[] = {"Minimal", "MapEmbedded", "SelfContained"};
    reprise_ic_embedding all = {0};
    RP_TRY(rp_take_options(&all, sizeof all, with, error));
    embedder e = {.mode = mode, .with = &all};
    if ((size_t)mode >= RP_COUNT(names))
        return rp_error_set(error, REPRISE_E_USAGE, "embedding mode %d does not exist", (int)mode);
    RP_TRY(replay_of(handle, &e.replay, error));
    RP_TRY(rp_write_target(&handle->context, options, put_embedded, &e, error));
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *report = begin_report(&doc, "icrep", "final", e.size);
    bool referenced = mode != REPRISE_IC_MINIMAL && ic_map_is_referenced(&all);
    rp_set_text(&doc, report, "embedding",
                !referenced                       ? names[mode]
                : mode == REPRISE_IC_MAP_EMBEDDED ? names[REPRISE_IC_MINIMAL]
                                                  : "Other");
    if (referenced)
        rp_push(&doc, rp_set_array(&doc, report, "notes"),
                rp_new_format(&doc,
                              "the map has %zu bytes and was not embedded (limit: 1 MiB); the "
                              "replay refers to it by its hash",
                              all.map_size));
    if (ret_report)
        *ret_report = report;
    return error->status;
}

reprise_status reprise_ic_prove(reprise_replay *handle, uint64_t tick, const char *label,
                                const reprise_write_options *options,
                                const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle && label);
    ic_replay *replay = NULL;
    rp_writer out;
    RP_TRY(replay_of(handle, &replay, error));
    rp_writer_init(&out, &handle->context, UINT32_MAX, error);
    reprise_status status = ic_prove(replay, tick, label, &out, error);
    if (status == REPRISE_OK)
        status = rp_write_target(&handle->context, options, put_bytes, &(bytes_out){&out}, error);
    uint64_t size = out.size;
    rp_writer_free(&out);
    RP_TRY(status);
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *report = begin_report(&doc, "icproof", "profile1", size);
    rp_set_uint(&doc, report, "tick", tick);
    rp_set_text(&doc, report, "part", label);
    if (ret_report)
        *ret_report = report;
    return error->status;
}

reprise_status reprise_ic_verify_tick(reprise_replay *handle, uint64_t tick,
                                      const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle);
    ic_replay *replay = NULL;
    RP_TRY(replay_of(handle, &replay, error));
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *report = rp_new_object(&doc);
    RP_TRY(error->status);
    RP_TRY(ic_verify_moment(replay, tick, &doc, report, error));
    if (ret_report)
        *ret_report = report;
    return REPRISE_OK;
}

reprise_status reprise_ic_public_key(const uint8_t secret[32], uint8_t ret_public[32],
                                     reprise_error *error)
{
    RP_ENTER(error, secret && ret_public);
    rp_context context;
    rp_ed25519_key *key = NULL;
    uint8_t bytes[RP_ED25519_KEY];
    rp_context_init(&context, NULL);
    RP_TRY(rp_ed25519_key_private(&context, secret, &key, error));
    reprise_status status = rp_ed25519_key_public_bytes(key, bytes, error);
    rp_ed25519_key_free(key);
    if (status == REPRISE_OK)
        memcpy(ret_public, bytes, sizeof bytes);
    return status;
}

reprise_status reprise_ic_sign_message(const uint8_t secret[32], const void *message, size_t size,
                                       uint8_t ret_signature[64], reprise_error *error)
{
    RP_ENTER(error, secret && (message || !size) && ret_signature);
    rp_context context;
    rp_ed25519_key *key = NULL;
    uint8_t signature[RP_ED25519_SIGNATURE];
    rp_context_init(&context, NULL);
    RP_TRY(rp_ed25519_key_private(&context, secret, &key, error));
    reprise_status status = rp_ed25519_key_sign(key, message, size, signature, error);
    rp_ed25519_key_free(key);
    if (status == REPRISE_OK)
        memcpy(ret_signature, signature, sizeof signature);
    return status;
}

reprise_status reprise_ic_new_key(uint8_t ret_secret[32], uint8_t ret_public[32],
                                  reprise_error *error)
{
    RP_ENTER(error, ret_secret && ret_public);
    uint8_t secret[RP_ED25519_KEY];
    RP_TRY(rp_random(secret, sizeof secret, error));
    RP_TRY(reprise_ic_public_key(secret, ret_public, error));
    memcpy(ret_secret, secret, sizeof secret);
    return REPRISE_OK;
}
