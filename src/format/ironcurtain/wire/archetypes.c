/* archetypes.c - groups the entities of a state by archetype. */
#include "state.h"

/* Heap sort: a hostile file may have as many archetypes as entities. */
static void sift(ic_group *groups, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && rp_text_order(&groups[child].name, &groups[child + 1].name) < 0)
            child++;
        if (rp_text_order(&groups[at].name, &groups[child].name) >= 0)
            return;
        ic_group swap = groups[at];
        groups[at] = groups[child];
        groups[child] = swap;
    }
}

static void sort_groups(ic_group *groups, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift(groups, i, count);
    for (size_t end = count; end-- > 1;) {
        ic_group swap = groups[0];
        groups[0] = groups[end];
        groups[end] = swap;
        sift(groups, 0, end);
    }
}

reprise_status ic_archetypes_init(ic_archetypes *groups, const ic_intern *table, size_t entities,
                                  rp_arena *arena, reprise_error *error)
{
    size_t names = table->entries.count;
    *groups = (ic_archetypes){
        .name_count = names,
        .names = table->entries.items,
        .of = rp_arena_room(arena, RP_MIN(entities, names), sizeof(ic_group), error),
        .of_name = rp_arena_array(arena, names, sizeof(uint32_t), error),
        .next = rp_arena_room(arena, entities, sizeof(uint32_t), error),
        .unnamed = IC_NO_ENTITY};
    return error->status;
}

/* Starts the group of an archetype with its first entity. */
void ic_archetypes_open(ic_archetypes *groups, uint32_t name, uint32_t entity)
{
    if (name >= groups->name_count) {
        groups->unnamed = RP_MIN(groups->unnamed, entity);
        return;
    }
    groups->of[groups->count++] = (ic_group){groups->names[name], entity, entity, 1};
    groups->of_name[name] = (uint32_t)groups->count;
}

void ic_archetypes_end(ic_archetypes *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        groups->next[groups->of[i].last] = IC_NO_ENTITY;
    sort_groups(groups->of, groups->count);
}
