/*
 * read_entity.c - one entity: its model, from XML, and the start of its animation.
 *
 * Usually the model precedes the animation, and one pass over the document is enough. If it
 * follows, the document is read twice: once for the model, once for the animation.
 */
#include <assert.h>
#include <math.h>

#include "mcreplay.h"
#include "prefetch.h"
#include "workers.h"

enum { BATCHES = 4 };

/* The place of the reader in the document; the innermost `skip` elements are ignored. */
typedef enum place { IN_DOCUMENT, IN_ENTITY, IN_MODEL, IN_MESH, IN_ANIM, BEHIND } place;

struct mc_entity_reader {
    mc_replay *replay;
    size_t index;
    mc_entity entity;
    rp_xml *xml;
    rp_obj_reader *obj;
    mc_anim *anim;
    mc_numbers *numbers;
    mc_batch *batches;     /* once a frame was requested */
    mc_batch *batch;       /* the current one */
    rp_prefetch *prefetch; /* fills them ahead; NULL for a head */
    bool anim_done;        /* or there is none */
    place place;
    size_t skip;
    int32_t node; /* parent part; -1: the model itself */
    bool has_model, has_anim, model_only, model_done;
    bool head; /* the document is not read to its end */
};

mc_entity *mc_entity_of(mc_entity_reader *reader)
{
    return &reader->entity;
}

uint64_t mc_entity_frame(const mc_entity_reader *reader)
{
    return reader->anim ? mc_anim_frames(reader->anim) : 0;
}

/* Each frame is shown until the next one is due, including the last. */
void mc_entity_keep_end(const mc_entity_reader *reader)
{
    const mc_entity_row *row = &reader->entity.row;
    uint64_t frames = mc_entity_frame(reader);
    reader->replay->ends[reader->index] = (mc_end){
        .known = true, .any = frames > 0, .time = row->start_time + (double)frames / row->fps};
}

static const mc_member *member_of(const mc_entity_reader *reader)
{
    return &reader->replay->outer.entities.items[reader->index];
}

static const char *file_of(const mc_entity_reader *reader)
{
    return rp_zip_entry_at(reader->replay->outer.zip, member_of(reader)->entry)->name;
}

static void warn(mc_entity_reader *reader, const rp_finding_kind *kind, const char *message)
{
    rp_note(&reader->replay->base.findings, kind, file_of(reader), 0, "", "%s", message);
}

/* ---- attributes ---- */

static rp_text keep_text(mc_entity_reader *reader, const char *text, reprise_error *error)
{
    if (!text)
        return (rp_text){0};
    size_t size = strlen(text);
    return (rp_text){rp_arena_text(&reader->entity.arena, text, size, error), size};
}

/* Reads exactly `count` finite numbers; a missing attribute leaves them alone. */
static reprise_status read_numbers(const rp_xml_event *event, const char *name, double *to,
                                   size_t count, reprise_error *error)
{
    const char *text = rp_xml_attribute(event, name);
    if (!text)
        return REPRISE_OK;
    double numbers[4];
    size_t found = 0;
    bool good = mc_parse_numbers(text, strlen(text), numbers, RP_COUNT(numbers), &found) &&
                found == count;
    for (size_t i = 0; good && i < count; i++)
        good = isfinite(numbers[i]);
    if (good) {
        memcpy(to, numbers, count * sizeof *to);
        return REPRISE_OK;
    }
    rp_error_set(error, REPRISE_E_CORRUPT, "'%.40s' is not %zu number%s", text, count,
                 count == 1 ? "" : "s");
    rp_error_at(error, "%s", name);
    return error->status;
}

/* ---- lists that grow ---- */

/* Room for one more item. */
static void *grow(rp_arena *arena, void *items, uint32_t count, size_t *capacity, size_t size,
                  reprise_error *error)
{
    if (rp_limit((uint64_t)count + 1, arena->context->limits.items_max, "number of parts", "items",
                 error) != REPRISE_OK)
        return NULL;
    return rp_arena_grow(arena, items, (size_t)count + 1, capacity, size, error);
}

