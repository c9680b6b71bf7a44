/* read_rows.c - emits the rows of states, frames and resources. */
#include "read.h"

rp_row ic_row(const ic_decoder *d, uint32_t track, const void *data)
{
    double seconds = d->replay ? d->replay->tick_seconds : 1 / 15.0;
    return (rp_row){.track = track,
                    .index = (int64_t)d->step_tick,
                    .time = (double)d->step_tick * seconds,
                    .present = UINT64_MAX,
                    .data = data};
}

rp_text ic_name(const ic_core *core, uint64_t id)
{
    const ic_text *names = core->intern_table.entries.items;
    return id < core->intern_table.entries.count ? names[id] : (rp_text){0};
}

#define NEW_ROW(d, T, error) ((T *)rp_arena_alloc(&(d)->rows, sizeof(T), error))

/* ---- frames ---- */

static reprise_status emit_order(ic_decoder *d, const ic_order *order, reprise_error *error)
{
    ic_order_data *row = NEW_ROW(d, ic_order_data, error);
    if (!row)
        return error->status;
    const char *kind = ic_player_order.names[order->order.variant];
    row->order = *order;
    row->derived.kind = (rp_text){kind, strlen(kind)};
    if (order->order.variant == ic_player_order_V_GameOrder)
        row->derived.game_order = ic_game_order_decode(order->order.as.game_order, &d->rows, error);
    return rp_emit(&d->base, ic_row(d, IC_T_ORDERS, row), error);
}

reprise_status ic_emit_frame(ic_decoder *d, const ic_frame *frame, reprise_error *error)
{
    const ic_order *orders = frame->orders.items;
    if (rp_selected(&d->base, IC_T_TICKS)) {
        ic_tick_row *row = NEW_ROW(d, ic_tick_row, error);
        if (!row)
            return error->status;
        *row = (ic_tick_row){frame->state_hash, (uint32_t)frame->orders.count};
        RP_TRY(rp_emit(&d->base, ic_row(d, IC_T_TICKS, row), error));
    }
    for (size_t i = 0; rp_selected(&d->base, IC_T_ORDERS) && i < frame->orders.count; i++)
        RP_TRY(emit_order(d, &orders[i], error));
    return error->status;
}

/* ---- keyframes ---- */

static void describe_core(const ic_core *core, const uint8_t hash[IC_HASH_SIZE],
                          ic_keyframe_data *ret)
{
    ret->derived.entities = (uint32_t)core->entities.count;
    ret->derived.interned = (uint32_t)core->intern_table.entries.count;
    ret->state.rng = core->rng_state.s;
    ret->state.game_seed = core->game_seed;
    memcpy(ret->state.state_hash, hash, IC_HASH_SIZE);
    memcpy(ret->state.map_hash, core->map_hash, sizeof ret->state.map_hash);
    ret->state.map_width = core->map_state.width;
    ret->state.map_height = core->map_state.height;
}

reprise_status ic_emit_keyframe(ic_decoder *d, const ic_piece *piece, reprise_error *error)
{
    ic_loader *loader = &d->loader;
    const rp_writer *raw = piece->is_full ? &loader->full.bytes : &loader->now.bytes;
    ic_keyframe_data *row = NEW_ROW(d, ic_keyframe_data, error);
    if (!row)
        return error->status;
    row->stored = (ic_keyframe_row){piece->decoded_size, piece->is_full};
    row->derived.blob_offset = piece->blob_offset;
    row->derived.blob_length = piece->size;
    describe_core(&loader->now.core, loader->now.hash, row);
    row->derived.baseline_tick = loader->full.core.tick;
    ic_digest(&loader->hasher, raw->data, raw->size, row->derived.raw_sha256);
    row->derived.has_campaign = loader->has_campaign;
    row->derived.has_script = loader->has_script;
    return rp_emit(&d->base, ic_row(d, IC_T_KEYFRAMES, row), error);
}

reprise_status ic_emit_save(ic_decoder *d, reprise_error *error)
{
    const ic_save_header *h = &((const ic_save *)d->base.replay)->header;
    ic_save_state *save = &d->save;
    ic_keyframe_data *row = NEW_ROW(d, ic_keyframe_data, error);
    if (!row)
        return error->status;
    row->stored = (ic_keyframe_row){h->uncompressed_length, true};
    row->derived.blob_length = h->payload_length;
    describe_core(&save->snapshot.core, save->hash, row);
    row->derived.baseline_tick = save->snapshot.core.tick;
    ic_digest(&save->hasher, save->bytes.data, save->bytes.size, row->derived.raw_sha256);
    row->derived.has_campaign = save->snapshot.campaign_state != NULL;
    row->derived.has_script = save->snapshot.script_state != NULL;
    return rp_emit(&d->base, ic_row(d, IC_T_KEYFRAMES, row), error);
}

