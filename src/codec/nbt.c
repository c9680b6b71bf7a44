/* nbt.c - see nbt.h. */
#include "nbt.h"

#include <stdarg.h>
#include <stdio.h>

#include "utf8.h"

/* Size of a payload, or of one element of an array; 0: variable. */
static const uint8_t payload_size[RP_NBT_ID_COUNT] = {
    [RP_NBT_BYTE] = 1,       [RP_NBT_SHORT] = 2,     [RP_NBT_INT] = 4,
    [RP_NBT_LONG] = 8,       [RP_NBT_FLOAT] = 4,     [RP_NBT_DOUBLE] = 8,
    [RP_NBT_BYTE_ARRAY] = 1, [RP_NBT_INT_ARRAY] = 4, [RP_NBT_LONG_ARRAY] = 8,
};

/* Minimum size of a payload, for checking the length of a list. */
static const uint8_t payload_least[RP_NBT_ID_COUNT] = {
    [RP_NBT_BYTE] = 1,      [RP_NBT_SHORT] = 2,      [RP_NBT_INT] = 4,    [RP_NBT_LONG] = 8,
    [RP_NBT_FLOAT] = 4,     [RP_NBT_DOUBLE] = 8,     [RP_NBT_STRING] = 2, [RP_NBT_BYTE_ARRAY] = 4,
    [RP_NBT_INT_ARRAY] = 4, [RP_NBT_LONG_ARRAY] = 4, [RP_NBT_LIST] = 5,   [RP_NBT_COMPOUND] = 1,
};

void rp_nbt_init(rp_nbt *nbt, rp_window *window, uint64_t size, size_t depth_max,
                 reprise_error *error)
{
    *nbt = (rp_nbt){
        .window = window, .size = window->offset + size, .depth_max = depth_max, .error = error};
}

void rp_nbt_fail(rp_nbt *nbt, reprise_status status, const char *format, ...)
{
    if (!rp_nbt_ok(nbt))
        return;
    char message[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    rp_error_set(nbt->error, status, "%s", message);
    rp_error_place(nbt->error, nbt->window->name, nbt->window->offset, nbt->name);
}

static uint64_t bytes_left(const rp_nbt *nbt)
{
    return nbt->size > nbt->window->offset ? nbt->size - nbt->window->offset : 0;
}

/* Skips n bytes and returns a pointer to them; NULL after a failure. */
static const uint8_t *take(rp_nbt *nbt, size_t n)
{
    static const uint8_t nothing[1];
    if (!rp_nbt_ok(nbt))
        return NULL;
    if (!n)
        return nothing;
    if (n <= bytes_left(nbt) && rp_window_left(nbt->window) < n &&
        rp_window_fill(nbt->window, n, nbt->error) != REPRISE_OK)
        return NULL;
    if (rp_window_left(nbt->window) < n) {
        rp_window_short(nbt->window, n, nbt->name, nbt->error);
        return NULL;
    }
    const uint8_t *p = nbt->window->base + nbt->window->start;
    rp_window_skip(nbt->window, n);
    return p;
}

/* Skips n bytes without loading all of them. */
static void skip(rp_nbt *nbt, uint64_t n)
{
    while (n && rp_nbt_ok(nbt)) {
        if (!rp_window_left(nbt->window) &&
            rp_window_fill(nbt->window, 1, nbt->error) != REPRISE_OK)
            return;
        size_t step = (size_t)RP_MIN(n, (uint64_t)rp_window_left(nbt->window));
        if (!step) {
            rp_window_short(nbt->window, 1, nbt->name, nbt->error);
            return;
        }
        rp_window_skip(nbt->window, step);
        n -= step;
    }
}

static unsigned load16(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static int64_t load64(const uint8_t *p)
{
    return (int64_t)((uint64_t)(uint32_t)rp_nbt_load32(p) << 32 | (uint32_t)rp_nbt_load32(p + 4));
}

static rp_nbt_id read_id(rp_nbt *nbt)
{
    const uint8_t *p = take(nbt, 1);
    if (p && *p >= RP_NBT_ID_COUNT)
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "unknown tag id %u", *p);
    return p && *p < RP_NBT_ID_COUNT ? (rp_nbt_id)*p : RP_NBT_END;
}

static void read_name(rp_nbt *nbt)
{
    const uint8_t *p = take(nbt, 2);
    size_t size = p ? load16(p) : 0;
    const uint8_t *text = take(nbt, size);
    size_t kept = text ? RP_MIN(size, sizeof nbt->name - 1) : 0;
    for (size_t i = 0; i < kept; i++)
        nbt->name[i] = (char)(text[i] ? text[i] : ' ');
    nbt->name[kept] = '\0';
}

/* ---- walking ---- */

static void enter(rp_nbt *nbt)
{
    if (++nbt->depth > nbt->depth_max)
        rp_nbt_fail(nbt, REPRISE_E_LIMIT, "tags nested more than %zu deep, limit depth=%zu",
                    nbt->depth_max, nbt->depth_max);
}

void rp_nbt_root(rp_nbt *nbt)
{
    rp_nbt_id id = read_id(nbt);
    if (rp_nbt_ok(nbt) && id != RP_NBT_COMPOUND)
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "the root is tag %d, not a compound", (int)id);
    read_name(nbt);
    enter(nbt);
}