static reprise_status add_part(mc_entity_reader *reader, const rp_xml_event *event,
                               reprise_error *error)
{
    mc_entity *entity = &reader->entity;
    mc_part *parts = grow(&entity->arena, entity->parts, entity->part_count, &entity->part_capacity,
                          sizeof *parts, error);
    if (!parts)
        return error->status;
    entity->parts = parts;
    double pos[3] = {0, 0, 0}, rot[4] = {1, 0, 0, 0}, length = MC_LENGTH_DEFAULT;
    if (entity->row.rig == MC_ARMATURE) {
        RP_TRY(read_numbers(event, "pos", pos, 3, error));
        RP_TRY(read_numbers(event, "rot", rot, 4, error));
        RP_TRY(read_numbers(event, "len", &length, 1, error));
    }
    mc_part *part = &parts[entity->part_count];
    *part = (mc_part){
        .name = keep_text(reader, rp_xml_attribute(event, "name"), error),
        .parent = reader->node,
        .mesh = -1,
        .rest_x = pos[0],
        .rest_y = pos[1],
        .rest_z = pos[2],
        .rest_rot_w = rot[0],
        .rest_rot_x = rot[1],
        .rest_rot_y = rot[2],
        .rest_rot_z = rot[3],
        .length = length,
    };
    if (!part->name.data && error->status == REPRISE_OK) {
        const char *name = rp_arena_format(&entity->arena, error, "bone%u", entity->part_count);
        part->name = (rp_text){name, name ? strlen(name) : 0};
    }
    reader->node = (int32_t)entity->part_count++;
    return error->status;
}

static reprise_status add_channel(mc_entity_reader *reader, const rp_xml_event *event,
                                  reprise_error *error)
{
    mc_entity *entity = &reader->entity;
    const char *type = rp_xml_attribute(event, "type");
    int64_t number = -1;
    if (!type || !rp_enum_number(&mc_channel_names, type, strlen(type), &number)) {
        rp_error_set(error, REPRISE_E_CORRUPT, "override channel of unknown type '%.40s'",
                     type ? type : "");
        rp_error_at(error, "override_channel %u", entity->channel_count);
        return error->status;
    }
    mc_channel *channels = grow(&entity->arena, entity->channels, entity->channel_count,
                                &entity->channel_capacity, sizeof *channels, error);
    if (!channels)
        return error->status;
    entity->channels = channels;
    const char *name = rp_xml_attribute(event, "name");
    channels[entity->channel_count++] = (mc_channel){
        .name = keep_text(reader, name ? name : "", error), .type = (uint8_t)number};
    return error->status;
}

/* ---- meshes ---- */

static rp_text name_of(const rp_obj *obj, int32_t name)
{
    return name < 0 ? (rp_text){0} : (rp_text){obj->names[name].text, obj->names[name].size};
}

reprise_status mc_mesh_row(rp_arena *arena, const rp_obj *obj, mc_mesh *row, reprise_error *error)
{
    mc_polygon *polygons = rp_arena_array(arena, RP_MAX(obj->face_count, 1), sizeof *polygons,
                                          error);
    if (!polygons)
        return error->status;
    for (uint32_t i = 0; i < obj->face_count; i++) {
        const rp_obj_face *face = &obj->faces[i];
        polygons[i] = (mc_polygon){
            .corners = {obj->corners + face->first, face->count},
            .group = name_of(obj, face->group),
            .material = name_of(obj, face->material),
            .smoothing = name_of(obj, face->smoothing),
        };
    }
    static_assert(sizeof(mc_position) == 3 * sizeof(double) && sizeof(mc_uv) == 2 * sizeof(double),
                  "rows show the reader's own lists");
    static_assert(sizeof(mc_corner) == sizeof(rp_obj_corner), "rows show the reader's own lists");
    row->positions = (rp_list){obj->v, obj->v_count};
    row->uvs = (rp_list){obj->vt, obj->vt_count};
    row->normals = (rp_list){obj->vn, obj->vn_count};
    row->polygons = (rp_list){polygons, obj->face_count};
    return REPRISE_OK;
}

