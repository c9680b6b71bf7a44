/*
 * edit.c - plans how an OpenRA replay is written again: what another dialect cannot hold, and where
 * it is cut. redact.c removes private data.
 */
#include "write.h"

#include "miniyaml.h"

static void add_count(rp_plan *plan, reprise_value *list, const char *what, uint64_t count)
{
    rp_push(&plan->doc, list,
            rp_new_format(&plan->doc, "%s: %llu", what, (unsigned long long)count));
}

static bool removes(const rp_plan *plan, uint32_t what)
{
    return (plan->edit.remove & what) != 0;
}

/* ---- before anything is written ---- */

static void survey_sync(ora_own *o, const ora_replay *replay, const rp_row *row)
{
    const ora_sync *sync = row->data;
    if (replay->dialect == o->to)
        return;
    o->losses[ORA_LOSS_DEFEAT] += !o->to->defeat && sync->defeat;
    o->losses[ORA_LOSS_SYNC_LIST] += sync->hashes.count > 1;
}

typedef struct surveyor {
    rp_plan *plan;
    ora_own *own;
} surveyor;

static reprise_status survey_row(void *ctx, const rp_row *row, reprise_error *error)
{
    rp_plan *plan = ((surveyor *)ctx)->plan;
    ora_own *o = ((surveyor *)ctx)->own;
    const ora_replay *replay = (const ora_replay *)plan->source;
    if (row->track == ORA_SYNCS) {
        survey_sync(o, replay, row);
        return REPRISE_OK;
    }
    if (row->track == ORA_PACKETS) {
        o->damaged += ((const ora_packet *)row->data)->damaged;
        return REPRISE_OK;
    }
    const ora_order *order = row->data;
    o->chats += ora_is_removed(plan, row);
    if (plan->edit.remove)
        ora_survey_order(plan, o, order);
    if (replay->dialect == o->to)
        return error->status;
    ora_order changed = *order;
    uint64_t present = row->present;
    uint32_t lost = ora_downgrade_order(replay->dialect, o->to, &changed, &present);
    for (unsigned i = 0; i < ORA_LOSS_COUNT; i++)
        o->losses[i] += lost >> i & 1;
    return error->status;
}

static reprise_status survey(rp_plan *plan, ora_own *o, reprise_error *error)
{
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_ORDERS | UINT64_C(1) << ORA_SYNCS |
                                        UINT64_C(1) << ORA_PACKETS};
    return rp_each_row(plan->source, selection, survey_row, &(surveyor){plan, o}, error);
}

static reprise_status parse_header(rp_plan *plan, rp_writer *text, reprise_error *error)
{
    return rp_yaml_document(&plan->doc, &plan->source->context->limits, (const char *)text->data,
                            text->size, "metadata", &plan->header) == REPRISE_OK
               ? REPRISE_OK
               : error->status;
}

/* Removes private values from the metadata. */
static reprise_status clean_header(rp_plan *plan, ora_own *o, const rp_text *from,
                                   reprise_error *error)
{
    rp_writer text;
    rp_writer_init(&text, plan->source->context, SIZE_MAX / 2, error);
    ora_put_yaml(plan, &text, o, from, false);
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = parse_header(plan, &text, error);
    rp_writer_free(&text);
    if (status == REPRISE_OK && removes(plan, RP_PRIVATE_TIMES))
        ora_clear_times(plan);
    return status;
}

/*
 * A file that lost its trailer gets one made from its packets, unless nothing else changes: such a
 * file stays as it is, byte for byte.
 */
static reprise_status make_trailer(rp_plan *plan, ora_own *o, reprise_error *error)
{
    const ora_replay *replay = (const ora_replay *)plan->source;
    bool changes = o->to != replay->dialect || plan->edit.remove || plan->edit.trims;
    if (!changes && !plan->source->salvage)
        return REPRISE_OK;
    ora_match match = {replay->lobby, replay->mod, replay->version,
                       ora_frame_tick(replay, replay->frame_last)};
    plan->header = ora_make_trailer(&match, &plan->doc, o->to);
    rp_push(&plan->doc, plan->notes,
            rp_new_text(&plan->doc, "the trailer was reconstructed from the packets"));
    if (!plan->edit.remove)
        return error->status;
    rp_writer text;
    rp_writer_init(&text, plan->source->context, SIZE_MAX / 2, error);
    ora_yaml_write(&text, plan->header, 0);
    reprise_status status = error->status;
    if (status == REPRISE_OK)
        status = clean_header(plan, o, &(rp_text){(const char *)text.data, text.size}, error);
    rp_writer_free(&text);
    return status;
}

/*
 * The metadata of the result: kept or reconstructed, without private data, in the form of the
 * target dialect.
 */
