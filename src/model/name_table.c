/* name_table.c - see name_table.h. */
#include "name_table.h"

#include <limits.h>
#include <stdio.h>

enum { SLOTS_MIN = 64 }; /* a power of two, as every number of slots is */

static size_t slot_of(const rp_name_table *table, int64_t number)
{
    uint64_t hash = (uint64_t)number * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 32) & (table->slots - 1);
    while (table->indices[at] >= 0 && table->numbers[at] != number)
        at = (at + 1) & (table->slots - 1);
    return at;
}

static void free_slots(rp_context *context, int64_t *numbers, int32_t *indices, size_t slots)
{
    rp_free(context, numbers, slots * sizeof *numbers);
    rp_free(context, indices, slots * sizeof *indices);
}

static bool grow(rp_name_table *table)
{
    rp_name_table old = *table;
    size_t slots = old.slots ? old.slots * 2 : SLOTS_MIN;
    int64_t *numbers = rp_alloc_zero(table->context, slots, sizeof *numbers, table->error);
    int32_t *indices = rp_alloc_zero(table->context, slots, sizeof *indices, table->error);
    if (!numbers || !indices) {
        free_slots(table->context, numbers, indices, slots);
        return false;
    }
    memset(indices, 0xFF, slots * sizeof *indices);
    table->numbers = numbers;
    table->indices = indices;
    table->slots = slots;
    for (size_t i = 0; i < old.slots; i++) {
        if (old.indices[i] < 0)
            continue;
        size_t at = slot_of(table, old.numbers[i]);
        numbers[at] = old.numbers[i];
        indices[at] = old.indices[i];
    }
    free_slots(table->context, old.numbers, old.indices, old.slots);
    return true;
}

/* Lets a number have the text with this index. */
static bool add_number(rp_name_table *table, int64_t number, size_t index)
{
    if (table->used * 2 >= table->slots && !grow(table))
        return false;
    size_t at = slot_of(table, number);
    if (table->indices[at] >= 0)
        return true; /* the first of two names of a number is the one that rows show */
    table->numbers[at] = number;
    table->indices[at] = (int32_t)index;
    table->used++;
    if ((uint64_t)number < RP_NAMES_SMALL)
        table->small[number] = (int32_t)index;
    return true;
}

static size_t add_text(rp_name_table *table, const char *text)
{
    rp_put_text(&table->texts, text);
    int32_t end = (int32_t)table->texts.size;
    rp_put(&table->offsets, &end, sizeof end);
    return table->count++;
}

/* Two numbers may have the same name, a dictionary has no text twice. */
static size_t text_index(rp_name_table *table, const reprise_name *names, size_t at,
                         const int32_t *indices)
{
    for (size_t i = 0; i < at; i++) {
        if (strcmp(names[i].name, names[at].name) == 0)
            return (size_t)indices[i];
    }
    return add_text(table, names[at].name);
}

void rp_name_table_init(rp_name_table *table, rp_context *context, const reprise_name *names,
                        size_t name_count, bool is_unsigned, reprise_error *error)
{
    *table = (rp_name_table){.context = context, .error = error, .is_unsigned = is_unsigned};
    rp_writer_init(&table->offsets, context, INT32_MAX, error);
    rp_writer_init(&table->texts, context, INT32_MAX, error);
    memset(table->small, 0xFF, sizeof table->small);
    int32_t zero = 0;
    rp_put(&table->offsets, &zero, sizeof zero);
    int32_t *indices = rp_alloc_zero(context, name_count, sizeof *indices, error);
    for (size_t i = 0; indices && i < name_count; i++) {
        indices[i] = (int32_t)text_index(table, names, i, indices);
        if (!add_number(table, names[i].number, (size_t)indices[i]))
            break;
    }
    rp_free(context, indices, name_count * sizeof *indices);
}

void rp_name_table_free(rp_name_table *table)
{
    rp_writer_free(&table->offsets);
    rp_writer_free(&table->texts);
    free_slots(table->context, table->numbers, table->indices, table->slots);
    table->numbers = NULL;
    table->indices = NULL;
}

int32_t rp_name_table_index(rp_name_table *table, int64_t number)
{
    if (!table->slots && !grow(table))
        return 0;
    size_t at = slot_of(table, number);
    if (table->indices[at] >= 0)
        return table->indices[at];
    char text[32];
    if (table->is_unsigned)
        snprintf(text, sizeof text, "#%llu", (unsigned long long)number);
    else
        snprintf(text, sizeof text, "#%lld", (long long)number);
    size_t index = add_text(table, text);
    return add_number(table, number, index) && rp_writer_ok(&table->texts) ? (int32_t)index : 0;
}
