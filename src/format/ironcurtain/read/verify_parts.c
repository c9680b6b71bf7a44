/* verify_parts.c - see verify_parts.h. */
#include "verify_parts.h"

#include <stdio.h>

static const ic_leaf *find_leaf(const ic_hasher *in, const rp_text *label)
{
    for (size_t i = 0; i < in->leaf_count; i++) {
        const rp_text *other = &in->leaves[i].label;
        if (rp_text_equal(other, label))
            return &in->leaves[i];
    }
    return NULL;
}

typedef struct naming {
    rp_doc *doc;
    reprise_value *list;
    char *text;
} naming;

static void name_part(naming *n, const rp_text *label)
{
    size_t used = strlen(n->text), count = reprise_value_count(n->list);
    rp_push(n->doc, n->list, rp_new_text_n(n->doc, label->data, label->size));
    snprintf(n->text + used, IC_PARTS_TEXT - used, "%s%.*s", count ? ", " : "",
             (int)RP_MIN(label->size, (size_t)40), label->data);
}

/* An archetype may have entities in only one of the states. */
static void compare_leaves(naming *n, const ic_hasher *ours, const ic_hasher *recorded)
{
    for (size_t i = 0; i < recorded->leaf_count; i++) {
        const ic_leaf *leaf = &recorded->leaves[i], *other = find_leaf(ours, &leaf->label);
        if (!other || memcmp(leaf->hash, other->hash, IC_HASH_SIZE) != 0)
            name_part(n, &leaf->label);
    }
    for (size_t i = 0; i < ours->leaf_count; i++) {
        if (!find_leaf(recorded, &ours->leaves[i].label))
            name_part(n, &ours->leaves[i].label);
    }
}

reprise_status ic_differing_parts(rp_context *context, const ic_core *ours, const ic_core *recorded,
                                  rp_doc *doc, reprise_value *ret_list, char text[IC_PARTS_TEXT],
                                  reprise_error *error)
{
    ic_hasher a = {0}, b = {0};
    uint8_t hash[IC_HASH_SIZE];
    text[0] = '\0';
    reprise_status status = ic_hasher_init(&a, context, error);
    if (status == REPRISE_OK)
        status = ic_hasher_init(&b, context, error);
    if (status == REPRISE_OK)
        status = ic_state_hash(&a, ours, hash, error);
    if (status == REPRISE_OK)
        status = ic_state_hash(&b, recorded, hash, error);
    if (status == REPRISE_OK)
        compare_leaves(&(naming){doc, ret_list, text}, &a, &b);
    ic_hasher_free(&a);
    ic_hasher_free(&b);
    return status;
}
