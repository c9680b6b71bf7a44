/* foreign.c - see foreign.h. */
#include "foreign.h"

#include <stdlib.h>
#include <string.h>

#include "checked.h"

enum { ENTRIES_AT_ONCE = 4096 };

void rp_foreign_init(rp_foreign *foreign, rp_context *context)
{
    *foreign = (rp_foreign){.context = context,
                            .disorder = INT64_MAX,
                            .enough = ENTRIES_AT_ONCE,
                            .frame_most = INT64_MIN};
    rp_arena_init(&foreign->arena, context);
    for (size_t i = 0; i < RP_COUNT(foreign->held); i++)
        rp_arena_init(&foreign->held[i], context);
}

static void drop_entries(rp_foreign *foreign)
{
    rp_free(foreign->context, foreign->entries, foreign->entry_capacity * sizeof *foreign->entries);
    foreign->entries = NULL;
    foreign->entry_count = foreign->entry_capacity = 0;
}

void rp_foreign_reset(rp_foreign *foreign)
{
    drop_entries(foreign);
    rp_vector_free(foreign->context, &foreign->delays, sizeof(rp_foreign_delay));
    rp_vector_free(foreign->context, &foreign->sums, sizeof(rp_foreign_sum));
    rp_vector_free(foreign->context, &foreign->views, sizeof(rp_foreign_view));
    rp_vector_free(foreign->context, &foreign->texts, sizeof(rp_foreign_text));
    rp_arena_free(&foreign->arena);
    for (size_t i = 0; i < RP_COUNT(foreign->held); i++)
        rp_arena_free(&foreign->held[i]);
}

static rp_foreign_entry *add(rp_foreign *foreign, int64_t frame, double time, reprise_error *error)
{
    if (foreign->entry_count == foreign->entry_capacity) {
        size_t old = foreign->entry_capacity, capacity = old ? old * 2 : 256;
        rp_foreign_entry *entries = rp_realloc(foreign->context, foreign->entries,
                                               old * sizeof *entries, capacity * sizeof *entries,
                                               error);
        if (!entries)
            return NULL;
        foreign->entries = entries;
        foreign->entry_capacity = capacity;
    }
    foreign->frame_most = RP_MAX(foreign->frame_most, frame);
    rp_foreign_entry *entry = &foreign->entries[foreign->entry_count++];
    *entry = (rp_foreign_entry){.frame = frame, .time = time};
    return entry;
}

/* Copies bytes; there may be none. */
static void *copy(rp_arena *arena, const void *from, size_t size, reprise_error *error)
{
    void *to = from ? rp_arena_alloc(arena, RP_MAX(size, 1), error) : NULL;
    if (to && size)
        memcpy(to, from, size);
    return to;
}

/* Copies what an order points to; the bytes it was read from only if they are kept. */
static void copy_order(rp_foreign *foreign, reprise_foreign_order *order, reprise_error *error)
{
    rp_arena *arena = foreign->show ? &foreign->held[0] : &foreign->arena;
    order->name = copy(arena, order->name, order->name ? strlen(order->name) + 1 : 0, error);
    order->item = copy(arena, order->item, order->item ? strlen(order->item) + 1 : 0, error);
    order->units = copy(arena, order->units, order->unit_count * sizeof *order->units, error);
    order->raw = foreign->show ? NULL : copy(arena, order->raw, order->raw_size, error);
}

/* ---- showing ---- */

/* Keeps the entries from `first` on, with their texts in the other arena. */
static reprise_status keep_from(rp_foreign *foreign, size_t first, reprise_error *error)
{
    rp_arena used = foreign->held[0];
    foreign->held[0] = foreign->held[1];
    foreign->held[1] = used;
    foreign->entry_count -= first;
    memmove(foreign->entries, foreign->entries + first,
            foreign->entry_count * sizeof *foreign->entries);
    for (size_t i = 0; i < foreign->entry_count; i++)
        copy_order(foreign, &foreign->entries[i].order, error);
    rp_arena_reset(&foreign->held[1]);
    return error->status;
}