/* Whether the model or part already has a mesh; the first one counts. */
static bool has_mesh(const mc_entity_reader *reader)
{
    const mc_entity *entity = &reader->entity;
    return reader->node < 0 ? entity->mesh_count > 0 : entity->parts[reader->node].mesh >= 0;
}

static reprise_status finish_mesh(mc_entity_reader *reader, reprise_error *error)
{
    mc_entity *entity = &reader->entity;
    size_t capacity = entity->mesh_capacity;
    mc_mesh *meshes = grow(&entity->arena, entity->meshes, entity->mesh_count,
                           &entity->mesh_capacity, sizeof *meshes, error);
    rp_obj *objs = meshes ? grow(&entity->arena, entity->objs, entity->mesh_count, &capacity,
                                 sizeof *objs, error)
                          : NULL;
    if (!objs)
        return error->status;
    entity->meshes = meshes;
    entity->objs = objs;
    rp_obj *obj = &objs[entity->mesh_count];
    mc_mesh *mesh = &meshes[entity->mesh_count];
    RP_TRY(rp_obj_finish(reader->obj, &entity->arena, obj, error));
    *mesh = (mc_mesh){
        .scope = MC_SCOPE_REPLAY, .entity = (int32_t)reader->index, .part = reader->node};
    RP_TRY(mc_mesh_row(&entity->arena, obj, mesh, error));
    if (reader->node >= 0)
        entity->parts[reader->node].mesh = (int32_t)entity->mesh_count;
    entity->mesh_count++;
    return REPRISE_OK;
}

/* ---- elements ---- */

static reprise_status refuse(const char *what, reprise_error *error)
{
    return rp_error_set(error, REPRISE_E_CORRUPT, "%s", what);
}

static reprise_status start_root(mc_entity_reader *reader, const rp_xml_event *event,
                                 reprise_error *error)
{
    if (strcmp(event->name, "entity") != 0)
        return refuse("the root element is not <entity>", error);
    reader->place = IN_ENTITY;
    if (reader->model_done)
        return REPRISE_OK;
    const char *name = rp_xml_attribute(event, "name");
    reader->entity.row.name = keep_text(reader, name ? name : member_of(reader)->id, error);
    reader->entity.row.class = keep_text(reader, rp_xml_attribute(event, "class"), error);
    return error->status;
}

static reprise_status start_model(mc_entity_reader *reader, const rp_xml_event *event,
                                  reprise_error *error)
{
    if (reader->model_done) {
        reader->skip = 1;
        return REPRISE_OK;
    }
    if (reader->has_model)
        return refuse("more than one <model>", error);
    const char *rig = rp_xml_attribute(event, "rig-type");
    int64_t number = MC_ARMATURE;
    if (rig && *rig && !rp_enum_number(&mc_rig_names, rig, strlen(rig), &number)) {
        rp_error_set(error, REPRISE_E_CORRUPT, "unknown rig-type '%.40s'", rig);
        return error->status;
    }
    reader->entity.row.rig = (uint8_t)number;
    reader->has_model = true;
    reader->place = IN_MODEL;
    return REPRISE_OK;
}

static reprise_status start_anim(mc_entity_reader *reader, const rp_xml_event *event,
                                 reprise_error *error)
{
    if (reader->has_anim)
        return refuse("more than one <anim>", error);
    reader->has_anim = true;
    double fps = MC_FPS_DEFAULT, start = 0;
    RP_TRY(read_numbers(event, "fps", &fps, 1, error));
    RP_TRY(read_numbers(event, "start-time", &start, 1, error));
    if (!(fps > 0)) {
        rp_error_set(error, REPRISE_E_CORRUPT, "the rate is %g frames per second", fps);
        rp_error_at(error, "fps");
        return error->status;
    }
    reader->entity.row.fps = fps;
    reader->entity.row.start_time = start;
    reader->entity.row.animated = true;
    if (reader->has_model) {
        reader->place = IN_ANIM;
    } else {
        reader->model_only = true;
        reader->skip = 1;
    }
    return REPRISE_OK;
}

