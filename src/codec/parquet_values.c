/*
 * parquet_values.c - takes the values of one column out of a batch, with the levels that say where
 * in nested lists and structs they are.
 *
 * The way to a value is walked step by step for all rows at once. After each step every slot has
 * its levels and the place of its value, or none if the way ends there: at a null or an empty list.
 */
#include "parquet_parts.h"

#include "checked.h"

enum { NOWHERE = -1 };

enum { WRITERS = sizeof(rp_pq_scratch) / sizeof(rp_writer) };

/* The scratch memory is nothing but writers. */
static rp_writer *writer_at(rp_pq_scratch *scratch, size_t i)
{
    return (rp_writer *)scratch + i;
}

void rp_pq_scratch_init(rp_pq_scratch *scratch, rp_context *context, reprise_error *error)
{
    for (size_t i = 0; i < WRITERS; i++)
        rp_writer_init(writer_at(scratch, i), context, SIZE_MAX / 2, error);
}

void rp_pq_scratch_free(rp_pq_scratch *scratch)
{
    for (size_t i = 0; i < WRITERS; i++)
        rp_writer_free(writer_at(scratch, i));
}

/* Room for `count` values of `size` bytes from the start; NULL after a failure. */
static void *room(rp_writer *w, size_t count, size_t size)
{
    rp_writer_clear(w);
    return rp_put_raw(w, RP_MAX(count * size, 1));
}

/* ---- levels ---- */

typedef struct slots {
    size_t count;
    uint32_t *definitions, *repetitions;
    int32_t *places;
} slots;

static bool make_room(slots *s, rp_writer *d, rp_writer *r, rp_writer *p, size_t count)
{
    s->count = count;
    s->definitions = room(d, count, sizeof *s->definitions);
    s->repetitions = room(r, count, sizeof *s->repetitions);
    s->places = room(p, count, sizeof *s->places);
    return s->definitions && s->repetitions && s->places;
}

/* A null ends the way; what is there is one level deeper. */
static void step_over_nulls(slots *s, const uint8_t *validity)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->places[i] == NOWHERE)
            continue;
        if (rp_arrow_valid(validity, (size_t)s->places[i]))
            s->definitions[i]++;
        else
            s->places[i] = NOWHERE;
    }
}

static size_t item_count(const rp_pq_step *step, const int32_t *offsets, int32_t place)
{
    if (place == NOWHERE)
        return 0;
    return offsets ? (size_t)(offsets[place + 1] - offsets[place]) : step->width;
}

/* Every item of a list gets a slot; an empty list, or none, keeps its own. */
static void step_into_items(rp_pq_scratch *scratch, slots *s, const rp_pq_step *step,
                            const int32_t *offsets, uint32_t repetition)
{
    size_t total = 0;
    for (size_t i = 0; i < s->count; i++)
        total += RP_MAX(item_count(step, offsets, s->places[i]), 1);
    slots next;
    if (!make_room(&next, &scratch->next_definitions, &scratch->next_repetitions,
                   &scratch->next_places, total)) {
        s->count = 0;
        return;
    }
    size_t at = 0;
    for (size_t i = 0; i < s->count; i++) {
        int32_t place = s->places[i];
        size_t items = item_count(step, offsets, place);
        int32_t first = !items ? NOWHERE : offsets ? offsets[place] : place * (int32_t)step->width;
        for (size_t k = 0; k < RP_MAX(items, 1); k++, at++) {
            next.definitions[at] = s->definitions[i] + (items != 0);
            next.repetitions[at] = k ? repetition : s->repetitions[i];
            next.places[at] = items ? first + (int32_t)k : NOWHERE;
        }
    }
    rp_writer old[] = {scratch->definitions, scratch->repetitions, scratch->places};
    scratch->definitions = scratch->next_definitions;
    scratch->repetitions = scratch->next_repetitions;
    scratch->places = scratch->next_places;
    scratch->next_definitions = old[0];
    scratch->next_repetitions = old[1];
    scratch->next_places = old[2];
    *s = next;
}

/* Walks all steps; returns the array that the places are in. */
static const struct ArrowArray *walk(const rp_pq_column *column, const struct ArrowArray *batch,
                                     rp_pq_scratch *scratch, slots *s)
{
    size_t rows = (size_t)batch->length;
    if (!make_room(s, &scratch->definitions, &scratch->repetitions, &scratch->places, rows)) {
        s->count = 0;
        return NULL;
    }
    memset(s->definitions, 0, rows * sizeof *s->definitions);
    memset(s->repetitions, 0, rows * sizeof *s->repetitions);
    for (size_t i = 0; i < rows; i++)
        s->places[i] = (int32_t)i;
    uint32_t repetition = 0;
    const struct ArrowArray *array = batch;
    for (size_t i = 0; i < column->step_count; i++) {
        const rp_pq_step *step = &column->steps[i];
        array = array->children[step->child];
        if (step->nullable)
            step_over_nulls(s, array->buffers[0]);
        if (step->kind == RP_ARROW_LIST)
            step_into_items(scratch, s, step, array->buffers[1], ++repetition);
        else if (step->kind == RP_ARROW_FIXED_LIST)
            step_into_items(scratch, s, step, NULL, ++repetition);
    }
    return array;
}

