/*
 * redact.c - removes private data: names of players and custom names, skins, the recording program,
 * and the place in the world.
 *
 * Entities and their members are named after the name tag in the game. A name that is only that of
 * the kind (Zombie, Zombie.1) is kept. Skins are textures that only players wear; what others wear
 * too belongs to the game. The world has no players, so there a skin is a texture that the game
 * fetched for a person: heads of people are blocks. To hide the place, everything is moved by whole
 * sections to where the offset would have put it; else every position would reveal it.
 */
#include <math.h>
#include <stdio.h>

#include "json.h"
#include "write.h"

enum { SECTION_SIDE = 16, WORLD_MAX = 30000000 };

static const char *const attributes[] = {"color",    "color2", "roughness",
                                         "metallic", "normal", "emission"};

typedef struct own {
    const char **names;           /* by entity; NULL: keeps its own */
    rp_dictionary worn, shared;   /* materials of players, and of other entities */
    rp_dictionary common;         /* textures of materials that are not worn by players only */
    rp_dictionary skins;          /* textures */
    rp_dictionary skin_materials; /* materials with these */
    bool world_skins;             /* the world has private ones too */
    int32_t move[3];              /* blocks */
    bool moves;
} own;

static bool removes(const rp_plan *plan, uint32_t what)
{
    return (plan->edit.remove & what) != 0;
}

