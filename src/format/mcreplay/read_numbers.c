/*
 * read_numbers.c - the text of an animation as entries of numbers.
 *
 * A line is a frame, and an entry ends with ';'. Text comes in pieces; only an entry that crosses
 * the end of a piece is copied. Files consist mostly of numbers, so only the loop over them is
 * written for speed.
 */
#include <math.h>

#include "floattext.h"
#include "mcreplay.h"

struct mc_numbers {
    rp_context *context;
    const char *at, *end; /* text that was fed and not yet read */
    rp_writer carry;      /* the start of an entry whose end has not been fed yet */
    bool ended, done;
    bool after_cr;
};

/* How reading an entry ended; the first ones are those that mc_entry_end names. */
typedef enum stop {
    STOP_ENTRY = MC_ENDS_ENTRY, /* at its ';' */
    STOP_LINE = MC_ENDS_LINE,   /* at a line end */
    STOP_SHORT = MC_ENDS_TEXT,  /* the text ends first */
    STOP_FULL,                  /* the batch has no room for another one */
    STOP_FAILED,                /* at something that is not a number */
} stop;

reprise_status mc_numbers_open(rp_context *context, mc_numbers **ret_numbers, reprise_error *error)
{
    mc_numbers *numbers = rp_alloc_zero(context, 1, sizeof *numbers, error);
    if (!numbers)
        return error->status;
    numbers->context = context;
    rp_writer_init(&numbers->carry, context, (size_t)context->limits.record_bytes_max, error);
    *ret_numbers = numbers;
    return REPRISE_OK;
}

void mc_numbers_close(mc_numbers *numbers)
{
    if (!numbers)
        return;
    rp_writer_free(&numbers->carry);
    rp_free(numbers->context, numbers, sizeof *numbers);
}

void mc_numbers_feed(mc_numbers *numbers, const char *text, size_t size)
{
    numbers->at = text;
    numbers->end = text ? text + size : NULL;
    numbers->ended = !text;
}

bool mc_numbers_ended(const mc_numbers *numbers)
{
    return numbers->done;
}

/* ---- numbers ---- */

static inline bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t';
}

static inline bool ends_word(char c)
{
    return is_separator(c) || c == ';' || c == '\n' || c == '\r';
}

/* The forms that the fast parser does not handle: words, ".5", "1.", "1.E5". */
static bool parse_odd(const char *text, size_t size, double *ret_value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {
        {"NaN", NAN}, {"Infinity", INFINITY}, {"+Infinity", INFINITY}, {"-Infinity", -INFINITY}};
    for (size_t i = 0; i < RP_COUNT(words); i++) {
        if (strlen(words[i].word) == size && memcmp(words[i].word, text, size) == 0) {
            *ret_value = words[i].value;
            return true;
        }
    }
    return rp_parse_f64_loose(text, size, ret_value);
}

/* Reads the values of one entry. */
static inline stop scan_entry(const char **at, const char *end, bool whole, double *values,
                              size_t *ret_count)
{
    const char *p = *at;
    size_t count = 0;
    stop how = STOP_SHORT;
    for (;;) {
        while (p < end && is_separator(*p))
            p++;
        if (p == end)
            break;
        if (*p == ';' || *p == '\n' || *p == '\r') {
            how = *p == ';' ? STOP_ENTRY : STOP_LINE;
            break;
        }
        double value;
        size_t n = rp_parse_f64(p, (size_t)(end - p), &value);
        if (__builtin_expect(p + n == end, 0)) {
            p = end;
            if (!whole)
                break;
        } else if (__builtin_expect(!n || !ends_word(p[n]), 0)) {
            const char *stop_at = p;
            while (stop_at < end && !ends_word(*stop_at))
                stop_at++;
            if (stop_at == end && !whole)
                break;
            if (!parse_odd(p, (size_t)(stop_at - p), &value)) {
                *at = p;
                return STOP_FAILED;
            }
            n = (size_t)(stop_at - p);
            p += n;
        } else {
            p += n;
        }
        values[count < MC_VALUES_MAX ? count : MC_VALUES_MAX - 1] = value;
        count++;
    }
    *at = p;
    *ret_count = count;
    return how;
}

