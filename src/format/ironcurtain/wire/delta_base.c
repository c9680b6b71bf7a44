/* delta_base.c - see delta_base.h. */
#include "delta_base.h"

#include "ironcurtain/ironcurtain.h"

enum { BUFFERS = 6 };

static void buffers_of(ic_delta_base *b, rp_writer *ret[BUFFERS])
{
    rp_writer *const all[BUFFERS] = {&b->full.bytes, &b->next.bytes,    &b->campaign,
                                     &b->script,     &b->next_campaign, &b->next_script};
    memcpy(ret, all, sizeof all);
}

reprise_status ic_delta_base_init(ic_delta_base *b, rp_context *context, reprise_error *error)
{
    rp_writer *buffers[BUFFERS];
    *b = (ic_delta_base){0};
    buffers_of(b, buffers);
    for (size_t i = 0; i < BUFFERS; i++)
        rp_writer_init(buffers[i], context, IC_UNIT_MAX, error);
    rp_arena_init(&b->scratch, context);
    rp_arena_init(&b->full.arena, context);
    rp_arena_init(&b->next.arena, context);
    return ic_hasher_init(&b->hasher, context, error);
}

void ic_delta_base_free(ic_delta_base *b)
{
    rp_writer *buffers[BUFFERS];
    if (!b->scratch.context)
        return;
    buffers_of(b, buffers);
    for (size_t i = 0; i < BUFFERS; i++)
        rp_writer_free(buffers[i]);
    rp_arena_free(&b->scratch);
    rp_arena_free(&b->full.arena);
    rp_arena_free(&b->next.arena);
    ic_hasher_free(&b->hasher);
    b->scratch.context = NULL;
}

static reprise_status encode_full(ic_delta_base *b, const ic_snapshot *snapshot, rp_writer *out,
                                  reprise_error *error)
{
    ic_full_state *next = &b->next;
    rp_writer_clear(&next->bytes);
    rp_arena_reset(&next->arena);
    rp_bincode_write(&next->bytes, &ic_snapshot_record, snapshot);
    RP_TRY(error->status);
    rp_reader r = rp_reader_of(next->bytes.data, next->bytes.size, "snapshot", error);
    if (!ic_snapshot_read(&r, &next->arena, &next->snapshot))
        return error->status;
    RP_TRY(ic_state_hash(&b->hasher, &next->snapshot.core, next->hash, error));
    rp_put(out, next->bytes.data, next->bytes.size);
    return error->status;
}

static reprise_status encode_delta(ic_delta_base *b, const ic_snapshot *snapshot, ic_delta *delta,
                                   rp_writer *out, reprise_error *error)
{
    rp_arena_reset(&b->scratch);
    RP_TRY(ic_core_check(&snapshot->core, &b->scratch, error));
    RP_TRY(ic_delta_build(&b->full.snapshot.core, b->full.hash, &snapshot->core, &b->scratch,
                          &delta->core, error));
    rp_bincode_write(out, &ic_delta_record, delta);
    return error->status;
}

/* Campaign and script state are stored if they differ from the last ones stored. */
static void *if_changed(const rp_writer *last, rp_writer *now, const rp_record *record, void *value)
{
    rp_writer_clear(now);
    if (value)
        rp_bincode_write(now, record, value);
    bool same = now->size == last->size &&
                (!now->size || memcmp(now->data, last->data, now->size) == 0);
    return same ? NULL : value;
}

reprise_status ic_delta_base_encode(ic_delta_base *b, const ic_snapshot *snapshot, bool is_full,
                                    rp_writer *out, reprise_error *error)
{
    rp_writer *buffers[BUFFERS];
    buffers_of(b, buffers);
    for (size_t i = 0; i < BUFFERS; i++)
        buffers[i]->error = error;
    out->error = error;
    if (!is_full && !b->known)
        return rp_error_set(error, REPRISE_E_USAGE, "the first keyframe must be a full one");
    b->next_is_full = is_full;
    ic_delta delta = {
        .campaign_state = if_changed(&b->campaign, &b->next_campaign, &ic_campaign_record,
                                     snapshot->campaign_state),
        .script_state = if_changed(&b->script, &b->next_script, &ic_script_record,
                                   snapshot->script_state),
    };
    RP_TRY(error->status);
    return is_full ? encode_full(b, snapshot, out, error)
                   : encode_delta(b, snapshot, &delta, out, error);
}

static void swap_writers(rp_writer *a, rp_writer *b)
{
    rp_writer held = *a;
    *a = *b;
    *b = held;
}

void ic_delta_base_accept(ic_delta_base *b)
{
    swap_writers(&b->campaign, &b->next_campaign);
    swap_writers(&b->script, &b->next_script);
    if (!b->next_is_full)
        return;
    ic_full_state held = b->full;
    b->full = b->next;
    b->next = held;
    b->known = true;
}