rp_nbt_id rp_nbt_next(rp_nbt *nbt)
{
    rp_nbt_id id = read_id(nbt);
    if (!rp_nbt_ok(nbt))
        return RP_NBT_END;
    if (id == RP_NBT_END)
        nbt->depth--;
    else
        read_name(nbt);
    return rp_nbt_ok(nbt) ? id : RP_NBT_END;
}

void rp_nbt_compound(rp_nbt *nbt)
{
    enter(nbt);
}

rp_nbt_list rp_nbt_list_begin(rp_nbt *nbt)
{
    rp_nbt_list list = {.id = read_id(nbt)};
    const uint8_t *p = take(nbt, 4);
    int64_t count = p ? rp_nbt_load32(p) : 0;
    enter(nbt);
    if (!rp_nbt_ok(nbt) || count <= 0)
        return (rp_nbt_list){.id = list.id};
    if (list.id == RP_NBT_END)
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "list of %lld tags without a kind", (long long)count);
    else if ((uint64_t)count * payload_least[list.id] > bytes_left(nbt))
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "list of %lld tags, %llu bytes left", (long long)count,
                    (unsigned long long)bytes_left(nbt));
    else
        list.count = (size_t)count;
    return list;
}

void rp_nbt_list_end(rp_nbt *nbt)
{
    nbt->depth--;
}

/* ---- payloads ---- */

int64_t rp_nbt_integer(rp_nbt *nbt, rp_nbt_id id)
{
    if (id < RP_NBT_BYTE || id > RP_NBT_LONG) {
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "expected an integer, found tag %d", (int)id);
        return 0;
    }
    const uint8_t *p = take(nbt, payload_size[id]);
    if (!p)
        return 0;
    switch (id) {
    case RP_NBT_BYTE:
        return (int8_t)*p;
    case RP_NBT_SHORT:
        return (int16_t)load16(p);
    case RP_NBT_INT:
        return rp_nbt_load32(p);
    default:
        return load64(p);
    }
}

double rp_nbt_double(rp_nbt *nbt)
{
    const uint8_t *p = take(nbt, 8);
    if (!p)
        return 0;
    int64_t bits = load64(p);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Reads a number of elements and checks it against the remaining bytes. */
static uint64_t array_count(rp_nbt *nbt, rp_nbt_id id)
{
    const uint8_t *p = take(nbt, 4);
    int64_t count = p ? rp_nbt_load32(p) : 0;
    if (count >= 0 && (uint64_t)count * payload_size[id] <= bytes_left(nbt))
        return (uint64_t)count;
    rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "array of %lld elements, %llu bytes left", (long long)count,
                (unsigned long long)bytes_left(nbt));
    return 0;
}

const uint8_t *rp_nbt_array(rp_nbt *nbt, rp_nbt_id id, size_t *ret_count)
{
    if (id != RP_NBT_BYTE_ARRAY && id != RP_NBT_INT_ARRAY && id != RP_NBT_LONG_ARRAY) {
        rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "expected an array, found tag %d", (int)id);
        return NULL;
    }
    uint64_t count = array_count(nbt, id);
    const uint8_t *p = take(nbt, (size_t)count * payload_size[id]);
    if (p)
        *ret_count = (size_t)count;
    return p;
}