bool mc_parse_numbers(const char *text, size_t size, double *to, size_t max, size_t *ret_count)
{
    double values[MC_VALUES_MAX];
    const char *at = text, *end = text + size;
    size_t count = 0;
    if (scan_entry(&at, end, true, values, &count) != STOP_SHORT || at != end)
        return false;
    memcpy(to, values, RP_MIN(RP_MIN(count, max), (size_t)MC_VALUES_MAX) * sizeof *to);
    *ret_count = count;
    return true;
}

/* ---- entries ---- */

static void not_a_number(mc_batch *batch, const char *at, const char *end)
{
    const char *stop_at = at;
    while (stop_at < end && !ends_word(*stop_at) && stop_at - at < 32)
        stop_at++;
    batch->failed_in_entry = true;
    rp_error_set(&batch->error, REPRISE_E_CORRUPT, "'%.*s' is not a number", (int)(stop_at - at),
                 at);
}

static bool is_full(const mc_batch *batch)
{
    return batch->count == MC_BATCH_ENTRIES ||
           batch->value_count > MC_BATCH_VALUES - (size_t)MC_VALUES_MAX;
}

/* Reads entries from a text until a line or the text ends. `whole`: no text follows. */
static stop read_entries(mc_batch *batch, const char **at, const char *end, bool whole)
{
    double *values = batch->values + batch->value_count;
    const double *last = batch->values + MC_BATCH_VALUES - MC_VALUES_MAX;
    mc_entry *entry = batch->entries + batch->count;
    const mc_entry *entries_end = batch->entries + MC_BATCH_ENTRIES;
    stop how = STOP_FULL;
    while (entry < entries_end && values <= last) {
        size_t count = 0;
        const char *p = *at;
        how = scan_entry(&p, end, whole, values, &count);
        if (how == STOP_FAILED)
            not_a_number(batch, p, end);
        if (how == STOP_FAILED || (how == STOP_SHORT && !whole))
            break;
        count = RP_MIN(count, (size_t)MC_VALUES_MAX);
        *entry++ = (mc_entry){(uint8_t)count, (uint8_t)how};
        values += count;
        *at = p + (how != STOP_SHORT);
        if (how != STOP_ENTRY)
            break;
    }
    batch->count = (size_t)(entry - batch->entries);
    batch->value_count = (size_t)(values - batch->values);
    return how == STOP_ENTRY ? STOP_FULL : how;
}

/* Appends text to the carried entry up to its end; false if the end has not been fed yet. */
static bool complete_carry(mc_numbers *n)
{
    const char *p = n->at;
    while (p < n->end && *p != ';' && *p != '\n' && *p != '\r')
        p++;
    bool complete = p < n->end;
    rp_put(&n->carry, n->at, (size_t)(p - n->at) + complete);
    n->at = p + complete;
    return complete;
}

/* Reads the carried entry, whose last character is its end. */
static stop read_carry(mc_numbers *n, mc_batch *batch)
{
    const char *at = (const char *)n->carry.data, *end = at + n->carry.size;
    char last = end[-1];
    stop how = read_entries(batch, &at, end, n->ended);
    rp_writer_clear(&n->carry);
    if (how == STOP_LINE)
        n->after_cr = last == '\r';
    return how;
}

static stop read_text(mc_numbers *n, mc_batch *batch)
{
    if (n->carry.size && (n->ended || complete_carry(n))) {
        stop how = read_carry(n, batch);
        return how == STOP_SHORT && !n->ended ? STOP_ENTRY : how;
    }
    if (n->ended) {
        batch->entries[batch->count++] = (mc_entry){.end = MC_ENDS_TEXT};
        return STOP_SHORT;
    }
    if (n->carry.size)
        return STOP_SHORT;
    stop how = read_entries(batch, &n->at, n->end, false);
    if (how == STOP_SHORT)
        rp_put(&n->carry, n->at, (size_t)(n->end - n->at));
    else if (how == STOP_LINE)
        n->after_cr = n->at[-1] == '\r';
    return how;
}

bool mc_numbers_read(mc_numbers *n, bool one_line, mc_batch *batch)
{
    n->carry.error = &batch->error;
    while (batch->error.status == REPRISE_OK && !n->done && !is_full(batch)) {
        if (n->after_cr && n->at < n->end) {
            n->at += *n->at == '\n';
            n->after_cr = false;
        }
        stop how = read_text(n, batch);
        if (how == STOP_LINE && one_line)
            return true;
        if (how == STOP_SHORT && !n->ended)
            return false;
        n->done = how == STOP_SHORT;
    }
    return true;
}
