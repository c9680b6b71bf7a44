/*
 * edit_release_text.c - converts lobby and trailer texts of one release to those of another.
 *
 * A game accepts only its own keys and forms: a colour in the form of an older release makes it
 * reject the complete trailer. Everything not named here is kept.
 */
#include "write.h"

#include <stdio.h>

#include "miniyaml.h"

static bool is_colour(const char *key, size_t size)
{
    static const char *const keys[] = {"Color", "PreferredColor"};
    for (size_t i = 0; i < RP_COUNT(keys); i++) {
        if (strlen(keys[i]) == size && memcmp(keys[i], key, size) == 0)
            return true;
    }
    return false;
}

/* Up to release-20150919 factions were called races. */
static const char *newer_key(const ora_dialect *to, const rp_yaml_node *node)
{
    if (to == &ora_dialects[0])
        return NULL;
    return rp_yaml_is(node, "Race")       ? "Faction"
           : rp_yaml_is(node, "LockRace") ? "LockFaction"
                                          : NULL;
}

typedef struct text_copy {
    rp_writer *to;
    rp_yaml yaml;
    size_t copied; /* bytes of the text that were written or dropped */
} text_copy;

static void copy_to(text_copy *c, size_t end)
{
    if (end > c->copied)
        rp_put(c->to, c->yaml.text + c->copied, end - c->copied);
    c->copied = RP_MAX(c->copied, end);
}

static void convert_colour(text_copy *c, const ora_dialect *to, const rp_yaml_node *node)
{
    char before[ORA_COLOUR_SIZE], after[ORA_COLOUR_SIZE];
    if (!node->value || node->value_size >= sizeof before)
        return;
    memcpy(before, node->value, node->value_size);
    before[node->value_size] = '\0';
    if (ora_colour_convert(to, before, after))
        rp_yaml_splice(c->to, &c->yaml, node, after, strlen(after), &c->copied);
}

static void convert_key(text_copy *c, const rp_yaml_node *node, const char *key)
{
    copy_to(c, (size_t)(node->key - c->yaml.text));
    rp_put_text(c->to, key);
    c->copied += node->key_size;
}

/* A handshake names the protocol of the file. */
static void put_protocol(text_copy *c, const ora_dialect *to)
{
    char number[16];
    snprintf(number, sizeof number, "%d", to->protocol);
    copy_to(c, c->yaml.at);
    if (c->copied && c->yaml.text[c->copied - 1] != '\n')
        rp_put_u8(c->to, '\n');
    rp_yaml_put(c->to, 1, "OrdersProtocol", number, strlen(number));
}

static void leave_out_line(text_copy *c, const rp_yaml_node *node)
{
    copy_to(c, node->line_offset);
    c->copied = c->yaml.at;
}

void ora_convert_text(rp_writer *w, const ora_dialect *to, const rp_text *order,
                      const rp_text *text)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    text_copy c = {w, rp_yaml_of(text->data, text->size, "text", &damage), 0};
    bool declares = to->protocol && ora_is(order, "HandshakeResponse");
    rp_yaml_node node;
    while (rp_yaml_next(&c.yaml, &node)) {
        const char *key = newer_key(to, &node);
        if (node.depth == 0 && declares && rp_yaml_is(&node, "Handshake"))
            put_protocol(&c, to);
        else if (node.depth == 1 && rp_yaml_is(&node, "OrdersProtocol"))
            leave_out_line(&c, &node);
        else if (node.depth == 1 && key)
            convert_key(&c, &node, key);
        else if (node.depth == 1 && is_colour(node.key, node.key_size))
            convert_colour(&c, to, &node);
    }
    copy_to(&c, text->size);
}

size_t ora_convert_header(rp_doc *doc, const ora_dialect *to, reprise_value *header)
{
    size_t changed = 0;
    for (size_t i = 0; i < reprise_value_count(header); i++) {
        reprise_value *node = header->as.list.items[i].value;
        char after[ORA_COLOUR_SIZE];
        const char *before = rp_get_text(node, "Color");
        if (!before || !ora_colour_convert(to, before, after))
            continue;
        rp_replace(doc, node, "Color", rp_new_text(doc, after));
        changed++;
    }
    return changed;
}
