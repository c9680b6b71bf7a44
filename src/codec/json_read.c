/*
 * json_read.c - parses JSON to documents; see json.h.
 *
 * The text is copied into the arena once, and strings and numbers are slices of that copy: escapes
 * are decoded in place, which makes them shorter, and the closing quote becomes the terminator. The
 * copy is followed by zeros, which the grammar does not accept, so scanning loops stop there.
 * Nesting is kept in an array of frames, not on the call stack.
 */
#include <stdio.h>
#include <string.h>

#include "checked.h"
#include "floattext.h"
#include "json.h"
#include "reader.h"
#include "utf8.h"

enum {
    DEPTH_CEILING = 1000, /* whatever the limits are, because documents are walked recursively */
    PADDING = 8,          /* zeros after the text, so that comparing with a word stays in bounds */
    PAIRWISE_MAX = 16,    /* up to this many keys are compared pairwise */
};

/* An unfinished array or object. Its members so far are p->members[first..]. */
typedef struct frame {
    reprise_value *list;
    size_t first;
} frame;

typedef struct parser {
    rp_arena *arena;
    const rp_limits *limits;
    reprise_error *error;
    char *text, *at, *end; /* the copy */
    frame *frames;
    size_t depth;
    rp_member *members; /* of all unfinished lists; the last one of each may have no value yet */
    size_t member_count, member_capacity;
    bool find_duplicates;
    rp_json_notes notes;
} parser;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7F;
}

static void skip_space(parser *p)
{
    const char *at = p->at;
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
        at++;
    p->at += at - p->at;
}

static reprise_status expected(parser *p, const char *what)
{
    if (p->at >= p->end)
        return rp_error_set(p->error, REPRISE_E_TRUNCATED, "expected %s, found the end", what);
    unsigned char c = (unsigned char)*p->at;
    if (c > ' ' && c < 0x7F)
        return rp_error_set(p->error, REPRISE_E_CORRUPT, "expected %s, found '%c'", what, c);
    return rp_error_set(p->error, REPRISE_E_CORRUPT, "expected %s, found byte 0x%02x", what, c);
}

static reprise_status new_value(parser *p, reprise_value_kind kind, reprise_value **ret_value)
{
    reprise_value *value = rp_arena_alloc(p->arena, sizeof *value, p->error);
    if (!value)
        return p->error->status;
    value->kind = kind;
    value->offset = (uint64_t)(p->at - p->text);
    *ret_value = value;
    return REPRISE_OK;
}

/*
 * Sets the high bit of the first of eight bytes that is not plain text: a control character, a
 * quote, a backslash, or part of a multi-byte character. Later bytes are undefined.
 */
static uint64_t mark_special(uint64_t eight)
{
    const uint64_t each = UINT64_C(0x0101010101010101), high = each << 7;
    uint64_t quotes = eight ^ each * '"', backslashes = eight ^ each * '\\';
    return (eight | (eight - each * 0x20) | (quotes - each) | (backslashes - each)) & high;
}

/* The content of a string. */
typedef struct span {
    char *start, *end;
    bool long_characters, escapes;
} span;

/* Finds the closing quote, from p->at, which is after the opening one. */
static reprise_status find_quote(parser *p, span *ret_span)
{
    span found = {.start = p->at};
    for (char *at = p->at;;) {
        uint64_t marks = mark_special(rp_load64((const uint8_t *)at));
        if (!marks) {
            at += 8;
            continue;
        }
        at += __builtin_ctzll(marks) / 8;
        unsigned char c = (unsigned char)*at;
        if (c == '"') {
            found.end = at;
            *ret_span = found;
            return REPRISE_OK;
        }
        if (c < 0x20) {
            p->at = at;
            if (at >= p->end)
                return rp_error_set(p->error, REPRISE_E_TRUNCATED, "unterminated string");
            return rp_error_set(p->error, REPRISE_E_CORRUPT, "byte 0x%02x in a string", c);
        }
        found.long_characters |= c >= 0x80;
        found.escapes |= c == '\\';
        /* Skips an escaped quote, but not the terminator. */
        at += c == '\\' && at[1] ? 2 : 1;
    }
}