static bool contains(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

/* Whether the game fetched a texture for a person, no matter who shows it. */
bool mc_is_fetched(const char *id)
{
    return strncmp(id, "skins/", 6) == 0 || strncmp(id, "capes/", 6) == 0 ||
           contains(id, "/skins/") || contains(id, "/capes/");
}

/* Whether every scene contains a text, so that finding it proves nothing. */
static bool is_word(const mc_replay *replay, const char *text)
{
    const mc_members *const lists[] = {&replay->inner.meshes, &replay->inner.materials,
                                       &replay->inner.textures};
    for (size_t k = 0; k < RP_COUNT(lists); k++) {
        for (size_t i = 0; i < lists[k]->count; i++) {
            const char *id = lists[k]->items[i].id;
            if (!mc_is_fetched(id) && contains(id, text))
                return true;
        }
    }
    return contains("entity class name model rig-type multipart armature part mesh minecraft world "
                    "textures override_channel scalar vector player anim start-time version "
                    "encoder offset standalone blend_mode roughness emission_strength overrides",
                    text);
}

static void note_gone(rp_plan *plan, const char *what, const char *from, const char *to)
{
    rp_doc *doc = &plan->doc;
    if (!*from || strcmp(from, to) == 0)
        return;
    reprise_value *one = rp_push_object(doc, plan->substitutions);
    rp_set_text(doc, one, "what", what);
    rp_set_text(doc, one, "from", from);
    rp_set_text(doc, one, "to", to);
    if (is_word((const mc_replay *)plan->source, from))
        rp_set_bool(doc, one, "word", true);
}

/* ---- names ---- */

bool mc_is_player(const mc_entity_row *row)
{
    return row->class.data && strcmp(row->class.data, "minecraft:player") == 0;
}

bool mc_is_typed_class(const rp_text *class)
{
    bool colon = false;
    for (size_t i = 0; i < class->size; i++) {
        char c = class->data[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || strchr("_.-/", c);
        if (!plain && (c != ':' || colon))
            return true;
        colon = colon || c == ':';
    }
    return class->size && !colon;
}

/* "Iron Golem.2" and "minecraft_iron_golem.2" of "minecraft:iron_golem" are not private. */
bool mc_is_kind_name(const mc_entity_row *row)
{
    const char *kind = row->class.data ? strchr(row->class.data, ':') : NULL;
    if (!kind || mc_is_player(row))
        return false;
    const char *name = row->name.data;
    static const char prefix[] = "minecraft_";
    if (strncmp(name, prefix, sizeof prefix - 1) == 0)
        name += sizeof prefix - 1;
    for (kind++; *kind; kind++, name++) {
        char c = *name == ' ' ? '_' : *name;
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != *kind)
            return false;
    }
    if (*name == '.')
        name++;
    return name[strspn(name, "0123456789")] == '\0';
}

static void plan_name(rp_plan *plan, own *o, size_t index, const mc_entity_row *row)
{
    const mc_replay *replay = (const mc_replay *)plan->source;
    const char *id = replay->outer.entities.items[index].id;
    if (mc_is_kind_name(row) && strcmp(id, row->name.data) == 0)
        return;
    const char *to = rp_arena_format(&plan->arena, plan->doc.error, "%s %zu",
                                     mc_is_player(row) ? "Player" : "Entity", index + 1);
    if (!to)
        return;
    o->names[index] = to;
    if (!mc_is_kind_name(row))
        note_gone(plan, mc_is_player(row) ? "player name" : "name", row->name.data, to);
    if (strcmp(id, row->name.data) != 0)
        note_gone(plan, "member name", id, to);
}

/* ---- skins ---- */

/* Textures of items and blocks, which players carry but which belong to the game. */
static bool is_game_look(const char *id)
{
    static const char *const parts[] = {"/armor/", "/trims/", "/item/", "/block/"};
    static const char *const whole[] = {"item", "shield", "world"};
    for (size_t i = 0; i < RP_COUNT(parts); i++) {
        if (contains(id, parts[i]))
            return true;
    }
    for (size_t i = 0; i < RP_COUNT(whole); i++) {
        if (strcmp(id, whole[i]) == 0)
            return true;
    }
    return false;
}

static reprise_status note_materials(rp_plan *plan, own *o, const mc_entity *entity)
{
    rp_dictionary *to = mc_is_player(&entity->row) ? &o->worn : &o->shared;
    for (uint32_t m = 0; m < entity->mesh_count; m++) {
        const rp_obj *obj = &entity->objs[m];
        int32_t last = -1;
        for (uint32_t f = 0; f < obj->face_count; f++) {
            int32_t name = obj->faces[f].material;
            if (name < 0 || name == last)
                continue;
            (void)rp_dictionary_add(to, &plan->arena, obj->names[name].text, obj->names[name].size,
                                    plan->doc.error);
            last = name;
        }
    }
    return plan->doc.error->status;
}

static bool has(const rp_dictionary *d, const char *text, size_t size)
{
    return rp_dictionary_find(d, text, size) >= 0;
}

/* Worn only by players. */
static bool is_personal(const own *o, const char *material)
{
    size_t size = strlen(material);
    return mc_is_fetched(material) ||
           (has(&o->worn, material, size) && !has(&o->shared, material, size));
}

typedef void visit_texture(rp_plan *plan, own *o, const char *material, const char *texture);

static void visit_common(rp_plan *plan, own *o, const char *material, const char *texture)
{
    if (!is_personal(o, material))
        (void)rp_dictionary_add(&o->common, &plan->arena, texture, strlen(texture),
                                plan->doc.error);
}

static void visit_skin(rp_plan *plan, own *o, const char *material, const char *texture)
{
    size_t size = strlen(texture);
    bool skin = mc_is_fetched(texture) || (is_personal(o, material) && !is_game_look(texture) &&
                                           !has(&o->common, texture, size));
    if (!skin)
        return;
    (void)rp_dictionary_add(&o->skins, &plan->arena, texture, size, plan->doc.error);
    (void)rp_dictionary_add(&o->skin_materials, &plan->arena, material, strlen(material),
                            plan->doc.error);
}

static reprise_status visit_materials(rp_plan *plan, own *o, visit_texture *visit,
                                      reprise_error *error)
{
    const mc_archive *archive = &((const mc_replay *)plan->source)->outer;
    for (size_t i = 0; i < archive->materials.count; i++) {
        reprise_value *document = NULL;
        rp_arena_reset(&plan->scratch);
        RP_TRY(mc_material_document(archive, i, &plan->scratch, &document, error));
        for (size_t k = 0; k < RP_COUNT(attributes); k++) {
            const char *texture = rp_get_text(document, attributes[k]);
            if (texture)
                visit(plan, o, archive->materials.items[i].id, texture);
        }
    }
    return plan->doc.error->status;
}

static const char *stand_in(const rp_dictionary *d, rp_arena *arena, const char *id, size_t size,
                            reprise_error *error)
{
    int64_t number = rp_dictionary_find(d, id, size);
    return number < 0 ? NULL : rp_arena_format(arena, error, "skin/%lld", (long long)number + 1);
}

const char *mc_placeholder_texture(rp_plan *plan, const char *id, size_t size)
{
    const own *o = plan->own;
    reprise_error ignored = REPRISE_ERROR_INIT;
    return o ? stand_in(&o->skins, &plan->arena, id, size, &ignored) : NULL;
}

/* Skins that no material shows are removed too. */
static reprise_status find_unused_skins(rp_plan *plan, own *o)
{
    const mc_members *textures = &((const mc_replay *)plan->source)->outer.textures;
    for (size_t i = 0; i < textures->count; i++) {
        const char *file = textures->items[i].id;
        if (mc_is_fetched(file))
            (void)rp_dictionary_add(&o->skins, &plan->arena, file, mc_texture_id_size(file),
                                    plan->doc.error);
    }
    return plan->doc.error->status;
}

static reprise_status find_skins(rp_plan *plan, own *o, reprise_error *error)
{
    RP_TRY(visit_materials(plan, o, visit_common, error));
    RP_TRY(visit_materials(plan, o, visit_skin, error));
    return find_unused_skins(plan, o);
}

/* ---- skins of the world ---- */

/* The first member of a name with any suffix; -1: none. */
static int64_t find_named(const mc_members *list, const char *id, size_t size)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *file = list->items[i].id;
        size_t own_size = mc_texture_id_size(file);
        if (own_size == size && memcmp(file, id, size) == 0)
            return (int64_t)i;
    }
    return -1;
}