/* ---- entities ---- */

/* Fields of the row that a component fills. */
static uint64_t fields_of(uint64_t components)
{
    static const uint64_t three = 7;
    uint64_t fields = 7; /* index, generation, removed */
    if (IC_HAS(components, Identity))
        fields |= three << ic_entity_row_F_archetype;
    if (IC_HAS(components, Position))
        fields |= three << ic_entity_row_F_pos_x;
    if (IC_HAS(components, Health))
        fields |= UINT64_C(3) << ic_entity_row_F_health;
    for (size_t i = 3; i < IC_COMPONENT_COUNT; i++) {
        if (components >> ic_component_bits[i] & 1)
            fields |= UINT64_C(1) << (ic_entity_row_F_mobile + i - 3);
    }
    return fields;
}

#define KEEP(member, name)                                                 \
    if (IC_HAS(c->mask, name)) {                                           \
        ic_##member *copy = rp_arena_alloc(&d->rows, sizeof *copy, error); \
        if (copy)                                                          \
            *copy = c->member;                                             \
        row->member = copy;                                                \
    }

static void fill_entity(ic_decoder *d, const ic_components *c, ic_entity_row *row,
                        reprise_error *error)
{
    row->archetype = c->identity.archetype;
    row->unit_type = c->identity.unit_type;
    row->owner = c->identity.owner;
    row->pos_x = c->position.pos.x;
    row->pos_y = c->position.pos.y;
    row->pos_z = c->position.pos.z;
    row->health = c->health.current;
    row->health_max = c->health.max;
    KEEP(mobile, Mobile)
    KEEP(navigation, Navigation)
    KEEP(attackable, Attackable)
    KEEP(armament, Armament)
    KEEP(building, Building)
    KEEP(build_queue, BuildQueue)
    KEEP(harvester, Harvester)
    KEEP(veterancy, Veterancy)
    KEEP(extension, Extension)
}

static reprise_status emit_queue(ic_decoder *d, const ic_core *core, const ic_entity *entity,
                                 const ic_build_queue *queue, reprise_error *error)
{
    const ic_queue_item *items = queue->items.items;
    for (size_t i = 0; i < queue->items.count; i++) {
        ic_queue_data *row = NEW_ROW(d, ic_queue_data, error);
        if (!row)
            return error->status;
        row->place = (ic_queue_place){entity->tag.index, entity->tag.generation, (uint32_t)i,
                                      queue->paused};
        row->item = items[i];
        row->derived.item = ic_name(core, items[i].actor_type);
        RP_TRY(rp_emit(&d->base, ic_row(d, IC_T_QUEUES, row), error));
    }
    return REPRISE_OK;
}

static reprise_status emit_entity(ic_decoder *d, const ic_core *core, const ic_entity *entity,
                                  uint64_t stored, bool removed, reprise_error *error)
{
    ic_components c = {0};
    rp_reader r = rp_reader_of(entity->components.data, entity->components.size, "components",
                               error);
    ic_components_read(&r, &d->rows, entity->component_mask, &c);
    RP_TRY(error->status);
    if (rp_selected(&d->base, IC_T_ENTITIES)) {
        ic_entity_data *row = NEW_ROW(d, ic_entity_data, error);
        if (!row)
            return error->status;
        row->stored.index = entity->tag.index;
        row->stored.generation = entity->tag.generation;
        row->stored.removed = removed;
        fill_entity(d, &c, &row->stored, error);
        row->derived.type = ic_name(core, c.identity.unit_type);
        row->derived.archetype_name = ic_name(core, c.identity.archetype);
        rp_row shown = ic_row(d, IC_T_ENTITIES, row);
        shown.object = entity->tag.index;
        shown.present = fields_of(stored);
        RP_TRY(rp_emit(&d->base, shown, error));
    }
    if (rp_selected(&d->base, IC_T_QUEUES) && IC_HAS(stored, BuildQueue) && !removed)
        RP_TRY(emit_queue(d, core, entity, &c.build_queue, error));
    return error->status;
}

static const ic_entity *find_entity(const ic_core *core, const ic_tag *tag)
{
    const ic_entity *entities = core->entities.items;
    size_t low = 0, high = core->entities.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entities[middle].tag.index < tag->index)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < core->entities.count && entities[low].tag.index == tag->index &&
                 entities[low].tag.generation == tag->generation;
    return found ? &entities[low] : NULL;
}