/* Reads four hexadecimal digits. */
static bool read_hex4(const char *at, uint32_t *ret_value)
{
    uint32_t value = 0;
    for (size_t i = 0; i < 4; i++) {
        char c = at[i];
        uint32_t digit;
        if (is_digit(c))
            digit = (uint32_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = (uint32_t)(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            digit = (uint32_t)(c - 'A' + 10);
        else
            return false;
        value = value << 4 | digit;
    }
    *ret_value = value;
    return true;
}

/* Reads \uXXXX, or a surrogate pair of them, at p->at and moves past it. */
static reprise_status read_unicode(parser *p, uint32_t *ret_character)
{
    uint32_t first, second;
    if (!read_hex4(p->at + 2, &first))
        return rp_error_set(p->error, REPRISE_E_CORRUPT, "\\u without four hexadecimal digits");
    if (first < 0xD800 || first > 0xDFFF) {
        p->at += 6;
        *ret_character = first;
        return REPRISE_OK;
    }
    if (first > 0xDBFF || p->at[6] != '\\' || p->at[7] != 'u' || !read_hex4(p->at + 8, &second) ||
        second < 0xDC00 || second > 0xDFFF)
        return rp_error_set(p->error, REPRISE_E_CORRUPT, "lone surrogate \\u%04x", first);
    p->at += 12;
    *ret_character = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    return REPRISE_OK;
}

/* Reads one escape at p->at, moves past it and returns its character. */
static reprise_status read_escape(parser *p, uint32_t *ret_character)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char c = p->at[1];
    if (c == 'u')
        return read_unicode(p, ret_character);
    const char *letter = c ? strchr(letters, c) : NULL;
    if (!letter) {
        p->at++;
        return expected(p, "an escape");
    }
    p->at += 2;
    *ret_character = (unsigned char)meanings[letter - letters];
    return REPRISE_OK;
}

/* Decodes escapes in place: each is at least as long as its character. */
static reprise_status undo_escapes(parser *p, span *string)
{
    char *to = string->start;
    p->at = string->start;
    while (p->at < string->end) {
        size_t left = (size_t)(string->end - p->at);
        const char *backslash = memchr(p->at, '\\', left);
        size_t plain = backslash ? (size_t)(backslash - p->at) : left;
        memmove(to, p->at, plain);
        to += plain;
        p->at += plain;
        if (!backslash)
            break;
        uint32_t character = 0;
        RP_TRY(read_escape(p, &character));
        to += rp_utf8_put(to, character);
    }
    string->end = to;
    return REPRISE_OK;
}

/* Reads a string at p->at, which is at the opening quote, and terminates it. */
static reprise_status read_string(parser *p, const char **ret_text, size_t *ret_size)
{
    span string = {0};
    char *opening = p->at++;
    RP_TRY(find_quote(p, &string));
    char *next = string.end + 1;
    if (string.long_characters) {
        size_t size = (size_t)(string.end - string.start);
        size_t good = rp_utf8_valid(string.start, size);
        if (good < size) {
            p->at += good;
            return rp_error_set(p->error, REPRISE_E_CORRUPT, "byte 0x%02x is not UTF-8",
                                (unsigned char)*p->at);
        }
    }
    if (string.escapes)
        RP_TRY(undo_escapes(p, &string));
    size_t size = (size_t)(string.end - string.start);
    p->at = opening;
    RP_TRY(rp_limit(size, p->limits->string_bytes_max, "string size", "string_bytes", p->error));
    *string.end = '\0';
    p->at = next;
    *ret_text = string.start;
    *ret_size = size;
    return REPRISE_OK;
}

static reprise_status read_text(parser *p, reprise_value **ret_value)
{
    reprise_value *value = NULL;
    RP_TRY(new_value(p, REPRISE_VALUE_STRING, &value));
    RP_TRY(read_string(p, &value->as.string.text, &value->as.string.size));
    *ret_value = value;
    return REPRISE_OK;
}

/* A number as text, and its value if it is an integer. */
typedef struct number {
    bool negative;
    bool integer; /* neither fraction nor exponent, and fits 64 bits */
    uint64_t magnitude;
} number;

/* Skips one or more digits at p->at. */
static reprise_status skip_digits(parser *p)
{
    if (!is_digit(*p->at))
        return expected(p, "a digit");
    while (is_digit(*p->at))
        p->at++;
    return REPRISE_OK;
}

static reprise_status scan_integer(parser *p, number *n)
{
    const char *start = p->at;
    if (!is_digit(*start))
        return expected(p, "a digit");
    if (start[0] == '0' && is_digit(start[1]))
        return rp_error_set(p->error, REPRISE_E_CORRUPT, "number with a leading zero");
    uint64_t magnitude = 0;
    bool fits = true;
    for (; is_digit(*p->at); p->at++) {
        uint64_t digit = (uint64_t)(*p->at - '0');
        fits &= magnitude < UINT64_MAX / 10 ||
                (magnitude == UINT64_MAX / 10 && digit <= UINT64_MAX % 10);
        magnitude = magnitude * 10 + digit;
    }
    n->magnitude = magnitude;
    n->integer = fits;
    return REPRISE_OK;
}

static reprise_status scan_number(parser *p, number *n)
{
    n->negative = *p->at == '-';
    p->at += n->negative;
    RP_TRY(scan_integer(p, n));
    if (*p->at == '.') {
        n->integer = false;
        p->at++;
        RP_TRY(skip_digits(p));
    }
    if (*p->at == 'e' || *p->at == 'E') {
        n->integer = false;
        p->at++;
        p->at += *p->at == '+' || *p->at == '-';
        RP_TRY(skip_digits(p));
    }
    return REPRISE_OK;
}

/* Minus zero and integers that do not fit in 64 bits are doubles, too. */
static void set_number(reprise_value *value, const number *n)
{
    if (n->integer && n->negative && n->magnitude && n->magnitude <= UINT64_C(1) << 63) {
        value->as.integer = -(int64_t)(n->magnitude - 1) - 1;
    } else if (n->integer && !n->negative && n->magnitude <= INT64_MAX) {
        value->as.integer = (int64_t)n->magnitude;
    } else if (n->integer && !n->negative) {
        value->kind = REPRISE_VALUE_UINT;
        value->as.natural = n->magnitude;
    } else {
        value->kind = REPRISE_VALUE_DOUBLE;
        rp_parse_f64(value->raw, value->raw_size, &value->as.real);
    }
}

static reprise_status read_number(parser *p, reprise_value **ret_value)
{
    reprise_value *value = NULL;
    RP_TRY(new_value(p, REPRISE_VALUE_INT, &value));
    char *start = p->at;
    number n = {0};
    RP_TRY(scan_number(p, &n));
    size_t size = (size_t)(p->at - start);
    uint64_t size_max = RP_MIN(p->limits->string_bytes_max, UINT32_MAX);
    if (size > size_max) {
        p->at = start;
        return rp_limit(size, size_max, "number size", "string_bytes", p->error);
    }
    value->raw = start;
    value->raw_size = (uint32_t)size;
    set_number(value, &n);
    *ret_value = value;
    return REPRISE_OK;
}

static reprise_status read_word(parser *p, const char *word, reprise_value_kind kind,
                                reprise_value **ret_value)
{
    size_t size = strlen(word);
    if (memcmp(p->at, word, size) != 0)
        return expected(p, "a value");
    RP_TRY(new_value(p, kind, ret_value));
    (*ret_value)->boolean = word[0] == 't';
    p->at += size;
    return REPRISE_OK;
}

static reprise_status grow_members(parser *p)
{
    rp_member *members = rp_grow(p->arena->context, p->members, p->member_count + 1,
                                 &p->member_capacity, sizeof *members, p->error);
    if (!members)
        return p->error->status;
    p->members = members;
    return REPRISE_OK;
}

/* Adds a member to the innermost list and reads up to the start of its value. */
static reprise_status begin_member(parser *p)
{
    const frame *innermost = &p->frames[p->depth - 1];
    RP_TRY(rp_limit((uint64_t)(p->member_count - innermost->first) + 1, p->limits->items_max,
                    "list size", "items", p->error));
    if (p->member_count == p->member_capacity)
        RP_TRY(grow_members(p));
    rp_member *member = &p->members[p->member_count];
    *member = (rp_member){.key = NULL};
    if (innermost->list->kind == REPRISE_VALUE_ARRAY) {
        p->member_count++;
        return REPRISE_OK;
    }
    skip_space(p);
    if (*p->at != '"')
        return expected(p, "a key");
    RP_TRY(read_string(p, &member->key, &member->key_size));
    p->member_count++;
    skip_space(p);
    if (*p->at != ':')
        return expected(p, "':'");
    p->at++;
    return REPRISE_OK;
}

static bool same_key(const rp_member *a, const rp_member *b)
{
    return a->key_size == b->key_size && memcmp(a->key, b->key, a->key_size) == 0;
}

/* Inner objects end before outer ones, so duplicates are not found in text order. */
static void note_duplicate(parser *p, const rp_member *member)
{
    uint64_t offset = (uint64_t)(member->key - p->text) - 1;
    if (p->notes.duplicate_keys++ && offset > p->notes.duplicate_offset)
        return;
    p->notes.duplicate_offset = offset;
    rp_text_copy(p->notes.duplicate_key, sizeof p->notes.duplicate_key, member->key);
}

/* A key with a number that equal keys share, so that most comparisons skip the text. */
typedef struct keyed {
    uint64_t hash;
    const rp_member *member;
} keyed;

static uint64_t hash_key(const rp_member *member)
{
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = member->key_size;
    for (size_t i = 0; i < member->key_size; i += 8) {
        uint64_t eight = 0;
        memcpy(&eight, member->key + i, RP_MIN(member->key_size - i, sizeof eight));
        hash = (hash ^ eight) * factor;
        hash ^= hash >> 32;
    }
    return hash;
}

static int compare_keys(const keyed *a, const keyed *b)
{
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    if (a->member->key_size != b->member->key_size)
        return a->member->key_size < b->member->key_size ? -1 : 1;
    return memcmp(a->member->key, b->member->key, a->member->key_size);
}

/* Merges the sorted from[0..middle) and from[middle..count), keeping the order of equal keys. */
static void merge(const keyed *from, size_t middle, size_t count, keyed *to)
{
    size_t left = 0, right = middle;
    for (size_t i = 0; i < count; i++) {
        bool take_left = left < middle &&
                         (right == count || compare_keys(&from[left], &from[right]) <= 0);
        to[i] = take_left ? from[left++] : from[right++];
    }
}

/* Sorts keys[0..count), using as many after them as scratch. Returns the half with the result. */
static const keyed *sort_keys(keyed *keys, size_t count)
{
    keyed *from = keys, *to = keys + count;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t start = 0; start < count; start += 2 * run) {
            size_t left = count - start;
            merge(from + start, RP_MIN(run, left), RP_MIN(2 * run, left), to + start);
        }
        keyed *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/*
 * Sorts instead of hashing: a hostile file can make hashes collide, but cannot make sorting slower
 * than n log n.
 */
static reprise_status find_among_many(parser *p, const rp_member *members, size_t count)
{
    size_t bytes;
    if (!rp_mul(count, 2 * sizeof(keyed), &bytes))
        return rp_error_set(p->error, REPRISE_E_LIMIT, "no memory for %zu keys", count);
    keyed *keys = rp_alloc(p->arena->context, bytes, p->error);
    if (!keys)
        return p->error->status;
    for (size_t i = 0; i < count; i++)
        keys[i] = (keyed){.hash = hash_key(&members[i]), .member = &members[i]};
    const keyed *sorted = sort_keys(keys, count);
    for (size_t i = 1; i < count; i++) {
        if (compare_keys(&sorted[i - 1], &sorted[i]) == 0)
            note_duplicate(p, sorted[i].member);
    }
    rp_free(p->arena->context, keys, bytes);
    return REPRISE_OK;
}

static reprise_status find_duplicates(parser *p, const rp_member *members, size_t count)
{
    if (count > PAIRWISE_MAX)
        return find_among_many(p, members, count);
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (same_key(&members[k], &members[i])) {
                note_duplicate(p, &members[i]);
                break;
            }
        }
    }
    return REPRISE_OK;
}