/* ---- values ---- */

#define GATHER(from_type, to_type)                                     \
    do {                                                               \
        const from_type *from = values;                                \
        to_type *to = room(&scratch->numbers, count, sizeof(to_type)); \
        for (size_t i = 0; to && i < count; i++)                       \
            to[i] = (to_type)from[places ? (size_t)places[i] : i];     \
    } while (0)

static void gather_bytes(rp_pq_scratch *scratch, const uint8_t *values, const int32_t *places,
                         size_t count, size_t width)
{
    uint8_t *to = room(&scratch->numbers, count, width);
    for (size_t i = 0; to && i < count; i++)
        memcpy(to + i * width, values + (places ? (size_t)places[i] : i) * width, width);
}

/* One byte per truth value. */
static void gather_bits(rp_pq_scratch *scratch, const uint8_t *values, const int32_t *places,
                        size_t count)
{
    uint8_t *to = room(&scratch->numbers, count, 1);
    for (size_t i = 0; to && i < count; i++) {
        size_t at = places ? (size_t)places[i] : i;
        to[i] = values[at / 8] >> at % 8 & 1;
    }
}

/* Values of the physical width; small integers become 32 bits wide. */
static const void *gather_numbers(const rp_pq_column *column, rp_pq_scratch *scratch,
                                  const void *values, const int32_t *places, size_t count)
{
    bool is_signed = column->type.kind == RP_ARROW_INT;
    if (column->type.kind == RP_ARROW_BOOL)
        gather_bits(scratch, values, places, count);
    else if (column->type.width == 1 && column->physical == RP_PQ_INT32)
        if (is_signed)
            GATHER(int8_t, int32_t);
        else
            GATHER(uint8_t, int32_t);
    else if (column->type.width == 2 && column->physical == RP_PQ_INT32)
        if (is_signed)
            GATHER(int16_t, int32_t);
        else
            GATHER(uint16_t, int32_t);
    else if (!places)
        return values; /* as they are */
    else if (column->type.width == 4)
        GATHER(uint32_t, uint32_t);
    else if (column->type.width == 8)
        GATHER(uint64_t, uint64_t);
    else
        gather_bytes(scratch, values, places, count, column->type.width);
    return scratch->numbers.data;
}

static const reprise_text *gather_texts(rp_pq_scratch *scratch, const struct ArrowArray *array,
                                        const int32_t *places, size_t count)
{
    const int32_t *offsets = array->buffers[1];
    const char *bytes = array->buffers[2];
    reprise_text *to = room(&scratch->texts, count, sizeof *to);
    for (size_t i = 0; to && i < count; i++) {
        size_t at = places ? (size_t)places[i] : i;
        to[i] = (reprise_text){bytes + offsets[at], (size_t)(offsets[at + 1] - offsets[at])};
    }
    return to;
}

static void gather(const rp_pq_column *column, const struct ArrowArray *array,
                   rp_pq_scratch *scratch, const int32_t *places, rp_pq_values *values)
{
    size_t count = values->count;
    if (column->has_dictionary) {
        const int32_t *from = array->buffers[1];
        int32_t *to = places ? room(&scratch->indices, count, sizeof *to) : NULL;
        for (size_t i = 0; to && i < count; i++)
            to[i] = from[places[i]];
        values->dictionary = array->dictionary;
        if (places && !to)
            return;
        values->indices = places ? to : from;
        values->texts = gather_texts(scratch, array->dictionary, values->indices, count);
    } else if (column->physical == RP_PQ_BYTES) {
        values->texts = gather_texts(scratch, array, places, count);
    } else {
        values->numbers = gather_numbers(column, scratch, array->buffers[1], places, count);
    }
}

/* Keeps the places that lead to a value. */
static size_t drop_nowhere(int32_t *places, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        places[kept] = places[i];
        kept += places[i] != NOWHERE;
    }
    return kept;
}

void rp_pq_collect(const rp_pq_column *column, const struct ArrowArray *batch,
                   rp_pq_scratch *scratch, rp_pq_values *ret_values)
{
    *ret_values = (rp_pq_values){0};
    const struct ArrowArray *array = batch->children[column->steps[0].child];
    bool plain = column->step_count == 1 && rp_arrow_nulls(array) == 0;
    if (plain) {
        ret_values->slots = ret_values->count = (size_t)batch->length;
        gather(column, array, scratch, NULL, ret_values);
        return;
    }
    slots s;
    array = walk(column, batch, scratch, &s);
    if (!array)
        return;
    ret_values->slots = s.count;
    ret_values->definitions = s.definitions;
    ret_values->repetitions = column->repetition_max ? s.repetitions : NULL;
    ret_values->count = drop_nowhere(s.places, s.count);
    gather(column, array, scratch, s.places, ret_values);
}
