/*
 * json_write.c - writes documents as JSON; see json.h and reprise_value_write in reprise.h.
 *
 * Output goes to a growing writer, or through a small fixed buffer that is passed to the caller's
 * sink whenever it is half full, so that nothing is allocated. Parts that may be long (strings, raw
 * numbers, indentation) are therefore written in pieces of PIECE_SIZE.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "checked.h"
#include "entry.h"
#include "floattext.h"
#include "json.h"
#include "utf8.h"

enum {
    PIECE_SIZE = 512,
    BUFFER_SIZE = 8192, /* half of it holds a piece even if every byte becomes \u00XX */
    DIGITS_MAX = 20,    /* of UINT64_MAX */
};
static_assert(PIECE_SIZE * 6 + RP_FLOAT_TEXT_MAX < BUFFER_SIZE / 2, "a piece fits");

typedef struct output {
    rp_writer *w;
    const rp_json_format *format;
    const reprise_sink *sink; /* NULL: the output stays in the writer */
} output;

static void flush(output *o)
{
    if (rp_writer_ok(o->w) && o->w->size) {
        int cause = o->sink->write(o->sink->ctx, o->w->data, o->w->size);
        if (cause) {
            rp_error_set(o->w->error, REPRISE_E_IO, "cannot write output: %s", strerror(cause));
            o->w->error->cause = cause;
        }
    }
    o->w->size = 0;
}

/* Makes room for a piece in the fixed buffer. */
static void make_room(output *o)
{
    if (o->sink && o->w->size > BUFFER_SIZE / 2)
        flush(o);
}

/* The character after the backslash; '-': no escape, '8': part of a multi-byte character. */
static const char escape_letters[] = "uuuuuuuubtnufruu"
                                     "uuuuuuuuuuuuuuuu"
                                     "--\"-------------"
                                     "----------------"
                                     "----------------"
                                     "------------\\---"
                                     "----------------"
                                     "----------------"
                                     "8888888888888888"
                                     "8888888888888888"
                                     "8888888888888888"
                                     "8888888888888888"
                                     "8888888888888888"
                                     "8888888888888888"
                                     "8888888888888888"
                                     "8888888888888888";
static_assert(sizeof escape_letters == 256 + 1, "one for each byte");

static char letter_of(char c)
{
    return escape_letters[(unsigned char)c];
}

/* Checks four characters at a time, because one branch each would dominate the time. */
static size_t plain_size(const char *text, size_t size)
{
    size_t n = 0;
    while (size - n >= 4 && ((letter_of(text[n]) ^ '-') | (letter_of(text[n + 1]) ^ '-') |
                             (letter_of(text[n + 2]) ^ '-') | (letter_of(text[n + 3]) ^ '-')) == 0)
        n += 4;
    while (n < size && letter_of(text[n]) == '-')
        n++;
    return n;
}

static void put_escape(rp_writer *w, char c)
{
    static const char digits[] = "0123456789abcdef";
    char letter = letter_of(c);
    if (letter == 'u') {
        const char text[] = {'\\', 'u', '0', '0', digits[(c >> 4) & 15], digits[c & 15]};
        rp_put(w, text, sizeof text);
    } else {
        const char text[] = {'\\', letter};
        rp_put(w, text, sizeof text);
    }
}

/* Writes the content of a string. */
static void put_escaped(rp_writer *w, const char *text, size_t size)
{
    size_t at = 0, good_end = 0; /* text[at..good_end) is known to be UTF-8 */
    while (at < size) {
        size_t run = plain_size(text + at, size - at);
        while (at + run < good_end && letter_of(text[at + run]) == '8')
            run += 1 + plain_size(text + at + run + 1, size - at - run - 1);
        rp_put(w, text + at, run);
        at += run;
        if (at == size)
            break;
        if (letter_of(text[at]) != '8') {
            put_escape(w, text[at++]);
            continue;
        }
        size_t good = rp_utf8_valid(text + at, size - at);
        good_end = at + good;
        if (!good) {
            rp_put_text(w, "\xEF\xBF\xBD");
            at += rp_utf8_invalid_size(text + at, size - at);
        }
    }
}

void rp_json_string(rp_writer *w, const char *text, size_t size)
{
    size_t bytes;
    if (plain_size(text, size) == size && rp_add(size, 2, &bytes)) {
        uint8_t *to = rp_put_raw(w, bytes);
        if (!to)
            return;
        to[0] = to[bytes - 1] = '"';
        if (size)
            memcpy(to + 1, text, size);
        return;
    }
    rp_put_u8(w, '"');
    put_escaped(w, text, size);
    rp_put_u8(w, '"');
}