static reprise_status make_header(rp_plan *plan, ora_own *o, reprise_error *error)
{
    const ora_replay *replay = (const ora_replay *)plan->source;
    rp_doc *doc = &plan->doc;
    plan->header = replay->header;
    if (!plan->header)
        RP_TRY(make_trailer(plan, o, error));
    else if (plan->edit.remove)
        RP_TRY(clean_header(plan, o, &replay->metadata, error));
    if (ora_colour_form(replay->dialect) == ora_colour_form(o->to))
        return REPRISE_OK;
    plan->header = plan->header ? rp_copy(doc, plan->header) : NULL;
    ora_convert_header(doc, o->to, plan->header);
    if (ora_colour_form(o->to) == ORA_COLOUR_HSL)
        rp_push(doc, plan->notes,
                rp_new_text(doc, "colours are the nearest that bytes of hue, saturation and "
                                 "lightness can hold"));
    return error->status;
}

static reprise_status check_edit(const rp_plan *plan, reprise_error *error)
{
    if (!plan->edit.trims || plan->edit.index_from <= 0)
        return REPRISE_OK;
    rp_error_set(error, REPRISE_E_UNSUPPORTED,
                 "a recording of orders must keep its first frame: only the end can be cut");
    rp_error_hint(error, "leave out the start of the range");
    return error->status;
}

static void list_losses(rp_plan *plan, const ora_own *o, bool same)
{
    for (size_t i = 0; i < ORA_LOSS_COUNT; i++) {
        if (o->losses[i])
            add_count(plan, plan->losses, ora_loss_names[i], o->losses[i]);
    }
    if (o->damaged && !same)
        add_count(plan, plan->losses, ora_loss_names[ORA_LOSS_DAMAGED], o->damaged);
    if (o->damaged && plan->edit.remove)
        add_count(plan, plan->notes, "packets dropped because they do not decode", o->damaged);
    if (o->chats)
        add_count(plan, plan->notes, "chat messages removed", o->chats);
}

/* ---- members of others ---- */

static bool is_readable(const rp_replay *source, size_t index)
{
    const rp_zip_entry *entry = rp_zip_entry_at(source->zip, index);
    return !rp_zip_is_damaged(source->zip) && !entry->encrypted &&
           (entry->method == 0 || entry->method == 8);
}

/* A second member "orders" would mislead readers that take the last one. */
static bool is_ours(const char *name)
{
    static const char *const names[] = {"metadata.yaml", "orders", "sync", "sync.bin"};
    for (size_t i = 0; i < RP_COUNT(names); i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

/* Other members of an archive are kept unless they may hold private data. */
static reprise_status carry_members(rp_plan *plan, reprise_error *error)
{
    const rp_replay *source = plan->source;
    bool zip = strcmp(plan->edit.layout, "zip") == 0;
    uint64_t lost = 0;
    plan->carried = rp_arena_array(&plan->arena, source->blob_count, sizeof *plan->carried, error);
    for (size_t i = 0; plan->carried && i < source->blob_count; i++) {
        const char *name = source->blobs[i].name;
        if (strcmp(source->blobs[i].kind, "other") != 0)
            continue;
        if (!zip)
            lost++;
        else if (removes(plan, RP_PRIVATE_CONTENT))
            rp_push(&plan->doc, plan->notes, rp_new_format(&plan->doc, "%s is dropped", name));
        else if (is_ours(name) || !is_readable(source, i))
            rp_push(&plan->doc, plan->dropped,
                    rp_new_format(&plan->doc, "%s, which is not part of the format", name));
        else
            plan->carried[plan->carried_count++] = (rp_carried){.name = name, .blob = (int64_t)i};
    }
    if (lost)
        add_count(plan, plan->losses, "archive members that are not part of the match", lost);
    return error->status;
}

/* Only archives can hold sums that are not in packets. */
static void survey_sums(rp_plan *plan, const ora_replay *replay)
{
    if (strcmp(plan->edit.layout, "zip") == 0 || !ora_has_list(replay))
        return;
    uint64_t size = rp_zip_entry_at(plan->source->zip, (size_t)replay->sync_entry)->size;
    if (size >= 8)
        add_count(plan, plan->losses, "sums over the world that are in no packet", size / 8);
}

reprise_status ora_plan(rp_plan *plan, reprise_error *error)
{
    ora_replay *replay = (ora_replay *)plan->source;
    RP_TRY(ora_settle_dialect(replay, error));
    RP_TRY(check_edit(plan, error));
    ora_own *o = rp_arena_alloc(&plan->arena, sizeof *o, error);
    if (!o)
        return error->status;
    plan->own = o;
    plan->edit.layout = rp_layout_to_write(plan->source, plan->edit.layout);
    o->to = ora_target_dialect(plan->edit.layout, replay);
    if (plan->edit.remove && replay->metadata.data)
        ora_survey_yaml(plan, o, &replay->metadata);
    RP_TRY(survey(plan, o, error));
    RP_TRY(make_header(plan, o, error));
    list_losses(plan, o, o->to == replay->dialect);
    survey_sums(plan, replay);
    return carry_members(plan, error);
}
