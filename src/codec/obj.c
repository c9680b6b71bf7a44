/* obj.c - parses OBJ text to meshes; see obj.h. */
#include "obj.h"

#include "checked.h"
#include "floattext.h"

enum {
    NAMES_COMPARED = 32, /* a new name is compared with this many previous ones */
    ITEMS_MAX = 1 << 27, /* of any list, so that indices fit in an int32_t */
};

typedef struct span {
    const char *at, *end;
} span;

struct rp_obj_reader {
    rp_context *context;
    reprise_error own; /* of the writers */
    rp_writer v, vt, vn, corners, faces, names, texts;
    rp_writer line;  /* an incomplete or continued line */
    rp_writer words; /* of a name */
    uint64_t line_number;
    int32_t group, material, smoothing;
};

/* A name, as an offset because the texts may move. */
typedef struct placed_name {
    size_t at, size;
} placed_name;

static void start_mesh(rp_obj_reader *reader)
{
    rp_writer *const lists[] = {&reader->v,     &reader->vt,    &reader->vn,    &reader->corners,
                                &reader->faces, &reader->names, &reader->texts, &reader->line};
    for (size_t i = 0; i < RP_COUNT(lists); i++)
        rp_writer_clear(lists[i]);
    reader->line_number = 0;
    reader->group = reader->material = reader->smoothing = -1;
}

reprise_status rp_obj_open(rp_context *context, rp_obj_reader **ret_reader, reprise_error *error)
{
    rp_obj_reader *reader = rp_alloc_zero(context, 1, sizeof *reader, error);
    if (!reader)
        return error->status;
    reader->context = context;
    size_t items = (size_t)RP_MIN(context->limits.items_max, (uint64_t)ITEMS_MAX);
    rp_writer_init(&reader->v, context, items * 3 * sizeof(double), &reader->own);
    rp_writer_init(&reader->vt, context, items * 2 * sizeof(double), &reader->own);
    rp_writer_init(&reader->vn, context, items * 3 * sizeof(double), &reader->own);
    rp_writer_init(&reader->corners, context, items * sizeof(rp_obj_corner), &reader->own);
    rp_writer_init(&reader->faces, context, items * sizeof(rp_obj_face), &reader->own);
    rp_writer_init(&reader->names, context, items * sizeof(placed_name), &reader->own);
    rp_writer_init(&reader->texts, context, items, &reader->own);
    rp_writer_init(&reader->line, context, (size_t)context->limits.record_bytes_max, &reader->own);
    rp_writer_init(&reader->words, context, items, &reader->own);
    start_mesh(reader);
    *ret_reader = reader;
    return REPRISE_OK;
}

void rp_obj_close(rp_obj_reader *reader)
{
    if (!reader)
        return;
    rp_writer_free(&reader->v);
    rp_writer_free(&reader->vt);
    rp_writer_free(&reader->vn);
    rp_writer_free(&reader->corners);
    rp_writer_free(&reader->faces);
    rp_writer_free(&reader->names);
    rp_writer_free(&reader->texts);
    rp_writer_free(&reader->line);
    rp_writer_free(&reader->words);
    rp_free(reader->context, reader, sizeof *reader);
}

/* ---- pieces of a line ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip_blanks(span *s)
{
    while (s->at < s->end && is_blank(*s->at))
        s->at++;
}

static span take_word(span *s)
{
    skip_blanks(s);
    span word = {s->at, s->at};
    while (word.end < s->end && !is_blank(*word.end))
        word.end++;
    s->at = word.end;
    return word;
}

static bool word_is(span word, const char *text)
{
    size_t size = (size_t)(word.end - word.at);
    return strlen(text) == size && memcmp(word.at, text, size) == 0;
}

static reprise_status wrong(rp_obj_reader *reader, const char *what, span word,
                            reprise_error *error)
{
    rp_error_set(error, REPRISE_E_CORRUPT, "%s: '%.*s'", what, (int)RP_MIN(word.end - word.at, 40),
                 word.at ? word.at : "");
    rp_error_at(error, "line %llu", (unsigned long long)reader->line_number);
    return error->status;
}

/* ---- lines ---- */

/* Reads at least `least` numbers and uses at most `count`; missing ones are 0. */
static reprise_status read_numbers(rp_obj_reader *reader, rp_writer *to, span rest, size_t least,
                                   size_t count, reprise_error *error)
{
    double numbers[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        span word = take_word(&rest);
        size_t size = (size_t)(word.end - word.at);
        if (!size && i >= least)
            break;
        if (!size || (rp_parse_f64(word.at, size, &numbers[i]) != size &&
                      !rp_parse_f64_loose(word.at, size, &numbers[i])))
            return wrong(reader, size ? "not a number" : "numbers are missing", word, error);
    }
    rp_put(to, numbers, count * sizeof numbers[0]);
    return REPRISE_OK;
}