const char *mc_placeholder_world(const mc_members *list, const char *id, size_t size,
                                 rp_arena *arena, int64_t *ret_first, reprise_error *error)
{
    const char *text = rp_arena_text(arena, id, size, error);
    if (!text || !mc_is_fetched(text))
        return NULL;
    int64_t first = find_named(list, id, size);
    if (ret_first)
        *ret_first = first;
    return rp_arena_format(arena, error, "skin/world_%lld", (long long)first + 1);
}

static void note_world_skins(rp_plan *plan, own *o, const mc_members *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *file = list->items[i].id;
        size_t size = mc_texture_id_size(file);
        int64_t first = -1;
        const char *to = mc_placeholder_world(list, file, size, &plan->arena, &first,
                                              plan->doc.error);
        if (!to || first != (int64_t)i)
            continue;
        const char *id = rp_arena_text(&plan->arena, file, size, plan->doc.error);
        o->world_skins = true;
        if (id)
            note_gone(plan, what, id, to);
    }
}

/* Grey images in place of skins. */
static reprise_status carry_skins(rp_plan *plan, own *o, reprise_error *error)
{
    rp_writer w;
    rp_writer_init(&w, plan->source->context, 256, error);
    mc_put_pixel(&w, MC_NEUTRAL);
    const char *png = rp_writer_ok(&w) ? rp_arena_text(&plan->arena, w.data, w.size, error) : NULL;
    size_t size = w.size;
    rp_writer_free(&w);
    const mc_archive *archive = &((const mc_replay *)plan->source)->outer;
    for (size_t i = 0; png && i < o->skins.texts.count; i++) {
        const char *id = rp_dictionary_text(&o->skins, i);
        const char *to = mc_placeholder_texture(plan, id, strlen(id));
        const char *name = to ? rp_arena_format(&plan->arena, error, "tex/%s.png", to) : NULL;
        if (!name)
            break;
        note_gone(plan, "skin", id, to);
        /* There are at most as many of these as textures. */
        if (mc_find_member(archive, "tex/", id, strlen(id), ".png") >= 0 ||
            mc_find_member(archive, "tex/", id, strlen(id), ".json") >= 0)
            plan->carried[plan->carried_count++] = (rp_carried){
                .name = name, .blob = -1, .content = {png, size}};
    }
    for (size_t i = 0; i < o->skin_materials.texts.count; i++) {
        const char *id = rp_dictionary_text(&o->skin_materials, i);
        const char *to = stand_in(&o->skin_materials, &plan->arena, id, strlen(id), error);
        if (to)
            note_gone(plan, "material of a skin", id, to);
    }
    return error->status;
}

/* ---- for looking only ---- */

reprise_status mc_survey_begin(rp_plan *plan, reprise_error *error)
{
    plan->own = rp_arena_alloc(&plan->arena, sizeof(own), error);
    return error->status;
}

reprise_status mc_survey_entity(rp_plan *plan, const mc_entity *entity)
{
    return note_materials(plan, plan->own, entity);
}

reprise_status mc_survey_skins(rp_plan *plan, reprise_error *error)
{
    return find_skins(plan, plan->own, error);
}