/*
 * Short texts are written in place if there is room, else to `spare`: reserving more than needed
 * could fail near the writer's maximum.
 */
static char *short_begin(rp_writer *w, char *spare)
{
    return w->capacity - w->size >= RP_FLOAT_TEXT_MAX ? (char *)w->data + w->size : spare;
}

static void short_end(rp_writer *w, const char *text, size_t size, const char *spare)
{
    if (text == spare)
        rp_put(w, text, size);
    else
        w->size += size;
}

/* NaN and infinities are not JSON numbers. */
static void put_special(rp_writer *w, double value)
{
    rp_put_text(w, isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
}

static void put_f32(rp_writer *w, float value, size_t (*print)(float value, char *to))
{
    if (!isfinite(value)) {
        put_special(w, (double)value);
        return;
    }
    char spare[RP_FLOAT_TEXT_MAX], *text = short_begin(w, spare);
    short_end(w, text, print(value, text), spare);
}

static void put_f64(rp_writer *w, double value, size_t (*print)(double value, char *to))
{
    if (!isfinite(value)) {
        put_special(w, value);
        return;
    }
    char spare[RP_FLOAT_TEXT_MAX], *text = short_begin(w, spare);
    short_end(w, text, print(value, text), spare);
}

void rp_json_f32(rp_writer *w, float value)
{
    put_f32(w, value, rp_print_f32);
}

void rp_json_f64(rp_writer *w, double value)
{
    put_f64(w, value, rp_print_f64);
}

void rp_json_seconds(rp_writer *w, double seconds)
{
    if (rp_is_single(seconds))
        rp_json_f32(w, (float)seconds);
    else
        rp_json_f64(w, seconds);
}

/* Two digits at a time, because divisions dominate the time. */
static char *digits_before(char *end, uint64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    for (; value >= 100; value /= 100) {
        end -= 2;
        memcpy(end, pairs + 2 * (value % 100), 2);
    }
    if (value >= 10) {
        end -= 2;
        memcpy(end, pairs + 2 * value, 2);
    } else {
        *--end = (char)('0' + value);
    }
    return end;
}

static void put_integer(rp_writer *w, uint64_t magnitude, bool negative, bool quoted)
{
    char text[DIGITS_MAX + 3], *end = text + sizeof text;
    if (quoted)
        *--end = '"';
    char *at = digits_before(end, magnitude);
    if (negative)
        *--at = '-';
    if (quoted)
        *--at = '"';
    rp_put(w, at, (size_t)(text + sizeof text - at));
}

static bool fits_32_bits(int64_t value)
{
    return value >= INT32_MIN && value <= UINT32_MAX;
}

static void put_int(rp_writer *w, int64_t value, bool exact)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    put_integer(w, magnitude, value < 0, !exact && !fits_32_bits(value));
}

void rp_json_int(rp_writer *w, int64_t value)
{
    put_int(w, value, false);
}

void rp_json_long(rp_writer *w, int64_t value, bool is_unsigned)
{
    bool negative = !is_unsigned && value < 0;
    put_integer(w, negative ? 0 - (uint64_t)value : (uint64_t)value, negative, true);
}

void rp_json_index(rp_writer *w, int64_t value)
{
    put_int(w, value, true);
}

void rp_json_uint(rp_writer *w, uint64_t value)
{
    put_integer(w, value, false, value > UINT32_MAX);
}

static void put_long(output *o, const char *text, size_t size)
{
    for (size_t n; size; text += n, size -= n) {
        n = RP_MIN(size, (size_t)PIECE_SIZE);
        make_room(o);
        rp_put(o->w, text, n);
    }
}

/* Returns the size of the next piece of a text, without splitting a character. */
static size_t piece_of(const char *text, size_t size)
{
    if (size <= PIECE_SIZE)
        return size;
    size_t n = PIECE_SIZE;
    for (size_t back = 0; back < 3 && ((unsigned char)text[n] & 0xC0) == 0x80; back++)
        n--;
    return n;
}

static void write_string(output *o, const char *text, size_t size)
{
    make_room(o);
    if (!o->sink || size <= PIECE_SIZE) {
        rp_json_string(o->w, text, size);
        return;
    }
    rp_put_u8(o->w, '"');
    for (size_t n; size; text += n, size -= n) {
        n = piece_of(text, size);
        make_room(o);
        put_escaped(o->w, text, n);
    }
    rp_put_u8(o->w, '"');
}