/* Reads one index of a corner: from 1, or negative from the current end of the list. */
static bool read_place(span *word, size_t count, int32_t *ret_place)
{
    bool negative = word->at < word->end && *word->at == '-';
    if (negative)
        word->at++;
    const char *start = word->at;
    int64_t number = 0;
    while (word->at < word->end && *word->at >= '0' && *word->at <= '9' && number <= ITEMS_MAX)
        number = number * 10 + (*word->at++ - '0');
    if (word->at == start || number == 0 || number > ITEMS_MAX ||
        (negative && (uint64_t)number > count))
        return false;
    *ret_place = (int32_t)(negative ? (int64_t)count - number : number - 1);
    return true;
}

/* v, v/vt, v//vn or v/vt/vn. */
static bool read_corner(const rp_obj_reader *reader, span word, rp_obj_corner *ret_corner)
{
    rp_obj_corner corner = {-1, -1, -1};
    if (!read_place(&word, reader->v.size / (3 * sizeof(double)), &corner.v))
        return false;
    if (word.at < word.end && *word.at == '/') {
        word.at++;
        if (word.at < word.end && *word.at != '/' &&
            !read_place(&word, reader->vt.size / (2 * sizeof(double)), &corner.vt))
            return false;
    }
    if (word.at < word.end && *word.at == '/') {
        word.at++;
        if (word.at < word.end &&
            !read_place(&word, reader->vn.size / (3 * sizeof(double)), &corner.vn))
            return false;
    }
    *ret_corner = corner;
    return word.at == word.end;
}

static reprise_status read_face(rp_obj_reader *reader, span rest, reprise_error *error)
{
    rp_obj_face face = {.first = (uint32_t)(reader->corners.size / sizeof(rp_obj_corner)),
                        .group = reader->group,
                        .material = reader->material,
                        .smoothing = reader->smoothing};
    span line = rest;
    for (;;) {
        span word = take_word(&rest);
        if (word.at == word.end || *word.at == '#')
            break;
        rp_obj_corner corner;
        if (!read_corner(reader, word, &corner))
            return wrong(reader, "not a corner of this mesh", word, error);
        rp_put(&reader->corners, &corner, sizeof corner);
        face.count++;
    }
    if (face.count < 3)
        return wrong(reader, "a face needs three corners", line, error);
    rp_put(&reader->faces, &face, sizeof face);
    return REPRISE_OK;
}

/* Returns the index of a name, or -1 for an empty one. */
static int32_t place_name(rp_obj_reader *reader, const char *text, size_t size)
{
    if (!size)
        return -1;
    size_t count = reader->names.size / sizeof(placed_name);
    const placed_name *names = (const placed_name *)(const void *)reader->names.data;
    for (size_t i = count; i-- > 0 && count - i <= NAMES_COMPARED;) {
        if (names[i].size == size && memcmp(reader->texts.data + names[i].at, text, size) == 0)
            return (int32_t)i;
    }
    placed_name name = {.at = reader->texts.size, .size = size};
    rp_put(&reader->texts, text, size);
    rp_put_u8(&reader->texts, 0);
    rp_put(&reader->names, &name, sizeof name);
    return (int32_t)count;
}

/* Returns the rest of the line, trimmed. */
static int32_t read_name(rp_obj_reader *reader, span rest)
{
    skip_blanks(&rest);
    while (rest.end > rest.at && is_blank(rest.end[-1]))
        rest.end--;
    return place_name(reader, rest.at, (size_t)(rest.end - rest.at));
}

/* Returns the words of the rest of the line, separated by single spaces. */
static int32_t read_words(rp_obj_reader *reader, span rest)
{
    rp_writer_clear(&reader->words);
    for (span word = take_word(&rest); word.at < word.end; word = take_word(&rest)) {
        if (reader->words.size)
            rp_put_u8(&reader->words, ' ');
        rp_put(&reader->words, word.at, (size_t)(word.end - word.at));
    }
    return place_name(reader, (const char *)reader->words.data, reader->words.size);
}