const char *mc_survey_skin(const rp_plan *plan, size_t index)
{
    const own *o = plan->own;
    return index < o->skins.texts.count ? rp_dictionary_text(&o->skins, index) : NULL;
}

/* ---- before anything is written ---- */

static reprise_status survey_entities(rp_plan *plan, own *o, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)plan->source;
    size_t count = replay->outer.entities.count;
    o->names = rp_arena_array(&plan->arena, RP_MAX(count, 1), sizeof *o->names, error);
    for (size_t i = 0; o->names && i < count; i++) {
        mc_entity_reader *reader = NULL;
        reprise_error failure = REPRISE_ERROR_INIT;
        if (mc_entity_open_head(replay, i, &reader, &failure) != REPRISE_OK) {
            RP_TRY(mc_entity_failed(replay, i, &failure, error));
            continue;
        }
        const mc_entity *entity = mc_entity_of(reader);
        if (removes(plan, RP_PRIVATE_NAMES))
            plan_name(plan, o, i, &entity->row);
        reprise_status status = note_materials(plan, o, entity);
        mc_entity_close(reader);
        RP_TRY(status);
    }
    return error->status;
}

static void plan_place(rp_plan *plan, own *o)
{
    const mc_replay *replay = (const mc_replay *)plan->source;
    const double *offset = replay->offset;
    char from[96];
    for (size_t i = 0; i < 3; i++) {
        if (fabs(offset[i]) <= WORLD_MAX)
            o->move[i] = SECTION_SIDE * (int32_t)lround(offset[i] / SECTION_SIDE);
        o->moves = o->moves || offset[i] != 0;
    }
    if (!o->moves)
        return;
    snprintf(from, sizeof from, "%.17g, %.17g, %.17g", offset[0], offset[1], offset[2]);
    note_gone(plan, "place in the world", from, "0, 0, 0");
    reprise_value *none = rp_new_array(&plan->doc);
    for (size_t i = 0; i < 3; i++)
        rp_push(&plan->doc, none, rp_new_int(&plan->doc, 0));
    rp_replace(&plan->doc, plan->header, "offset", none);
}

static void plan_header(rp_plan *plan)
{
    static const char *const known[] = {"version", "encoder", "offset"};
    reprise_value *header = plan->header;
    const char *encoder = rp_get_text(header, "encoder");
    if (encoder && removes(plan, RP_PRIVATE_IDS)) {
        note_gone(plan, "encoder", encoder, "Reprise");
        rp_replace(&plan->doc, header, "encoder", rp_new_text(&plan->doc, "Reprise"));
    }
    for (size_t i = reprise_value_count(header); removes(plan, RP_PRIVATE_EXTENSIONS) && i-- > 0;) {
        const char *key = reprise_value_key(header, i);
        bool ours = false;
        for (size_t k = 0; k < RP_COUNT(known); k++)
            ours = ours || strcmp(key, known[k]) == 0;
        if (!ours)
            rp_remove(header, key);
    }
}

reprise_status mc_plan_private(rp_plan *plan, reprise_error *error)
{
    own *o = rp_arena_alloc(&plan->arena, sizeof *o, error);
    if (!o)
        return error->status;
    plan->own = o;
    reprise_status status = survey_entities(plan, o, error);
    if (status == REPRISE_OK && removes(plan, RP_PRIVATE_LOOKS)) {
        status = find_skins(plan, o, error);
        if (status == REPRISE_OK)
            status = carry_skins(plan, o, error);
        const mc_archive *world = &((const mc_replay *)plan->source)->inner;
        note_world_skins(plan, o, &world->textures, "skin");
        note_world_skins(plan, o, &world->materials, "material of a skin");
    }
    if (status == REPRISE_OK && removes(plan, RP_PRIVATE_ADDRESSES))
        plan_place(plan, o);
    if (status == REPRISE_OK)
        plan_header(plan);
    return status;
}

void mc_plan_free(rp_plan *plan)
{
    own *o = plan->own;
    if (!o)
        return;
    rp_dictionary *const lists[] = {&o->worn, &o->shared, &o->common, &o->skins,
                                    &o->skin_materials};
    for (size_t i = 0; i < RP_COUNT(lists); i++)
        rp_dictionary_free(plan->source->context, lists[i]);
}

/* ---- rows ---- */

