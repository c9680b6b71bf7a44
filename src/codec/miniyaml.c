/* miniyaml.c - see miniyaml.h. */
#include "miniyaml.h"

#include "checked.h"

enum { SPACES_PER_LEVEL = 4 };

rp_yaml rp_yaml_of(const char *text, size_t size, const char *stream, reprise_error *error)
{
    return (rp_yaml){.text = text, .size = size, .stream = stream, .error = error};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_indent(char c)
{
    return c == ' ' || c == '\t';
}

/* Returns the start of a comment, or the end. A `#` after a backslash is text. */
static size_t comment_start(const char *text, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++) {
        if (text[i] == '#' && (i == from || text[i - 1] != '\\'))
            return i;
    }
    return end;
}

static void trim(const char *text, size_t *from, size_t *end)
{
    while (*from < *end && is_blank(text[*from]))
        ++*from;
    while (*end > *from && is_blank(text[*end - 1]))
        --*end;
}

static size_t read_indent(const char *text, size_t *at, size_t end)
{
    size_t depth = 0, spaces = 0;
    for (; *at < end && is_indent(text[*at]); ++*at) {
        if (text[*at] == '\t') {
            depth++;
        } else if (++spaces == SPACES_PER_LEVEL) {
            spaces = 0;
            depth++;
        }
    }
    return depth;
}

/* Guards keep leading and trailing blanks: `\ ` before and ` \` after the text. */
static void set_value(rp_yaml_node *node, const char *text, size_t from, size_t end)
{
    node->value_offset = from;
    node->value_extent = end - from;
    if (end - from > 1) {
        bool front = text[from] == '\\' && is_indent(text[from + 1]);
        bool back = text[end - 1] == '\\' && is_indent(text[end - 2]);
        from += front;
        end -= back && end > from;
    }
    node->value = from < end ? text + from : NULL;
    node->value_size = end - from;
}

/* Splits one line. Returns false if it has no node. */
static bool read_line(const char *text, size_t from, size_t end, rp_yaml_node *node)
{
    node->line_offset = from;
    node->depth = read_indent(text, &from, end);
    size_t stop = comment_start(text, from, end);
    const char *colon = stop > from ? memchr(text + from, ':', stop - from) : NULL;
    size_t key_end = colon ? (size_t)(colon - text) : stop;
    size_t value_from = colon ? key_end + 1 : stop;
    trim(text, &from, &key_end);
    if (from == key_end)
        return false;
    node->key = text + from;
    node->key_size = key_end - from;
    size_t after_colon = value_from;
    trim(text, &value_from, &stop);
    set_value(node, text, value_from, stop);
    if (!node->value_extent)
        node->value_offset = after_colon;
    return true;
}

bool rp_yaml_next(rp_yaml *yaml, rp_yaml_node *ret_node)
{
    while (yaml->at < yaml->size && yaml->error->status == REPRISE_OK) {
        size_t from = yaml->at;
        const char *feed = memchr(yaml->text + from, '\n', yaml->size - from);
        size_t end = feed ? (size_t)(feed - yaml->text) : yaml->size;
        yaml->at = feed ? end + 1 : end;
        yaml->line++;
        rp_yaml_node node = {.line = yaml->line};
        if (!read_line(yaml->text, from, end, &node))
            continue;
        if (node.depth > yaml->depth_next) {
            rp_error_set(yaml->error, REPRISE_E_CORRUPT, "bad indent in line %zu", node.line);
            rp_error_place(yaml->error, yaml->stream, from, "");
            return false;
        }
        yaml->depth_next = node.depth + 1;
        *ret_node = node;
        return true;
    }
    return false;
}

bool rp_yaml_is(const rp_yaml_node *node, const char *key)
{
    return strlen(key) == node->key_size && memcmp(node->key, key, node->key_size) == 0;
}

bool rp_yaml_has_prefix(const rp_yaml_node *node, const char *name, const char **ret_rest,
                        size_t *ret_size)
{
    size_t size = strlen(name);
    if (node->key_size <= size || node->key[size] != '@' || memcmp(node->key, name, size) != 0)
        return false;
    *ret_rest = node->key + size + 1;
    *ret_size = node->key_size - size - 1;
    return true;
}

const char *rp_yaml_text(rp_arena *arena, const rp_yaml_node *node, size_t *ret_size,
                         reprise_error *error)
{
    *ret_size = node->value_size;
    if (!node->value)
        return "";
    if (!memchr(node->value, '#', node->value_size))
        return node->value;
    char *copy = rp_arena_alloc(arena, node->value_size, error);
    size_t size = 0;
    for (size_t i = 0; copy && i < node->value_size; i++) {
        bool escape = node->value[i] == '\\' && i + 1 < node->value_size &&
                      node->value[i + 1] == '#';
        if (!escape)
            copy[size++] = node->value[i];
    }
    *ret_size = size;
    return copy;
}

int64_t rp_yaml_int(const rp_yaml_node *node, int64_t fallback)
{
    size_t i = 0;
    bool minus = node->value_size && node->value[0] == '-';
    i += minus;
    if (i == node->value_size || node->value_size - i > 18)
        return fallback;
    int64_t number = 0;
    for (; i < node->value_size; i++) {
        if (node->value[i] < '0' || node->value[i] > '9')
            return fallback;
        number = number * 10 + (node->value[i] - '0');
    }
    return minus ? -number : number;
}