/* Decodes one to three bytes of modified UTF-8 to a UTF-16 unit. Uses 0 bytes if invalid. */
static uint32_t modified_unit(const uint8_t *p, size_t left, size_t *ret_used)
{
    *ret_used = 0;
    if (p[0] && p[0] < 0x80) {
        *ret_used = 1;
        return p[0];
    }
    if ((p[0] & 0xE0) == 0xC0 && left >= 2 && (p[1] & 0xC0) == 0x80) {
        *ret_used = 2;
        return (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
    }
    if ((p[0] & 0xF0) == 0xE0 && left >= 3 && (p[1] & 0xC0) == 0x80 && (p[2] & 0xC0) == 0x80) {
        *ret_used = 3;
        return (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    }
    return 0;
}

size_t rp_nbt_string(rp_nbt *nbt, rp_writer *to)
{
    const uint8_t *p = take(nbt, 2);
    size_t left = p ? load16(p) : 0, before = to->size;
    for (p = take(nbt, left); p && left;) {
        size_t used, more;
        uint32_t c = modified_unit(p, left, &used);
        if (c >= 0xD800 && c < 0xDC00 && left - used > 0) {
            uint32_t low = modified_unit(p + used, left - used, &more);
            if (more && low >= 0xDC00 && low < 0xE000) {
                c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
                used += more;
            }
        }
        if (!used || (c >= 0xD800 && c < 0xE000)) {
            rp_nbt_fail(nbt, REPRISE_E_CORRUPT, "text that is not modified UTF-8");
            return 0;
        }
        char bytes[4];
        rp_put(to, bytes, rp_utf8_put(bytes, c));
        p += used;
        left -= used;
    }
    return to->size - before;
}

/* ---- skipping ---- */

/* A compound or list being skipped: the kind and number of remaining payloads. */
typedef struct level {
    rp_nbt_id id; /* RP_NBT_END: a compound */
    size_t left;
} level;

enum { LEVELS_MAX = 512 };

/* Skips a payload without nested payloads. */
static void skip_flat(rp_nbt *nbt, rp_nbt_id id)
{
    if (id == RP_NBT_STRING) {
        const uint8_t *p = take(nbt, 2);
        skip(nbt, p ? load16(p) : 0);
    } else if (id == RP_NBT_BYTE_ARRAY || id == RP_NBT_INT_ARRAY || id == RP_NBT_LONG_ARRAY) {
        skip(nbt, array_count(nbt, id) * payload_size[id]);
    } else {
        skip(nbt, payload_size[id]);
    }
}

void rp_nbt_skip(rp_nbt *nbt, rp_nbt_id id)
{
    level levels[LEVELS_MAX];
    size_t depth = 0;
    levels[depth++] = (level){.id = id, .left = 1};
    while (depth && rp_nbt_ok(nbt)) {
        level *top = &levels[depth - 1];
        rp_nbt_id inner = top->id;
        if (inner == RP_NBT_END) {
            inner = rp_nbt_next(nbt);
        } else if (top->left) {
            top->left--;
        } else {
            inner = RP_NBT_END;
            nbt->depth -= depth > 1;
        }
        if (inner == RP_NBT_END) {
            depth--;
            continue;
        }
        if (inner != RP_NBT_LIST && inner != RP_NBT_COMPOUND) {
            skip_flat(nbt, inner);
            continue;
        }
        if (depth == LEVELS_MAX) {
            rp_nbt_fail(nbt, REPRISE_E_LIMIT, "tags nested more than %d deep", LEVELS_MAX);
            return;
        }
        if (inner == RP_NBT_COMPOUND) {
            rp_nbt_compound(nbt);
            levels[depth++] = (level){.id = RP_NBT_END};
        } else {
            rp_nbt_list list = rp_nbt_list_begin(nbt);
            if (list.count)
                levels[depth++] = (level){.id = list.id, .left = list.count};
            else
                rp_nbt_list_end(nbt);
        }
    }
}

/* ---- writing ---- */

static void put16(rp_writer *w, size_t value)
{
    const uint8_t bytes[2] = {(uint8_t)(value >> 8), (uint8_t)value};
    rp_put(w, bytes, sizeof bytes);
}

void rp_nbt_put_i32(rp_writer *w, int32_t value)
{
    uint32_t v = (uint32_t)value;
    const uint8_t bytes[4] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8),
                              (uint8_t)v};
    rp_put(w, bytes, sizeof bytes);
}

void rp_nbt_put_f64(rp_writer *w, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    rp_nbt_put_i32(w, (int32_t)(bits >> 32));
    rp_nbt_put_i32(w, (int32_t)(uint32_t)bits);
}

static void put_unit(rp_writer *w, uint32_t unit)
{
    const uint8_t bytes[3] = {(uint8_t)(0xE0 | unit >> 12), (uint8_t)(0x80 | (unit >> 6 & 0x3F)),
                              (uint8_t)(0x80 | (unit & 0x3F))};
    rp_put(w, bytes, sizeof bytes);
}

/* The length has two bytes, so longer text is truncated between characters. */
void rp_nbt_put_string(rp_writer *w, const char *text, size_t size)
{
    size_t head = w->size, used;
    put16(w, 0);
    for (size_t i = 0; i < size && w->size - head - 2 <= UINT16_MAX - 6; i += used) {
        uint32_t c = rp_utf8_next(text + i, &used);
        if (c >= 0x10000) {
            put_unit(w, 0xD800 + ((c - 0x10000) >> 10));
            put_unit(w, 0xDC00 + ((c - 0x10000) & 0x3FF));
        } else if (c >= 0x800) {
            put_unit(w, c);
        } else if (c >= 0x80 || c == 0) {
            rp_put_u8(w, (uint8_t)(0xC0 | c >> 6));
            rp_put_u8(w, (uint8_t)(0x80 | (c & 0x3F)));
        } else {
            rp_put_u8(w, (uint8_t)c);
        }
    }
    if (!rp_writer_ok(w))
        return;
    size_t length = w->size - head - 2;
    w->data[head] = (uint8_t)(length >> 8);
    w->data[head + 1] = (uint8_t)length;
}

void rp_nbt_put_head(rp_writer *w, rp_nbt_id id, const char *name)
{
    rp_put_u8(w, (uint8_t)id);
    rp_nbt_put_string(w, name, strlen(name));
}

void rp_nbt_put_list(rp_writer *w, rp_nbt_id id, size_t count)
{
    rp_put_u8(w, (uint8_t)(count ? id : RP_NBT_END));
    rp_nbt_put_i32(w, (int32_t)count);
}