static size_t show_entries(rp_foreign *foreign, int64_t before)
{
    const rp_foreign_entry *entries = foreign->entries;
    size_t i = 0, next;
    for (; i < foreign->entry_count && entries[i].frame < before; i = next) {
        for (next = i + 1; next < foreign->entry_count && entries[next].frame == entries[i].frame;)
            next++;
        if (!foreign->unwanted)
            foreign->unwanted = !foreign->show->frame(foreign->show->ctx, entries + i, next - i);
    }
    return i;
}

static int by_frame(const void *a, const void *b)
{
    const rp_foreign_sum *x = a, *y = b;
    if (x->frame != y->frame)
        return x->frame < y->frame ? -1 : 1;
    return (x->time > y->time) - (x->time < y->time);
}

static void show_sums(rp_foreign *foreign, int64_t before)
{
    rp_foreign_sum *sums = foreign->sums.items;
    size_t count = foreign->sums.count, i = 0, next;
    if (count)
        qsort(sums, count, sizeof *sums, by_frame);
    for (; i < count && sums[i].frame < before; i = next) {
        for (next = i + 1; next < count && sums[next].frame == sums[i].frame;)
            next++;
        foreign->show->sums(foreign->show->ctx, sums + i, next - i);
    }
    foreign->sums.count -= i;
    if (i)
        memmove(sums, sums + i, foreign->sums.count * sizeof *sums);
}

static reprise_status sort(rp_foreign *foreign, reprise_error *error);

/* Shows all frames before one that may still get entries. */
static reprise_status show_before(rp_foreign *foreign, int64_t before, reprise_error *error)
{
    RP_TRY(sort(foreign, error));
    size_t shown = show_entries(foreign, before);
    if (shown)
        RP_TRY(keep_from(foreign, shown, error));
    show_sums(foreign, before);
    foreign->show->rest(foreign->show->ctx);
    /* Looked at again when there are twice as many, so that disorder costs no more than sorting. */
    foreign->enough = RP_MAX(2 * RP_MAX(foreign->entry_count, foreign->sums.count),
                             ENTRIES_AT_ONCE);
    return REPRISE_OK;
}

static reprise_status show_if_enough(rp_foreign *foreign, reprise_error *error)
{
    bool due = foreign->entry_count >= foreign->enough || foreign->sums.count >= foreign->enough;
    if (!foreign->show || !due || foreign->disorder == INT64_MAX)
        return REPRISE_OK;
    return show_before(foreign, foreign->frame_most - foreign->disorder, error);
}

/* ---- adding ---- */

static reprise_status add_order(rp_foreign *foreign, int64_t frame, double time,
                                const reprise_foreign_order *order, bool is_action,
                                reprise_error *error)
{
    rp_foreign_entry *entry = add(foreign, frame, time, error);
    if (!entry)
        return error->status;
    entry->is_action = is_action;
    entry->order = *order;
    copy_order(foreign, &entry->order, error);
    RP_TRY(error->status);
    return show_if_enough(foreign, error);
}

reprise_status rp_foreign_add(rp_foreign *foreign, int64_t frame, double time,
                              const reprise_foreign_order *order, reprise_error *error)
{
    return add_order(foreign, frame, time, order, false, error);
}

reprise_status rp_foreign_add_action(rp_foreign *foreign, int64_t frame, double time,
                                     const reprise_foreign_order *order, reprise_error *error)
{
    return add_order(foreign, frame, time, order, true, error);
}

reprise_status rp_foreign_add_hash(rp_foreign *foreign, int64_t frame, double time, uint64_t hash,
                                   reprise_error *error)
{
    /* Every client sends one, and only the first is used. A frame is there after that, so the
       others can be left out unless each entry is shown. */
    if (!foreign->show && foreign->hash_added && foreign->hash_frame == frame)
        return REPRISE_OK;
    foreign->hash_added = true;
    foreign->hash_frame = frame;
    rp_foreign_entry *entry = add(foreign, frame, time, error);
    if (!entry)
        return error->status;
    entry->is_hash = true;
    entry->hash = hash;
    return show_if_enough(foreign, error);
}