static reprise_status start_in_model(mc_entity_reader *reader, const rp_xml_event *event,
                                     reprise_error *error)
{
    bool multipart = reader->entity.row.rig == MC_MULTIPART;
    if (strcmp(event->name, multipart ? "part" : "bone") == 0)
        return add_part(reader, event, error);
    bool mesh_here = multipart ? reader->node >= 0 : reader->node < 0;
    if (strcmp(event->name, "mesh") == 0 && mesh_here && !has_mesh(reader)) {
        reader->place = IN_MESH;
        return REPRISE_OK;
    }
    if (strcmp(event->name, "mesh") == 0 && mesh_here)
        warn(reader, MC_FINDING(SECOND_MESH), "more than one mesh; the first one is used");
    else if (strcmp(event->name, "override_channel") == 0 && reader->node < 0)
        RP_TRY(add_channel(reader, event, error));
    reader->skip = 1;
    return REPRISE_OK;
}

static reprise_status on_start(mc_entity_reader *reader, const rp_xml_event *event,
                               reprise_error *error)
{
    if (reader->skip) {
        reader->skip++;
        return REPRISE_OK;
    }
    switch (reader->place) {
    case IN_DOCUMENT:
        return start_root(reader, event, error);
    case IN_ENTITY:
        if (strcmp(event->name, "model") == 0)
            return start_model(reader, event, error);
        if (strcmp(event->name, "anim") == 0)
            return start_anim(reader, event, error);
        break;
    case IN_MODEL:
        return start_in_model(reader, event, error);
    default:
        break;
    }
    reader->skip = 1;
    return REPRISE_OK;
}

static reprise_status on_end(mc_entity_reader *reader, reprise_error *error)
{
    if (reader->skip) {
        reader->skip--;
        return REPRISE_OK;
    }
    switch (reader->place) {
    case IN_MESH:
        reader->place = IN_MODEL;
        return finish_mesh(reader, error);
    case IN_MODEL:
        if (reader->node >= 0)
            reader->node = reader->entity.parts[reader->node].parent;
        else
            reader->place = IN_ENTITY;
        break;
    case IN_ANIM:
        reader->place = IN_ENTITY;
        break;
    default:
        reader->place = BEHIND;
        break;
    }
    return REPRISE_OK;
}

static reprise_status on_event(mc_entity_reader *reader, const rp_xml_event *event,
                               reprise_error *error)
{
    switch (event->kind) {
    case RP_XML_START:
        return on_start(reader, event, error);
    case RP_XML_END:
        return on_end(reader, error);
    case RP_XML_TEXT:
        if (reader->place == IN_MESH && !reader->skip)
            return rp_obj_feed(reader->obj, event->text, event->size, error);
        return REPRISE_OK;
    default:
        return REPRISE_OK;
    }
}

/* ---- passes ---- */

/* A document that is opened, perhaps in another thread. */
typedef struct opening {
    const mc_archive *archive;
    size_t entry;
    rp_stream *stream;
    reprise_error error;
} opening;

static void open_text(void *ctx, void *slot)
{
    RP_UNUSED(ctx);
    opening *o = slot;
    (void)mc_open_member(o->archive, o->entry, rp_zip_entry_at(o->archive->zip, o->entry)->name,
                         &o->stream, &o->error);
}

/* Whether inflating the document of an entity is worth a thread, and there is room for it. */
static bool is_worth_ahead(const mc_replay *replay, size_t index)
{
    enum { LEAST = 1 << 17, PART = 4 };
    const mc_archive *outer = &replay->outer;
    const rp_context *context = replay->base.context;
    if (index >= outer->entities.count || context->threads < 2)
        return false;
    uint64_t size = rp_zip_entry_at(outer->zip, outer->entities.items[index].entry)->size;
    uint64_t live = atomic_load(&context->bytes_live);
    return size >= LEAST && live < context->memory_max &&
           size < (context->memory_max - live) / PART;
}

