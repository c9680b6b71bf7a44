/* bincode.c - serde's bincode 1.x with its default configuration; accepts canonical data only. */
#include "schema.h"
#include "utf8.h"

typedef struct state {
    rp_arena *arena;
    const rp_limits *limits;
    unsigned depth;
} state;

static void read_record(rp_reader *r, state *s, const rp_record *record, void *row);

static bool deeper(rp_reader *r, state *s, const char *what)
{
    if (s->depth < s->limits->depth_max) {
        s->depth++;
        return true;
    }
    rp_fail(r, REPRISE_E_LIMIT, what, "nested deeper than limit depth=%llu",
            (unsigned long long)s->limits->depth_max);
    return false;
}

/* Returns the minimum size of a record, for checking the count of a list. */
static size_t smallest(const rp_record *record);

static size_t smallest_field(const rp_field *field)
{
    switch (field->kind) {
    case RP_TEXT:
    case RP_BYTES:
    case RP_SEQ:
    case RP_MAP:
        return 8;
    case RP_OPT:
    case RP_BYTE:
        return 1;
    case RP_SUM:
    case RP_INT:
        return 4;
    case RP_ROT:
        return 16;
    case RP_REC:
        return smallest(field->sub);
    case RP_RAW:
        return field->tag;
    default:
        return rp_wire_size[field->kind];
    }
}

static size_t smallest(const rp_record *record)
{
    size_t size = 0;
    for (size_t i = 0; i < record->count; i++)
        size += smallest_field(&record->fields[i]);
    return size;
}

static void read_bool(rp_reader *r, const rp_field *field, bool *to)
{
    uint8_t value = rp_u8(r, field->name);
    if (value > 1)
        rp_fail(r, REPRISE_E_CORRUPT, field->name, "bool is %u", value);
    *to = value == 1;
}

/* Reads an enum without content. Numbers without a name are invalid. */
static void read_number(rp_reader *r, const rp_field *field, void *to)
{
    rp_value_read(r, field, to);
    const rp_enum *names = field->kind == RP_U32 ? rp_field_enum(field) : NULL;
    if (!names || !rp_ok(r))
        return;
    uint32_t number;
    memcpy(&number, to, sizeof number);
    if (!rp_enum_name(names, number))
        rp_fail(r, REPRISE_E_CORRUPT, field->name, "enum index %u out of range, there are %zu",
                number, names->count);
}

static void read_text(rp_reader *r, state *s, const rp_field *field, rp_text *to)
{
    uint64_t declared = rp_u64(r, field->name);
    size_t size = rp_text_size(r, declared, s->limits->string_bytes_max, field->name);
    const uint8_t *p = rp_take(r, size, field->name);
    if (!p || !rp_ok(r))
        return;
    if (field->kind == RP_TEXT && rp_utf8_valid((const char *)p, size) != size) {
        rp_fail(r, REPRISE_E_CORRUPT, field->name, "text is not UTF-8");
        return;
    }
    *to = (rp_text){.data = (const char *)p, .size = size};
}

static void read_list(rp_reader *r, state *s, const rp_field *field, rp_list *to)
{
    const rp_record *item = field->sub;
    size_t wire = smallest(item);
    uint64_t declared = rp_u64(r, field->name);
    /* With items of no bytes, any count would be plausible. */
    size_t count = rp_count(r, declared, wire ? wire : 1, s->limits->items_max, field->name);
    if (!rp_ok(r) || !deeper(r, s, field->name))
        return;
    char *items = rp_arena_array(s->arena, count, item->size, r->error);
    for (size_t i = 0; i < count && rp_ok(r); i++) {
        read_record(r, s, item, items + i * item->size);
        if (!rp_ok(r))
            rp_error_at(r->error, "%s[%zu]", field->name, i);
    }
    s->depth--;
    *to = (rp_list){.items = items, .count = count};
}

static int compare_keys(const rp_field *key, const void *a, const void *b)
{
    if (key->kind != RP_TEXT && key->kind != RP_BYTES) {
        uint64_t x = (uint64_t)rp_field_int(key, a), y = (uint64_t)rp_field_int(key, b);
        return x < y ? -1 : x > y;
    }
    return rp_text_order(rp_at_const(key, a), rp_at_const(key, b));
}