static void *copy_row(rp_plan *plan, rp_row *row, size_t size, reprise_error *error)
{
    void *copy = rp_arena_alloc(&plan->scratch, size, error);
    if (!copy)
        return NULL;
    memcpy(copy, row->data, size);
    row->data = copy;
    return copy;
}

static void edit_entity(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const own *o = plan->own;
    const char *name = o->names[row->object];
    const mc_entity_row *from = row->data;
    bool typed = removes(plan, RP_PRIVATE_CONTENT) && mc_is_typed_class(&from->class);
    mc_entity_row *to = name || typed ? copy_row(plan, row, sizeof *to, error) : NULL;
    if (to && typed)
        to->class = (rp_text){MC_NO_CLASS, sizeof MC_NO_CLASS - 1};
    if (!to || !name)
        return;
    const char *file = rp_arena_format(&plan->scratch, error, "entities/%s.xml", name);
    to->name = (rp_text){name, strlen(name)};
    to->file = (rp_text){file, file ? strlen(file) : 0};
}

static const char *new_material(rp_plan *plan, uint8_t scope, const rp_text *id,
                                reprise_error *error)
{
    const own *o = plan->own;
    const mc_archive *world = &((const mc_replay *)plan->source)->inner;
    if (!id->data)
        return NULL;
    if (scope == MC_SCOPE_REPLAY)
        return stand_in(&o->skin_materials, &plan->scratch, id->data, id->size, error);
    return o->world_skins ? mc_placeholder_world(&world->materials, id->data, id->size,
                                                 &plan->scratch, NULL, error)
                          : NULL;
}

static const char *new_texture(rp_plan *plan, uint8_t scope, const char *id, size_t size,
                               reprise_error *error)
{
    const own *o = plan->own;
    const mc_archive *world = &((const mc_replay *)plan->source)->inner;
    if (scope == MC_SCOPE_REPLAY)
        return mc_placeholder_texture(plan, id, size);
    return o->world_skins
               ? mc_placeholder_world(&world->textures, id, size, &plan->scratch, NULL, error)
               : NULL;
}

static void edit_mesh(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const mc_mesh *from = row->data;
    const own *o = plan->own;
    if (from->scope == MC_SCOPE_REPLAY ? !o->skin_materials.texts.count : !o->world_skins)
        return;
    mc_polygon *polygons = rp_arena_array(&plan->scratch, RP_MAX(from->polygons.count, 1),
                                          sizeof *polygons, error);
    mc_mesh *to = polygons ? copy_row(plan, row, sizeof *to, error) : NULL;
    for (size_t i = 0; to && i < from->polygons.count; i++) {
        polygons[i] = ((const mc_polygon *)from->polygons.items)[i];
        const char *name = new_material(plan, from->scope, &polygons[i].material, error);
        if (name)
            polygons[i].material = (rp_text){name, strlen(name)};
    }
    if (to)
        to->polygons = (rp_list){polygons, from->polygons.count};
}

/* Keys that no version has, and free text of tags. */
bool mc_is_foreign_key(const char *key, const reprise_value *value)
{
    static const char *const known[] = {
        "color",       "color2",          "color2_blend_mode", "roughness",  "metallic",
        "normal",      "emission",        "emission_strength", "blend_mode", "overrides",
        "transparent", "useVertexColors", MC_COLOURS_KEY};
    if (strcmp(key, "tags") == 0)
        return reprise_value_count(value) > 0 || reprise_value_text(value, NULL);
    for (size_t i = 0; i < RP_COUNT(known); i++) {
        if (strcmp(known[i], key) == 0)
            return false;
    }
    return true;
}

static bool has_foreign_keys(rp_plan *plan, const mc_material *material, reprise_error *error)
{
    rp_doc doc = {.arena = &plan->scratch, .error = error};
    reprise_value *document = NULL;
    if (!removes(plan, RP_PRIVATE_CONTENT) ||
        rp_json_parse(&doc, material->source.data, material->source.size, "material", &document,
                      NULL) != REPRISE_OK)
        return false;
    for (size_t i = 0; i < reprise_value_count(document); i++) {
        if (mc_is_foreign_key(reprise_value_key(document, i), reprise_value_at(document, i)))
            return true;
    }
    return false;
}