/*
 * Opens the documents of an entity and of the next one at once, because inflating takes a while.
 * The next one is kept; if it cannot be opened, that is found when it is its turn.
 */
static reprise_status open_two(mc_replay *replay, size_t index, rp_stream **ret_stream,
                               reprise_error *error)
{
    opening both[2];
    rp_workers *workers = NULL;
    RP_TRY(rp_workers_open(replay->base.context, open_text, NULL, both, sizeof *both, 2, 1,
                           &workers, error));
    for (size_t i = 0; i < 2 && (i == 0 || rp_workers_help(workers)); i++) {
        opening *o = rp_workers_empty(workers);
        *o = (opening){.archive = &replay->outer,
                       .entry = replay->outer.entities.items[index + i].entry,
                       .error = REPRISE_ERROR_INIT};
        rp_workers_give(workers);
    }
    const opening *now = rp_workers_take(workers), *next = rp_workers_take(workers);
    rp_workers_close(workers);
    if (next) {
        replay->ahead = next->stream;
        replay->ahead_index = index + 1;
    }
    *ret_stream = now->stream;
    if (!now->stream)
        *error = now->error;
    return error->status;
}

/* Opens the document of an entity that is read to its end, as most often the next one is too. */
static reprise_status open_whole(mc_replay *replay, size_t index, rp_stream **ret_stream,
                                 reprise_error *error)
{
    if (replay->ahead && replay->ahead_index == index) {
        *ret_stream = replay->ahead;
        replay->ahead = NULL;
        return REPRISE_OK;
    }
    if (!replay->ahead && is_worth_ahead(replay, index + 1))
        return open_two(replay, index, ret_stream, error);
    size_t entry = replay->outer.entities.items[index].entry;
    return mc_open_member(&replay->outer, entry, rp_zip_entry_at(replay->outer.zip, entry)->name,
                          ret_stream, error);
}

static reprise_status open_document(mc_entity_reader *reader, reprise_error *error)
{
    rp_stream *stream = NULL;
    if (reader->head)
        RP_TRY(mc_open_member_head(&reader->replay->outer, member_of(reader)->entry,
                                   file_of(reader), &stream, error));
    else
        RP_TRY(open_whole(reader->replay, reader->index, &stream, error));
    rp_xml_close(reader->xml);
    reader->xml = NULL;
    reader->place = IN_DOCUMENT;
    reader->skip = 0;
    reader->node = -1;
    return rp_xml_open(reader->replay->base.context, stream, &reader->xml, error);
}

/* Advances to the animation, or to the end of the document. */
static reprise_status read_head(mc_entity_reader *reader, reprise_error *error)
{
    rp_xml_event event;
    do {
        RP_TRY(rp_xml_next(reader->xml, &event, error));
        RP_TRY(on_event(reader, &event, error));
    } while (event.kind != RP_XML_FINISHED && reader->place != IN_ANIM);
    if (rp_xml_foreign(reader->xml))
        warn(reader, MC_FINDING(WINDOWS_1252), "the text is not UTF-8; read as Windows-1252");
    return REPRISE_OK;
}

static reprise_status make_states(mc_entity *entity, reprise_error *error)
{
    rp_arena *arena = &entity->arena;
    entity->part_states = rp_arena_array(arena, RP_MAX(entity->part_count, 1),
                                         sizeof *entity->part_states, error);
    entity->channel_states = rp_arena_array(arena, RP_MAX(entity->channel_count, 1),
                                            sizeof *entity->channel_states, error);
    if (error->status != REPRISE_OK)
        return error->status;
    entity->root = mc_identity;
    for (uint32_t i = 0; i < entity->part_count; i++)
        entity->part_states[i] = (mc_part_state){
            .pose = {.part = i, .visible = true}, .transform = mc_identity, .entity = entity};
    for (uint32_t i = 0; i < entity->channel_count; i++)
        entity->channel_states[i].value.channel = i;
    return REPRISE_OK;
}