static int compare_items(const rp_record *item, const rp_list *map, size_t a, size_t b)
{
    const char *items = map->items;
    return compare_keys(&item->fields[0], items + a * item->size, items + b * item->size);
}

/* Returns the first item whose key is not greater than the one before, or the count. */
static size_t first_unsorted(const rp_record *item, const rp_list *map)
{
    size_t i = 1;
    while (i < map->count && compare_items(item, map, i - 1, i) < 0)
        i++;
    return RP_MIN(i, map->count);
}

static void swap_items(const rp_record *item, const rp_list *map, size_t a, size_t b)
{
    char *x = (char *)map->items + a * item->size, *y = (char *)map->items + b * item->size;
    for (size_t i = 0; i < item->size; i++) {
        char held = x[i];
        x[i] = y[i];
        y[i] = held;
    }
}

static void sift(const rp_record *item, const rp_list *map, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && compare_items(item, map, child, child + 1) < 0)
            child++;
        if (compare_items(item, map, at, child) >= 0)
            return;
        swap_items(item, map, at, child);
    }
}

/* Heap sort, because a hostile file must not be able to make sorting slow. */
static void sort_map(const rp_record *item, const rp_list *map)
{
    for (size_t i = map->count / 2; i-- > 0;)
        sift(item, map, i, map->count);
    for (size_t end = map->count; end-- > 1;) {
        swap_items(item, map, 0, end);
        sift(item, map, 0, end);
    }
}

/*
 * A sorted map has exactly one encoding. RP_ANY_ORDER allows writers with unsorted maps, which are
 * sorted here. Duplicate keys are always invalid.
 */
static void check_map(rp_reader *r, const rp_field *field, const rp_list *map)
{
    if (!rp_ok(r) || first_unsorted(field->sub, map) == map->count)
        return;
    if (field->tag == RP_ANY_ORDER)
        sort_map(field->sub, map);
    size_t bad = first_unsorted(field->sub, map);
    if (bad < map->count)
        rp_fail(r, REPRISE_E_CORRUPT, field->name, "map key %zu is not in increasing order", bad);
}

static void read_option(rp_reader *r, state *s, const rp_field *field, void **to)
{
    const rp_record *record = field->sub;
    uint8_t some = rp_u8(r, field->name);
    if (some > 1)
        rp_fail(r, REPRISE_E_CORRUPT, field->name, "option flag is %u", some);
    if (!rp_ok(r) || !some || !deeper(r, s, field->name))
        return;
    void *value = rp_arena_alloc(s->arena, record->size, r->error);
    if (value)
        read_record(r, s, record, value);
    s->depth--;
    *to = value;
}

static void read_choice(rp_reader *r, state *s, const rp_sum *sum, rp_choice *to)
{
    uint32_t variant = rp_u32(r, sum->name);
    if (!rp_ok(r))
        return;
    if (variant >= sum->count) {
        rp_fail(r, REPRISE_E_CORRUPT, sum->name, "enum index %u out of range, there are %u",
                variant, sum->count);
        return;
    }
    const rp_record *record = sum->variants[variant];
    void *value = NULL;
    if (record) {
        if (!deeper(r, s, sum->name))
            return;
        value = rp_arena_alloc(s->arena, record->size, r->error);
        if (value)
            read_record(r, s, record, value);
        s->depth--;
    }
    *to = (rp_choice){.variant = variant, .value = value};
}

static void read_field(rp_reader *r, state *s, const rp_field *field, void *to)
{
    switch (field->kind) {
    case RP_BOOL:
        read_bool(r, field, to);
        break;
    case RP_TEXT:
    case RP_BYTES:
        read_text(r, s, field, to);
        break;
    case RP_SEQ:
        read_list(r, s, field, to);
        break;
    case RP_MAP:
        read_list(r, s, field, to);
        check_map(r, field, to);
        break;
    case RP_OPT:
        read_option(r, s, field, to);
        break;
    case RP_SUM:
        read_choice(r, s, field->sub, to);
        break;
    case RP_REC:
        read_record(r, s, field->sub, to);
        break;
    case RP_RAW: {
        const uint8_t *p = rp_take(r, field->tag, field->name);
        if (p)
            memcpy(to, p, field->tag);
        break;
    }
    default:
        read_number(r, field, to);
    }
}