reprise_status rp_foreign_add_delay(rp_foreign *foreign, double time, uint8_t player,
                                    double seconds, reprise_error *error)
{
    if (player == REPRISE_FOREIGN_NOBODY || !foreign->show)
        return REPRISE_OK;
    rp_foreign_delay *to = rp_vector_add(foreign->context, &foreign->delays, sizeof *to, error);
    if (to)
        *to = (rp_foreign_delay){.time = time, .player = player, .seconds = (float)seconds};
    return error->status;
}

reprise_status rp_foreign_add_sum(rp_foreign *foreign, const rp_foreign_sum *sum,
                                  reprise_error *error)
{
    if (!foreign->show)
        return REPRISE_OK;
    rp_foreign_sum *to = rp_vector_add(foreign->context, &foreign->sums, sizeof *to, error);
    if (!to)
        return error->status;
    *to = *sum;
    foreign->frame_most = RP_MAX(foreign->frame_most, sum->frame);
    return show_if_enough(foreign, error);
}

reprise_status rp_foreign_add_view(rp_foreign *foreign, const rp_foreign_view *view,
                                   reprise_error *error)
{
    if (!foreign->show)
        return REPRISE_OK;
    rp_foreign_view *to = rp_vector_add(foreign->context, &foreign->views, sizeof *to, error);
    if (to)
        *to = *view;
    return error->status;
}

reprise_status rp_foreign_add_text(rp_foreign *foreign, const char *path, const void *text,
                                   size_t size, reprise_error *error)
{
    rp_foreign_text *to = rp_vector_add(foreign->context, &foreign->texts, sizeof *to, error);
    if (!to)
        return error->status;
    to->path = rp_arena_text(&foreign->arena, path, strlen(path), error);
    to->text = (reprise_text){rp_arena_text(&foreign->arena, text, size, error), size};
    return error->status;
}

const reprise_text *rp_foreign_text_of(const rp_foreign *foreign, const char *path)
{
    const rp_foreign_text *texts = foreign->texts.items;
    for (size_t i = 0; i < foreign->texts.count; i++) {
        if (strcmp(texts[i].path, path) == 0)
            return &texts[i].text;
    }
    return NULL;
}

/* Bottom-up merge sort of places: stable, and linear if the entries are nearly in order. */
static void merge(const rp_foreign_entry *entries, const uint32_t *from, size_t middle, size_t end,
                  uint32_t *to)
{
    size_t a = 0, b = middle, n = 0;
    while (a < middle && b < end)
        to[n++] = entries[from[b]].frame < entries[from[a]].frame ? from[b++] : from[a++];
    while (a < middle)
        to[n++] = from[a++];
    while (b < end)
        to[n++] = from[b++];
}

/* Sorts the places of entries, which begin as 0, 1, 2 ...; the result is in one of the two arrays.
 */
static uint32_t *sort_places(const rp_foreign_entry *entries, size_t count, uint32_t *from,
                             uint32_t *to)
{
    for (size_t i = 0; i < count; i++)
        from[i] = (uint32_t)i;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t at = 0; at < count; at += 2 * run)
            merge(entries, from + at, RP_MIN(run, count - at), RP_MIN(2 * run, count - at),
                  to + at);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Brings entry places[i] to place i, one cycle after the other. */
static void arrange(rp_foreign_entry *entries, size_t count, uint32_t *places)
{
    for (size_t start = 0; start < count; start++) {
        rp_foreign_entry first = entries[start];
        size_t at = start;
        while (places[at] != start) {
            size_t next = places[at];
            entries[at] = entries[next];
            places[at] = (uint32_t)at;
            at = next;
        }
        entries[at] = first;
        places[at] = (uint32_t)at;
    }
}