/* Whether an integer needs more than 32 bits: JSON readers that use doubles might round it. */
static bool raw_needs_quotes(const reprise_value *value)
{
    switch (value->kind) {
    case REPRISE_VALUE_INT:
        return !fits_32_bits(value->as.integer);
    case REPRISE_VALUE_UINT:
        return true;
    default: /* does not fit in 64 bits, or is not an integer */
        return fabs(reprise_value_double(value, 0)) > UINT32_MAX &&
               !memchr(value->raw, '.', value->raw_size) &&
               !memchr(value->raw, 'e', value->raw_size) &&
               !memchr(value->raw, 'E', value->raw_size);
    }
}

static void write_raw(output *o, const reprise_value *value)
{
    bool quoted = !o->format->exact_integers && raw_needs_quotes(value);
    if (quoted)
        rp_put_u8(o->w, '"');
    put_long(o, value->raw, value->raw_size);
    if (quoted)
        rp_put_u8(o->w, '"');
}

static void write_number(output *o, const reprise_value *value)
{
    const rp_json_format *format = o->format;
    if (value->raw)
        write_raw(o, value);
    else if (value->kind == REPRISE_VALUE_INT)
        put_int(o->w, value->as.integer, format->exact_integers);
    else if (value->kind == REPRISE_VALUE_UINT)
        put_integer(o->w, value->as.natural, false, !format->exact_integers);
    else if (value->kind == REPRISE_VALUE_FLOAT)
        put_f32(o->w, value->as.single, format->dotnet_floats ? rp_print_f32_dotnet : rp_print_f32);
    else
        put_f64(o->w, value->as.real, format->dotnet_floats ? rp_print_f64_dotnet : rp_print_f64);
}

static void new_line(output *o, size_t depth)
{
    static const char spaces[] = "                                ";
    if (!o->format->indent)
        return;
    rp_put_text(o->w, o->format->crlf ? "\r\n" : "\n");
    for (size_t n, left = depth * o->format->indent; left; left -= n) {
        n = RP_MIN(left, sizeof spaces - 1);
        make_room(o);
        rp_put(o->w, spaces, n);
    }
}

static void write_value(output *o, const reprise_value *value, size_t depth);

static void write_list(output *o, const reprise_value *list, size_t depth)
{
    bool object = list->kind == REPRISE_VALUE_OBJECT;
    rp_put_u8(o->w, object ? '{' : '[');
    for (size_t i = 0; i < list->as.list.count && rp_writer_ok(o->w); i++) {
        const rp_member *member = &list->as.list.items[i];
        if (i)
            rp_put_u8(o->w, ',');
        new_line(o, depth + 1);
        if (object) {
            write_string(o, member->key, member->key_size);
            rp_put_text(o->w, o->format->indent ? ": " : ":");
        }
        write_value(o, member->value, depth + 1);
    }
    if (list->as.list.count)
        new_line(o, depth);
    make_room(o);
    rp_put_u8(o->w, object ? '}' : ']');
}

static void write_value(output *o, const reprise_value *value, size_t depth)
{
    make_room(o);
    switch (reprise_value_kind_of(value)) {
    case REPRISE_VALUE_NULL:
        rp_put_text(o->w, "null");
        break;
    case REPRISE_VALUE_BOOL:
        rp_put_text(o->w, value->boolean ? "true" : "false");
        break;
    case REPRISE_VALUE_STRING:
        write_string(o, value->as.string.text, value->as.string.size);
        break;
    case REPRISE_VALUE_ARRAY:
    case REPRISE_VALUE_OBJECT:
        write_list(o, value, depth);
        break;
    default:
        write_number(o, value);
        break;
    }
}

void rp_json_write(rp_writer *w, const reprise_value *value, const rp_json_format *format)
{
    output o = {.w = w, .format = format};
    write_value(&o, value, 0);
}

reprise_status reprise_value_write(const reprise_value *value, reprise_json_style style,
                                   const reprise_sink *sink, reprise_error *error)
{
    RP_ENTER(error, sink && sink->write);
    uint8_t buffer[BUFFER_SIZE];
    /* Never grows, so it needs no context. */
    rp_writer w = {
        .data = buffer, .capacity = sizeof buffer, .size_max = sizeof buffer, .error = error};
    const rp_json_format format = {.indent = style == REPRISE_JSON_PRETTY ? 2 : 0};
    output o = {.w = &w, .format = &format, .sink = sink};
    write_value(&o, value, 0);
    flush(&o);
    return error->status;
}