static void read_record(rp_reader *r, state *s, const rp_record *record, void *row)
{
    for (size_t i = 0; i < record->count && rp_ok(r); i++)
        read_field(r, s, &record->fields[i], rp_at(&record->fields[i], row));
}

void rp_bincode_read(rp_reader *r, rp_arena *arena, const rp_record *record, void *row)
{
    state s = {.arena = arena, .limits = &arena->context->limits};
    read_record(r, &s, record, row);
}

void rp_bincode_read_sum(rp_reader *r, rp_arena *arena, const rp_sum *sum, rp_choice *ret_choice)
{
    state s = {.arena = arena, .limits = &arena->context->limits};
    read_choice(r, &s, sum, ret_choice);
}

/* ---- writing ---- */

/* Rows come from programs too: a count without items would be read from nowhere. */
static bool has_items(rp_writer *w, const rp_record *item, const rp_list *list)
{
    if (list->items || !list->count)
        return true;
    (void)rp_error_set(w->error, REPRISE_E_USAGE, "a list of %zu %s records has no items",
                       list->count, item->name);
    return false;
}

static void write_list(rp_writer *w, const rp_record *item, const rp_list *list)
{
    if (!has_items(w, item, list))
        return;
    rp_put_u64(w, list->count);
    for (size_t i = 0; i < list->count; i++)
        rp_bincode_write(w, item, (const char *)list->items + i * item->size);
}

/* The caller's map may be in any order; on the wire it is sorted. */
static void write_map(rp_writer *w, const rp_field *field, const rp_list *map)
{
    const rp_record *item = field->sub;
    if (!has_items(w, item, map))
        return;
    if (field->tag != RP_ANY_ORDER || first_unsorted(item, map) == map->count) {
        write_list(w, item, map);
        return;
    }
    size_t size = map->count * item->size;
    rp_list copy = {rp_alloc(w->context, size, w->error), map->count};
    if (!copy.items)
        return;
    memcpy(copy.items, map->items, size);
    sort_map(item, &copy);
    write_list(w, item, &copy);
    rp_free(w->context, copy.items, size);
}

static void write_field(rp_writer *w, const rp_field *field, const void *from)
{
    switch (field->kind) {
    case RP_TEXT:
    case RP_BYTES: {
        const rp_text *text = from;
        if (text->size && !text->data) {
            (void)rp_error_set(w->error, REPRISE_E_USAGE, "%s has a size but no data", field->name);
            break;
        }
        rp_put_u64(w, text->size);
        rp_put(w, text->data, text->size);
        break;
    }
    case RP_SEQ:
        write_list(w, field->sub, from);
        break;
    case RP_MAP:
        write_map(w, field, from);
        break;
    case RP_OPT: {
        const void *value = *(void *const *)from;
        rp_put_u8(w, value != NULL);
        if (value)
            rp_bincode_write(w, field->sub, value);
        break;
    }
    case RP_SUM:
        rp_bincode_write_sum(w, field->sub, from);
        break;
    case RP_REC:
        rp_bincode_write(w, field->sub, from);
        break;
    case RP_RAW:
        rp_put(w, from, field->tag);
        break;
    default:
        rp_value_write(w, field, from);
    }
}

void rp_bincode_write(rp_writer *w, const rp_record *record, const void *row)
{
    for (size_t i = 0; i < record->count; i++)
        write_field(w, &record->fields[i], rp_at_const(&record->fields[i], row));
}

void rp_bincode_write_sum(rp_writer *w, const rp_sum *sum, const rp_choice *choice)
{
    const rp_record *record = choice->variant < sum->count ? sum->variants[choice->variant] : NULL;
    if (choice->variant >= sum->count || (record && !choice->value)) {
        (void)rp_error_set(w->error, REPRISE_E_USAGE, "%s %u does not exist or has no content",
                           sum->name, choice->variant);
        return;
    }
    rp_put_u32(w, choice->variant);
    if (record)
        rp_bincode_write(w, record, choice->value);
}