static reprise_status emit_entities(ic_decoder *d, const ic_state_view *view, reprise_error *error)
{
    const ic_entity *entities = view->core->entities.items;
    if (!view->delta) {
        for (size_t i = 0; i < view->core->entities.count; i++)
            RP_TRY(
                emit_entity(d, view->core, &entities[i], entities[i].component_mask, false, error));
        return REPRISE_OK;
    }
    const ic_entity_delta *changes = view->delta->changed_entities.items;
    for (size_t i = 0; i < view->delta->changed_entities.count; i++) {
        bool removed = changes[i].is_removed;
        const ic_entity *entity = find_entity(removed ? view->before : view->core,
                                              &changes[i].entity);
        if (entity) /* the world record is not an entity */
            RP_TRY(emit_entity(d, view->core, entity, changes[i].change_mask, removed, error));
    }
    return REPRISE_OK;
}

/* ---- players and cells ---- */

static reprise_status emit_players(ic_decoder *d, const ic_state_view *view, reprise_error *error)
{
    const ic_player *players = view->core->player_states.items;
    const ic_player_delta *changes = view->delta ? view->delta->changed_players.items : NULL;
    size_t change_count = view->delta ? view->delta->changed_players.count : 0, next = 0;
    for (size_t i = 0; i < view->core->player_states.count; i++) {
        uint64_t stored = UINT64_MAX;
        if (view->delta) {
            if (next == change_count || changes[next].player != players[i].player)
                continue;
            stored = (uint64_t)changes[next++].change_mask << 1 | 1;
        }
        ic_player_data *row = NEW_ROW(d, ic_player_data, error);
        if (!row)
            return error->status;
        row->stored = players[i];
        row->derived.faction_name = ic_name(view->core, players[i].faction);
        rp_row shown = ic_row(d, IC_T_PLAYERS, row);
        shown.object = players[i].player;
        shown.present = stored;
        RP_TRY(rp_emit(&d->base, shown, error));
    }
    return REPRISE_OK;
}

static reprise_status emit_cells(ic_decoder *d, const ic_state_view *view, reprise_error *error)
{
    const reprise_ic_map_cell_list *cells = &view->core->map_state.cells;
    if (view->delta) {
        const ic_map_delta *change = view->delta->changed_map;
        if (!change)
            return REPRISE_OK;
        cells = &change->changed_cells;
    }
    const ic_map_cell *items = cells->items;
    for (size_t i = 0; i < cells->count; i++) {
        ic_cell_data *row = NEW_ROW(d, ic_cell_data, error);
        if (!row)
            return error->status;
        const ic_u32 *resource = items[i].state.resource;
        row->stored = items[i];
        row->derived.terrain_name = ic_name(view->core, items[i].state.terrain);
        row->derived.resource_name = ic_name(view->core, resource ? *resource : UINT64_MAX);
        rp_row shown = ic_row(d, IC_T_MAP_CELLS, row);
        shown.object = (uint32_t)items[i].cell.y << 12 | (uint32_t)items[i].cell.x;
        RP_TRY(rp_emit(&d->base, shown, error));
    }
    return REPRISE_OK;
}

/* Names are only ever appended, so each is emitted once. */
static reprise_status emit_strings(ic_decoder *d, const ic_core *core, reprise_error *error)
{
    const ic_text *names = core->intern_table.entries.items;
    for (; d->strings_given < core->intern_table.entries.count; d->strings_given++) {
        ic_string_row *row = NEW_ROW(d, ic_string_row, error);
        if (!row)
            return error->status;
        *row = (ic_string_row){d->strings_given, names[d->strings_given]};
        RP_TRY(rp_emit(&d->base, ic_row(d, IC_T_STRINGS, row), error));
    }
    return REPRISE_OK;
}

/* ---- campaign and scripts ---- */

static reprise_status emit_vars(ic_decoder *d, const reprise_ic_var_list *vars, uint8_t kind,
                                reprise_error *error)
{
    const ic_var *items = vars->items;
    for (size_t i = 0; i < vars->count; i++) {
        ic_var_data *row = NEW_ROW(d, ic_var_data, error);
        if (!row)
            return error->status;
        *row = (ic_var_data){{kind}, items[i]};
        RP_TRY(rp_emit(&d->base, ic_row(d, IC_T_VARS, row), error));
    }
    return REPRISE_OK;
}

static reprise_status emit_scripts(ic_decoder *d, const reprise_ic_mod_state_list *states,
                                   uint8_t kind, reprise_error *error)
{
    const ic_mod_state *items = states->items;
    for (size_t i = 0; i < states->count; i++) {
        ic_script_data *row = NEW_ROW(d, ic_script_data, error);
        if (!row)
            return error->status;
        *row = (ic_script_data){{kind}, items[i]};
        RP_TRY(rp_emit(&d->base, ic_row(d, IC_T_SCRIPTS, row), error));
    }
    return REPRISE_OK;
}