/* Ends the innermost list, at its closing bracket, and returns it. */
static reprise_status end_list(parser *p, reprise_value **ret_value)
{
    const frame *innermost = &p->frames[p->depth - 1];
    reprise_value *list = innermost->list;
    size_t count = p->member_count - innermost->first;
    if (count) {
        rp_member *items = rp_arena_array(p->arena, count, sizeof *items, p->error);
        if (!items)
            return p->error->status;
        memcpy(items, p->members + innermost->first, count * sizeof *items);
        list->as.list.items = items;
        list->as.list.count = list->as.list.capacity = count;
        if (list->kind == REPRISE_VALUE_OBJECT && p->find_duplicates)
            RP_TRY(find_duplicates(p, items, count));
    }
    p->member_count = innermost->first;
    p->depth--;
    p->at++;
    *ret_value = list;
    return REPRISE_OK;
}

static char closing_of(const reprise_value *list)
{
    return list->kind == REPRISE_VALUE_ARRAY ? ']' : '}';
}

/* Returns the list if it is empty, or NULL after starting one. */
static reprise_status begin_list(parser *p, reprise_value_kind kind, reprise_value **ret_value)
{
    uint64_t depth_max = RP_MIN(p->limits->depth_max, DEPTH_CEILING);
    RP_TRY(rp_limit((uint64_t)p->depth + 1, depth_max, "nesting", "depth", p->error));
    reprise_value *list = NULL;
    RP_TRY(new_value(p, kind, &list));
    p->frames[p->depth++] = (frame){.list = list, .first = p->member_count};
    p->at++;
    skip_space(p);
    if (*p->at == closing_of(list))
        return end_list(p, ret_value);
    *ret_value = NULL;
    return begin_member(p);
}