/* The document with other textures, in one line. */
static void edit_source(rp_plan *plan, mc_material *to, reprise_error *error)
{
    static const rp_json_format format = {.exact_integers = true};
    rp_doc doc = {.arena = &plan->scratch, .error = error};
    reprise_value *document = NULL;
    if (rp_json_parse(&doc, to->source.data, to->source.size, "material", &document, NULL) !=
        REPRISE_OK)
        return;
    for (size_t i = 0; i < RP_COUNT(attributes); i++) {
        size_t size = 0;
        const char *texture = reprise_value_text(rp_get(document, attributes[i]), &size);
        const char *name = texture ? new_texture(plan, to->scope, texture, size, error) : NULL;
        if (name)
            rp_replace(&doc, document, attributes[i], rp_new_text(&doc, name));
    }
    for (size_t i = reprise_value_count(document); removes(plan, RP_PRIVATE_CONTENT) && i-- > 0;) {
        const char *key = reprise_value_key(document, i);
        if (mc_is_foreign_key(key, reprise_value_at(document, i)))
            rp_remove(document, key);
    }
    rp_writer w;
    rp_writer_init(&w, plan->source->context, mc_material_room(plan->source->context), error);
    rp_json_write(&w, document, &format);
    if (rp_writer_ok(&w))
        to->source = (rp_text){rp_arena_text(&plan->scratch, w.data, w.size, error), w.size};
    rp_writer_free(&w);
}

static void edit_material(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const mc_material *from = row->data;
    const own *o = plan->own;
    const char *name = new_material(plan, from->scope, &from->id, error);
    /* In the world a material may show a skin without being named after it. */
    bool edits = name || (from->scope == MC_SCOPE_WORLD && o->world_skins) ||
                 has_foreign_keys(plan, from, error);
    mc_material *to = edits ? copy_row(plan, row, sizeof *to, error) : NULL;
    if (!to)
        return;
    if (name)
        to->id = (rp_text){name, strlen(name)};
    edit_source(plan, to, error);
}

/* The first frame must hold the position, even if it was omitted. */
static void move_entity(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const own *o = plan->own;
    mc_transform *to = copy_row(plan, row, sizeof *to, error);
    if (!to)
        return;
    to->pos_x += o->move[0];
    to->pos_y += o->move[1];
    to->pos_z += o->move[2];
    if (row->index == 0)
        row->present |= (UINT64_C(1) << mc_transform_F_scale_x) - 1;
}

static int32_t moved(int32_t from, int32_t by)
{
    int64_t to = (int64_t)from + by;
    return (int32_t)RP_MIN(RP_MAX(to, INT32_MIN), INT32_MAX);
}

static void move_block(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const own *o = plan->own;
    mc_block *to = copy_row(plan, row, sizeof *to, error);
    if (!to)
        return;
    to->x = moved(to->x, o->move[0]);
    to->y = moved(to->y, o->move[1]);
    to->z = moved(to->z, o->move[2]);
}

static void move_sections(rp_plan *plan, rp_row *row, reprise_error *error)
{
    const own *o = plan->own;
    const mc_world_frame *from = row->data;
    mc_section *sections = rp_arena_array(&plan->scratch, RP_MAX(from->sections.count, 1),
                                          sizeof *sections, error);
    mc_world_frame *to = sections ? copy_row(plan, row, sizeof *to, error) : NULL;
    for (size_t i = 0; to && i < from->sections.count; i++) {
        sections[i] = ((const mc_section *)from->sections.items)[i];
        sections[i].x = moved(sections[i].x, o->move[0] / SECTION_SIDE);
        sections[i].y = moved(sections[i].y, o->move[1] / SECTION_SIDE);
        sections[i].z = moved(sections[i].z, o->move[2] / SECTION_SIDE);
    }
    if (to)
        to->sections = (rp_list){sections, from->sections.count};
}

reprise_status mc_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error)
{
    const own *o = plan->own;
    for (size_t i = 0; i < batch->count && error->status == REPRISE_OK; i++) {
        rp_row *row = &batch->rows[i];
        if (row->track == MC_ENTITIES)
            edit_entity(plan, row, error);
        else if (row->track == MC_MESHES)
            edit_mesh(plan, row, error);
        else if (row->track == MC_MATERIALS)
            edit_material(plan, row, error);
        else if (row->track == MC_FRAMES && o->moves)
            move_entity(plan, row, error);
        else if (row->track == MC_BLOCKS && o->moves)
            move_block(plan, row, error);
        else if (row->track == MC_WORLD_FRAMES && o->moves)
            move_sections(plan, row, error);
    }
    return error->status;
}