static reprise_status read_model(mc_entity_reader *reader, reprise_error *error)
{
    mc_entity *entity = &reader->entity;
    const char *file = file_of(reader);
    entity->row.file = (rp_text){file, strlen(file)};
    entity->row.fps = MC_FPS_DEFAULT;
    RP_TRY(rp_obj_open(reader->replay->base.context, &reader->obj, error));
    RP_TRY(open_document(reader, error));
    RP_TRY(read_head(reader, error));
    if (!reader->has_model)
        return refuse("there is no <model>", error);
    if (!reader->has_anim)
        warn(reader, MC_FINDING(NO_ANIM), "no animation; the entity does not move");
    if (reader->model_only) {
        reader->model_done = true;
        reader->has_anim = false;
        RP_TRY(open_document(reader, error));
        RP_TRY(read_head(reader, error));
    }
    entity->row.parts = (rp_list){entity->parts, entity->part_count};
    entity->row.channels = (rp_list){entity->channels, entity->channel_count};
    RP_TRY(make_states(entity, error));
    reader->anim_done = reader->place != IN_ANIM;
    RP_TRY(mc_numbers_open(reader->replay->base.context, &reader->numbers, error));
    return mc_anim_open(reader->replay, entity, &reader->anim, error);
}

static reprise_status open_entity(mc_replay *replay, size_t index, bool head,
                                  mc_entity_reader **ret_reader, reprise_error *error)
{
    mc_entity_reader *reader = rp_alloc_zero(replay->base.context, 1, sizeof *reader, error);
    if (!reader)
        return error->status;
    reader->replay = replay;
    reader->index = index;
    reader->head = head;
    rp_arena_init(&reader->entity.arena, replay->base.context);
    reprise_status status = read_model(reader, error);
    if (status != REPRISE_OK) {
        mc_entity_close(reader);
        return status;
    }
    *ret_reader = reader;
    return REPRISE_OK;
}

reprise_status mc_entity_open(mc_replay *replay, size_t index, mc_entity_reader **ret_reader,
                              reprise_error *error)
{
    return open_entity(replay, index, false, ret_reader, error);
}

reprise_status mc_entity_open_head(mc_replay *replay, size_t index, mc_entity_reader **ret_reader,
                                   reprise_error *error)
{
    return open_entity(replay, index, true, ret_reader, error);
}

/* Of a head nothing is read ahead. */
static size_t batches_of(const mc_entity_reader *reader)
{
    return reader->head ? 1 : BATCHES;
}

/* Stops reading ahead. */
static void close_batches(mc_entity_reader *reader)
{
    rp_prefetch_close(reader->prefetch);
    if (reader->batches)
        rp_free(reader->replay->base.context, reader->batches,
                batches_of(reader) * sizeof(mc_batch));
    reader->prefetch = NULL;
    reader->batches = reader->batch = NULL;
}

void mc_entity_rest(mc_entity_reader *reader)
{
    close_batches(reader);
    mc_anim_close(reader->anim);
    mc_numbers_close(reader->numbers);
    rp_obj_close(reader->obj);
    rp_xml_close(reader->xml);
    reader->anim = NULL;
    reader->numbers = NULL;
    reader->obj = NULL;
    reader->xml = NULL;
}

void mc_entity_close(mc_entity_reader *reader)
{
    if (!reader)
        return;
    mc_entity_rest(reader);
    rp_arena_free(&reader->entity.arena);
    rp_free(reader->replay->base.context, reader, sizeof *reader);
}