static reprise_status emit_campaign(ic_decoder *d, const ic_state_view *view, reprise_error *error)
{
    if (view->campaign && rp_selected(&d->base, IC_T_CAMPAIGN))
        RP_TRY(rp_emit(&d->base, ic_row(d, IC_T_CAMPAIGN, view->campaign), error));
    if (view->script && rp_selected(&d->base, IC_T_SCRIPTS)) {
        RP_TRY(emit_scripts(d, &view->script->lua_states, 0, error));
        RP_TRY(emit_scripts(d, &view->script->wasm_states, 1, error));
    }
    if (!rp_selected(&d->base, IC_T_VARS))
        return REPRISE_OK;
    if (view->campaign)
        RP_TRY(emit_vars(d, &view->campaign->flags, 0, error));
    return view->script ? emit_vars(d, &view->script->mission_vars, 1, error) : REPRISE_OK;
}

reprise_status ic_emit_state(ic_decoder *d, const ic_state_view *view, reprise_error *error)
{
    if (rp_selected(&d->base, IC_T_ENTITIES) || rp_selected(&d->base, IC_T_QUEUES))
        RP_TRY(emit_entities(d, view, error));
    if (rp_selected(&d->base, IC_T_PLAYERS))
        RP_TRY(emit_players(d, view, error));
    if (rp_selected(&d->base, IC_T_MAP_CELLS))
        RP_TRY(emit_cells(d, view, error));
    if (rp_selected(&d->base, IC_T_STRINGS))
        RP_TRY(emit_strings(d, view->core, error));
    return emit_campaign(d, view, error);
}

/* ---- resources ---- */

typedef struct resources {
    ic_decoder *d;
    ic_hasher hasher;
    rp_writer bytes;
    reprise_error *error;
} resources;

static reprise_status emit_resource(resources *s, const char *kind, rp_text mod, rp_text name,
                                    const void *data, size_t size, size_t stored)
{
    ic_resource_row *row = NEW_ROW(s->d, ic_resource_row, s->error);
    if (!row)
        return s->error->status;
    *row = (ic_resource_row){.kind = {kind, strlen(kind)},
                             .mod = mod,
                             .name = name,
                             .size = size,
                             .stored_size = stored};
    ic_digest(&s->hasher, data, size, row->sha256);
    return rp_emit(&s->d->base, ic_row(s->d, IC_T_RESOURCES, row), s->error);
}

static reprise_status emit_packed(resources *s, const char *kind, const ic_bytes *packed,
                                  uint64_t size_max)
{
    if (!packed)
        return REPRISE_OK;
    RP_TRY(ic_embedded_unpack(s->d->replay, packed, size_max, &s->bytes, s->error));
    rp_text none = {0};
    return emit_resource(s, kind, none, none, s->bytes.data, s->bytes.size, packed->value.size);
}

static reprise_status emit_all(resources *s, const ic_embedded *embedded)
{
    rp_text none = {0};
    const ic_manifest *manifest = embedded->mod_manifest;
    RP_TRY(emit_packed(s, "map", embedded->map_data, IC_MAP_MAX));
    for (size_t i = 0; manifest && i < manifest->rules.count; i++) {
        const ic_rule *rule = (const ic_rule *)manifest->rules.items + i;
        RP_TRY(emit_resource(s, "rule", rule->mod_id, rule->path, rule->yaml.data, rule->yaml.size,
                             rule->yaml.size));
    }
    const ic_text *preset = embedded->balance_preset;
    if (preset)
        RP_TRY(emit_resource(s, "balance_preset", none, *preset, preset->data, preset->size,
                             preset->size));
    return emit_packed(s, "initial_state", embedded->initial_state, IC_UNIT_MAX);
}

reprise_status ic_emit_resources(ic_decoder *d, reprise_error *error)
{
    resources s = {.d = d, .error = error};
    ic_embedded embedded;
    RP_TRY(ic_embedded_load(d->replay, &d->rows, &embedded, error));
    if (!d->replay->sections[IC_EMBEDDED].present)
        return REPRISE_OK;
    RP_TRY(ic_embedded_check(d->replay, &embedded, error));
    rp_writer_init(&s.bytes, d->base.replay->context, IC_UNIT_MAX + 1, error);
    reprise_status status = ic_hasher_init(&s.hasher, d->base.replay->context, error);
    if (status == REPRISE_OK)
        status = emit_all(&s, &embedded);
    ic_hasher_free(&s.hasher);
    rp_writer_free(&s.bytes);
    return status;
}