/* Stores a value. Returns NULL if another one follows, or the list if it ended. */
static reprise_status end_member(parser *p, reprise_value **value)
{
    const reprise_value *list = p->frames[p->depth - 1].list;
    p->members[p->member_count - 1].value = *value;
    *value = NULL;
    skip_space(p);
    if (*p->at == ',') {
        p->at++;
        return begin_member(p);
    }
    if (*p->at == closing_of(list))
        return end_list(p, value);
    return expected(p, list->kind == REPRISE_VALUE_ARRAY ? "',' or ']'" : "',' or '}'");
}

/* Returns a value, or NULL after starting a list. */
static reprise_status read_value(parser *p, reprise_value **ret_value)
{
    skip_space(p);
    switch (*p->at) {
    case '{':
        return begin_list(p, REPRISE_VALUE_OBJECT, ret_value);
    case '[':
        return begin_list(p, REPRISE_VALUE_ARRAY, ret_value);
    case '"':
        return read_text(p, ret_value);
    case 't':
        return read_word(p, "true", REPRISE_VALUE_BOOL, ret_value);
    case 'f':
        return read_word(p, "false", REPRISE_VALUE_BOOL, ret_value);
    case 'n':
        return read_word(p, "null", REPRISE_VALUE_NULL, ret_value);
    default:
        if (*p->at != '-' && !is_digit(*p->at))
            return expected(p, "a value");
        return read_number(p, ret_value);
    }
}