static bool same_word(const rp_yaml_node *node, const char *word)
{
    size_t size = strlen(word);
    if (node->value_size != size)
        return false;
    for (size_t i = 0; i < size; i++) {
        if ((node->value[i] | 0x20) != word[i])
            return false;
    }
    return true;
}

bool rp_yaml_bool(const rp_yaml_node *node)
{
    return same_word(node, "true") || same_word(node, "yes");
}

/* ---- documents ---- */

/* A node with children is an object; a leaf is a text or null. */
typedef struct level {
    reprise_value *object;
    const char *key; /* of the node that may get children */
    rp_yaml_node node;
} level;

static reprise_value *leaf(rp_doc *doc, const rp_yaml_node *node)
{
    if (!node->value)
        return rp_new_null(doc);
    size_t size;
    const char *text = rp_yaml_text(doc->arena, node, &size, doc->error);
    return text ? rp_new_text_n(doc, text, size) : NULL;
}

/* Keys of a document end at a NUL, so NULs in a key become U+FFFD. */
static const char *document_key(rp_doc *doc, const rp_yaml_node *node)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    enum { MORE = sizeof replacement - 1 };
    if (!memchr(node->key, 0, node->key_size))
        return rp_arena_text(doc->arena, node->key, node->key_size, doc->error);
    size_t room = 0, size = 0;
    for (size_t i = 0; i < node->key_size; i++)
        room += node->key[i] ? 1 : MORE;
    char *key = rp_arena_alloc(doc->arena, room + 1, doc->error);
    for (size_t i = 0; key && i < node->key_size; i++) {
        size_t n = node->key[i] ? 1 : MORE;
        memcpy(key + size, node->key[i] ? &node->key[i] : replacement, n);
        size += n;
    }
    if (key)
        key[size] = 0;
    return key;
}

/* Turns a node that has children into an object, with its value as a member. */
static reprise_value *open_level(rp_doc *doc, level *parent)
{
    reprise_value *object = rp_set_object(doc, parent->object, parent->key);
    if (parent->node.value)
        rp_set(doc, object, "", leaf(doc, &parent->node));
    parent->key = NULL;
    return object;
}

static void close_leaf(rp_doc *doc, level *l)
{
    if (l->key)
        rp_set(doc, l->object, l->key, leaf(doc, &l->node));
    l->key = NULL;
}

reprise_status rp_yaml_document(rp_doc *doc, const rp_limits *limits, const char *text, size_t size,
                                const char *stream, reprise_value **ret_value)
{
    enum { LEVELS = 64 };
    level levels[LEVELS] = {{.object = rp_new_object(doc)}};
    RP_TRY(rp_limit(size, limits->text_bytes_max, stream, "text_bytes", doc->error));
    size_t depth_max = (size_t)RP_MIN(limits->depth_max, (uint64_t)LEVELS);
    rp_yaml yaml = rp_yaml_of(text, size, stream, doc->error);
    rp_yaml_node node;
    size_t deepest = 0;
    while (rp_yaml_next(&yaml, &node)) {
        RP_TRY(rp_limit(node.depth + 1, depth_max, "nesting", "depth", doc->error));
        if (node.depth > deepest)
            levels[node.depth].object = open_level(doc, &levels[deepest]);
        for (size_t i = deepest + 1; i-- > node.depth;)
            close_leaf(doc, &levels[i]);
        deepest = node.depth;
        levels[deepest].key = document_key(doc, &node);
        levels[deepest].node = node;
    }
    for (size_t i = deepest + 1; i-- > 0;)
        close_leaf(doc, &levels[i]);
    RP_TRY(doc->error->status);
    *ret_value = levels[0].object;
    return REPRISE_OK;
}

/* ---- writing ---- */

/* Writes a guard for a blank at either end. */
static void put_value(rp_writer *w, const char *value, size_t size)
{
    if (size && is_indent(value[0]))
        rp_put_u8(w, '\\');
    for (size_t i = 0; i < size; i++) {
        if (value[i] == '#')
            rp_put_u8(w, '\\');
        rp_put_u8(w, (uint8_t)value[i]);
    }
    if (size && is_indent(value[size - 1]))
        rp_put_u8(w, '\\');
}

void rp_yaml_put(rp_writer *w, size_t depth, const char *key, const char *value, size_t size)
{
    for (size_t i = 0; i < depth; i++)
        rp_put_u8(w, '\t');
    rp_put_text(w, key);
    rp_put_u8(w, ':');
    if (size) {
        rp_put_u8(w, ' ');
        put_value(w, value, size);
    }
    rp_put_u8(w, '\n');
}

void rp_yaml_splice(rp_writer *w, const rp_yaml *yaml, const rp_yaml_node *node, const char *value,
                    size_t size, size_t *copied)
{
    rp_put(w, yaml->text + *copied, node->value_offset - *copied);
    if (size && !node->value_extent)
        rp_put_u8(w, ' ');
    put_value(w, value, size);
    *copied = node->value_offset + node->value_extent;
}