/* An entry takes as much as 34 places do, so the places are sorted and not the entries. */
static reprise_status sort(rp_foreign *foreign, reprise_error *error)
{
    size_t count = foreign->entry_count, size = 2 * count * sizeof(uint32_t);
    bool sorted = true;
    for (size_t i = 1; i < count && sorted; i++)
        sorted = foreign->entries[i - 1].frame <= foreign->entries[i].frame;
    if (sorted)
        return REPRISE_OK;
    RP_TRY(rp_limit(count, UINT32_MAX, "number of orders", "4294967295", error));
    uint32_t *places = rp_alloc(foreign->context, size, error);
    if (!places)
        return error->status;
    arrange(foreign->entries, count, sort_places(foreign->entries, count, places, places + count));
    rp_free(foreign->context, places, size);
    return REPRISE_OK;
}

reprise_status rp_foreign_finish(rp_foreign *foreign, reprise_error *error)
{
    if (foreign->show)
        return show_before(foreign, INT64_MAX, error);
    RP_TRY(sort(foreign, error));
    size_t count = foreign->entry_count, frames = 0, orders = 0;
    for (size_t i = 0; i < count; i++) {
        frames += i == 0 || foreign->entries[i].frame != foreign->entries[i - 1].frame;
        orders += !foreign->entries[i].is_hash;
    }
    foreign->frames = rp_arena_array(&foreign->arena, frames, sizeof *foreign->frames, error);
    reprise_foreign_order *flat = rp_arena_array(&foreign->arena, orders, sizeof *flat, error);
    RP_TRY(error->status);
    reprise_foreign_frame *frame = NULL;
    for (size_t i = 0; i < count; i++) {
        const rp_foreign_entry *entry = &foreign->entries[i];
        if (!frame || frame->number != entry->frame) {
            frame = &foreign->frames[foreign->frame_count++];
            *frame = (reprise_foreign_frame){
                .number = entry->frame, .time = entry->time, .orders = flat};
        }
        if (!entry->is_hash) {
            *flat++ = entry->order;
            frame->order_count++;
        } else if (!frame->has_hash) {
            frame->has_hash = true;
            frame->hash = entry->hash;
        }
    }
    drop_entries(foreign);
    return REPRISE_OK;
}

const char *rp_foreign_kind_name(reprise_foreign_kind kind)
{
    static const char *const names[REPRISE_FOREIGN_KINDS] = {
        "Unknown",
        "Move",
        "Attack",
        "Deploy",
        "Produce",
        "Sell",
        "PlaceBuilding",
        "SetRallyPoint",
        "Stop",
        "Chat",
        "Surrender",
        "Stance",
        "Repair",
        "PowerToggle",
        "SupportPower",
        "CancelProduction",
        "PauseProduction",
        "Guard",
        "Enter",
        "Harvest",
        "Group",
        "Beacon",
        "Pause",
        "PrimaryBuilding",
        "Disconnect",
    };
    return (unsigned)kind < REPRISE_FOREIGN_KINDS ? names[kind] : NULL;
}

bool rp_foreign_names_unit(reprise_foreign_kind kind)
{
    return kind == REPRISE_FOREIGN_PRODUCE || kind == REPRISE_FOREIGN_PLACE_BUILDING ||
           kind == REPRISE_FOREIGN_CANCEL_PRODUCTION || kind == REPRISE_FOREIGN_PAUSE_PRODUCTION;
}

const char *rp_item_class_name(rp_item_class which)
{
    static const char *const names[RP_ITEM_CLASSES] = {"economy", "technology", "defence", "army"};
    return names[which];
}

const rp_item *rp_foreign_item(const rp_foreign *foreign, const reprise_foreign_order *order)
{
    bool named = foreign->item && foreign->mod && order->item && rp_foreign_names_unit(order->kind);
    return named ? foreign->item(foreign->mod, order->item) : NULL;
}

const char *rp_foreign_item_name(const rp_foreign *foreign, const reprise_foreign_order *order)
{
    const rp_item *item = rp_foreign_item(foreign, order);
    return item && item->name ? item->name : order->item;
}