static reprise_status read_document(parser *p, reprise_value **ret_value)
{
    static const char bom[] = {'\xEF', '\xBB', '\xBF'};
    if (memcmp(p->at, bom, sizeof bom) == 0) {
        p->notes.bom = true;
        p->at += sizeof bom;
    }
    reprise_value *value = NULL;
    while (!value) {
        RP_TRY(read_value(p, &value));
        while (value && p->depth)
            RP_TRY(end_member(p, &value));
    }
    skip_space(p);
    if (p->at < p->end)
        return expected(p, "the end");
    *ret_value = value;
    return REPRISE_OK;
}

/*
 * Sets the path of the error, such as Players[3].Name. A member whose value is complete is not part
 * of it, because the error comes after it. Control characters must not reach a terminal.
 */
static void place_error(const parser *p, const char *stream)
{
    char path[sizeof p->error->path +
              4]; /* longer than the path, so that it is truncated between characters */
    size_t n = 0;
    for (size_t i = 0; i < p->depth; i++) {
        size_t first = p->frames[i].first;
        size_t count = (i + 1 < p->depth ? p->frames[i + 1].first : p->member_count) - first;
        const rp_member *last = count ? &p->members[first + count - 1] : NULL;
        if (!last || last->value || n >= sizeof path - 1)
            break;
        if (!last->key) {
            int wrote = snprintf(path + n, sizeof path - n, "[%zu]", count - 1);
            n = RP_MIN(n + (size_t)RP_MAX(wrote, 0), sizeof path - 1);
            continue;
        }
        if (n)
            path[n++] = '.';
        for (size_t k = 0; k < last->key_size && n < sizeof path - 1; k++)
            path[n++] = is_control(last->key[k]) ? '?' : last->key[k];
    }
    path[n] = '\0';
    rp_error_place(p->error, stream, p->text ? (uint64_t)(p->at - p->text) : 0, path);
}