static reprise_status read_line(rp_obj_reader *reader, span line, reprise_error *error)
{
    reader->line_number++;
    span word = take_word(&line);
    if (word_is(word, "v"))
        RP_TRY(read_numbers(reader, &reader->v, line, 3, 3, error));
    else if (word_is(word, "vt"))
        RP_TRY(read_numbers(reader, &reader->vt, line, 1, 2, error));
    else if (word_is(word, "vn"))
        RP_TRY(read_numbers(reader, &reader->vn, line, 3, 3, error));
    else if (word_is(word, "f"))
        RP_TRY(read_face(reader, line, error));
    else if (word_is(word, "g"))
        reader->group = read_words(reader, line);
    else if (word_is(word, "usemtl"))
        reader->material = read_name(reader, line);
    else if (word_is(word, "s")) {
        span value = line;
        span state = take_word(&value);
        reader->smoothing = word_is(state, "off") || word_is(state, "0") ? -1
                                                                         : read_name(reader, line);
    }
    if (reader->own.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = reader->own;
    return error->status;
}

/* ---- text ---- */

/* Handles a line end: parses the line, unless a backslash continues it. */
static reprise_status end_line(rp_obj_reader *reader, span line, reprise_error *error)
{
    if (line.end > line.at && line.end[-1] == '\\') {
        rp_put(&reader->line, line.at, (size_t)(line.end - 1 - line.at));
        rp_put_u8(&reader->line, ' ');
        return REPRISE_OK;
    }
    if (reader->line.size) {
        rp_put(&reader->line, line.at, (size_t)(line.end - line.at));
        line = (span){(const char *)reader->line.data,
                      (const char *)reader->line.data + reader->line.size};
        rp_writer_clear(&reader->line);
    }
    return read_line(reader, line, error);
}

reprise_status rp_obj_feed(rp_obj_reader *reader, const char *text, size_t size,
                           reprise_error *error)
{
    const char *end = text + size;
    while (text < end) {
        const char *stop = text;
        while (stop < end && *stop != '\n' && *stop != '\r')
            stop++;
        if (stop == end) {
            rp_put(&reader->line, text, (size_t)(stop - text));
            break;
        }
        /* An incomplete line may end with a backslash from the last piece. */
        span line = {text, stop};
        size_t begun = reader->line.size;
        if (begun && text == stop && reader->line.data[begun - 1] == '\\') {
            reader->line.data[begun - 1] = ' ';
        } else {
            RP_TRY(end_line(reader, line, error));
        }
        text = stop + 1;
    }
    if (reader->own.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = reader->own;
    return error->status;
}

/* Indices may refer to later lines, so they are checked at the end. */
static reprise_status check_corners(const rp_obj *obj, reprise_error *error)
{
    for (uint32_t f = 0; f < obj->face_count; f++) {
        for (uint32_t i = 0; i < obj->faces[f].count; i++) {
            const rp_obj_corner *c = &obj->corners[obj->faces[f].first + i];
            if ((int64_t)c->v < obj->v_count && (int64_t)c->vt < obj->vt_count &&
                (int64_t)c->vn < obj->vn_count)
                continue;
            rp_error_set(error, REPRISE_E_CORRUPT, "corner %d/%d/%d of a mesh with %u/%u/%u places",
                         c->v + 1, c->vt + 1, c->vn + 1, obj->v_count, obj->vt_count,
                         obj->vn_count);
            rp_error_at(error, "face %u", f);
            return error->status;
        }
    }
    return REPRISE_OK;
}

static void *copy_list(rp_arena *arena, const rp_writer *list, reprise_error *error)
{
    void *copy = rp_arena_alloc(arena, RP_MAX(list->size, 1), error);
    if (copy && list->size)
        memcpy(copy, list->data, list->size);
    return copy;
}

static reprise_status copy_names(rp_obj_reader *reader, rp_arena *arena, rp_obj *obj,
                                 reprise_error *error)
{
    const placed_name *placed = (const placed_name *)(const void *)reader->names.data;
    const char *texts = copy_list(arena, &reader->texts, error);
    obj->name_count = (uint32_t)(reader->names.size / sizeof *placed);
    obj->names = rp_arena_array(arena, RP_MAX(obj->name_count, 1), sizeof *obj->names, error);
    for (uint32_t i = 0; texts && obj->names && i < obj->name_count; i++)
        obj->names[i] = (rp_obj_name){.text = texts + placed[i].at, .size = placed[i].size};
    return error->status;
}

reprise_status rp_obj_finish(rp_obj_reader *reader, rp_arena *arena, rp_obj *ret_obj,
                             reprise_error *error)
{
    if (reader->line.size)
        RP_TRY(end_line(reader, (span){NULL, NULL}, error));
    rp_obj obj = {
        .v_count = (uint32_t)(reader->v.size / (3 * sizeof(double))),
        .vt_count = (uint32_t)(reader->vt.size / (2 * sizeof(double))),
        .vn_count = (uint32_t)(reader->vn.size / (3 * sizeof(double))),
        .corner_count = (uint32_t)(reader->corners.size / sizeof(rp_obj_corner)),
        .face_count = (uint32_t)(reader->faces.size / sizeof(rp_obj_face)),
        .v = copy_list(arena, &reader->v, error),
        .vt = copy_list(arena, &reader->vt, error),
        .vn = copy_list(arena, &reader->vn, error),
        .corners = copy_list(arena, &reader->corners, error),
        .faces = copy_list(arena, &reader->faces, error),
    };
    if (error->status != REPRISE_OK)
        return error->status;
    RP_TRY(copy_names(reader, arena, &obj, error));
    RP_TRY(check_corners(&obj, error));
    start_mesh(reader);
    *ret_obj = obj;
    return REPRISE_OK;
}