/* Gets more text of the animation, or its end; after it the rest of the document is checked. */
static reprise_status feed_anim(mc_entity_reader *reader, reprise_error *error)
{
    for (;;) {
        rp_xml_event event;
        RP_TRY(rp_xml_next(reader->xml, &event, error));
        if (event.kind == RP_XML_TEXT && !reader->skip) {
            mc_numbers_feed(reader->numbers, event.text, event.size);
            return REPRISE_OK;
        }
        RP_TRY(on_event(reader, &event, error));
        if (reader->place != IN_ANIM) {
            mc_numbers_feed(reader->numbers, NULL, 0);
            return REPRISE_OK;
        }
    }
}

/*
 * Fills a batch, perhaps in another thread. In an animation there are no elements that are used, so
 * it changes nothing of the entity and finds nothing but damage.
 */
static bool fill_batch(void *ctx, void *slot)
{
    mc_entity_reader *reader = ctx;
    mc_batch *batch = slot;
    batch->count = batch->value_count = batch->at = batch->value_at = 0;
    batch->error = (reprise_error)REPRISE_ERROR_INIT;
    batch->failed_in_entry = false;
    while (!mc_numbers_read(reader->numbers, reader->head, batch) &&
           batch->error.status == REPRISE_OK)
        (void)feed_anim(reader, &batch->error);
    return batch->error.status == REPRISE_OK && !mc_numbers_ended(reader->numbers);
}

static reprise_status open_batches(mc_entity_reader *reader, reprise_error *error)
{
    rp_context *context = reader->replay->base.context;
    reader->batches = rp_alloc(context, batches_of(reader) * sizeof(mc_batch), error);
    if (!reader->batches)
        return error->status;
    return reader->head ? REPRISE_OK
                        : rp_prefetch_open(context, fill_batch, reader, reader->batches,
                                           sizeof(mc_batch), BATCHES, &reader->prefetch, error);
}

/* After the last one nothing is read ahead. */
static reprise_status next_batch(mc_entity_reader *reader, reprise_error *error)
{
    if (!reader->batches)
        RP_TRY(open_batches(reader, error));
    if (reader->prefetch) {
        reader->batch = rp_prefetch_next(reader->prefetch);
        reader->anim_done = !reader->batch;
    } else {
        reader->anim_done = mc_numbers_ended(reader->numbers);
        reader->batch = reader->batches;
        if (!reader->anim_done)
            (void)fill_batch(reader, reader->batch);
    }
    if (reader->anim_done)
        close_batches(reader);
    return REPRISE_OK;
}

reprise_status mc_entity_next(mc_entity_reader *reader, reprise_error *error)
{
    while (!reader->anim_done) {
        if (reader->batch && mc_anim_next(reader->anim, reader->batch, error))
            return error->status;
        RP_TRY(error->status);
        RP_TRY(next_batch(reader, error));
    }
    rp_xml_event event = {.kind = RP_XML_TEXT};
    while (event.kind != RP_XML_FINISHED) {
        RP_TRY(rp_xml_next(reader->xml, &event, error));
        RP_TRY(on_event(reader, &event, error));
    }
    return REPRISE_END;
}

/* ---- failures ---- */

reprise_status mc_entity_failed(mc_replay *replay, size_t index, const reprise_error *failure,
                                reprise_error *error)
{
    const char *file =
        rp_zip_entry_at(replay->outer.zip, replay->outer.entities.items[index].entry)->name;
    reprise_status status = failure->status;
    if (rp_is_own_failure(replay->base.context, status)) {
        if (error->status == REPRISE_OK)
            *error = *failure;
        return status;
    }
    bool archive = status == REPRISE_E_CHECKSUM || status == REPRISE_E_TRUNCATED ||
                   strncmp(failure->message, "damaged deflate", 15) == 0;
    if (archive || status == REPRISE_E_LIMIT)
        rp_fault(&replay->base.findings, archive ? MC_FINDING(ENTITY_DAMAGED) : MC_FINDING(ENTITY),
                 status, file, failure->offset, failure->path, "entity skipped: %s",
                 failure->message);
    else
        rp_note_gap(&replay->base.findings, MC_FINDING(ENTITY), status, file, failure->offset,
                    failure->path, "entity skipped: %s", failure->message);
    return REPRISE_OK;
}