static reprise_status copy_document(parser *p, const char *text, size_t size)
{
    RP_TRY(rp_limit(size, p->limits->text_bytes_max, "document size", "text_bytes", p->error));
    size_t bytes;
    if (!rp_add(size, PADDING, &bytes))
        return rp_error_set(p->error, REPRISE_E_LIMIT, "document of %zu bytes", size);
    char *copy = rp_arena_alloc(p->arena, bytes, p->error);
    if (!copy)
        return p->error->status;
    if (size)
        memcpy(copy, text, size);
    p->text = p->at = copy;
    p->end = copy + size;
    return REPRISE_OK;
}

reprise_status rp_json_parse(rp_doc *doc, const char *text, size_t size, const char *stream,
                             reprise_value **ret_value, rp_json_notes *notes)
{
    RP_TRY(doc->error->status);
    frame frames[DEPTH_CEILING];
    parser p = {
        .arena = doc->arena,
        .limits = &doc->arena->context->limits,
        .error = doc->error,
        .frames = frames,
        .find_duplicates = notes != NULL,
    };
    reprise_value *value = NULL;
    reprise_status status = copy_document(&p, text, size);
    if (status == REPRISE_OK)
        status = read_document(&p, &value);
    if (status != REPRISE_OK)
        place_error(&p, stream);
    rp_free(p.arena->context, p.members, p.member_capacity * sizeof *p.members);
    RP_TRY(status);
    if (notes)
        *notes = p.notes;
    *ret_value = value;
    return REPRISE_OK;
}
