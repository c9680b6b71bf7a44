/*
 * write_entity.c - an entity's document, laid out as the exporter does: one line of XML, numbers as
 * Java prints them, one space between them, nothing after a ';'. The mirror of read_entity.c and
 * read_animation.c.
 *
 * Exactly the stored fields of a row are written, so that a document of ours is reproduced byte for
 * byte.
 */
#include <stdio.h>

#include "floattext.h"
#include "write.h"

enum { SPOOL_BYTES = 1 << 16 };

/* ---- numbers and text ---- */

void mc_put_number(rp_writer *w, double value)
{
    rp_decimal d = rp_decimal_f64(value);
    char digits[24], text[64];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)d.digits);
    int point = d.digits ? count + d.exponent : 1; /* digits before the point */
    const char *sign = d.negative ? "-" : "";
    if (d.digits && (point <= -3 || point > 7))
        snprintf(text, sizeof text, "%s%c.%sE%d", sign, digits[0], count > 1 ? digits + 1 : "0",
                 point - 1);
    else if (point <= 0)
        snprintf(text, sizeof text, "%s0.%.*s%s", sign, -point, "000", digits);
    else if (point >= count)
        snprintf(text, sizeof text, "%s%s%.*s.0", sign, digits, point - count, "0000000");
    else
        snprintf(text, sizeof text, "%s%.*s.%s", sign, point, digits, digits + point);
    rp_put_text(w, text);
}

static void put_numbers(rp_writer *w, const double *values, size_t count, char separator)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            rp_put_u8(w, (uint8_t)separator);
        mc_put_number(w, values[i]);
    }
}

void mc_put_attribute(rp_writer *w, const char *name, rp_text value)
{
    rp_put_format(w, " %s=\"", name);
    rp_xml_put_text(w, value.data, value.size);
    rp_put_u8(w, '"');
}

/* ---- meshes ---- */

static bool same_text(rp_text a, rp_text b)
{
    return !a.data == !b.data && rp_text_equal(&a, &b);
}

static void put_line(rp_writer *w, const char *word, const double *values, size_t count)
{
    rp_put_text(w, word);
    rp_put_u8(w, ' ');
    put_numbers(w, values, count, ' ');
    rp_put_u8(w, '\n');
}

static void put_corner(rp_writer *w, const mc_corner *c)
{
    rp_put_format(w, " %d", c->v + 1);
    if (c->vt >= 0)
        rp_put_format(w, "/%d", c->vt + 1);
    else if (c->vn >= 0)
        rp_put_text(w, "/");
    if (c->vn >= 0)
        rp_put_format(w, "/%d", c->vn + 1);
}

static void put_name_line(rp_writer *w, const char *word, rp_text name, const char *none,
                          const char *after)
{
    rp_put_text(w, word);
    if (name.data || *none)
        rp_put_u8(w, ' ');
    if (name.data) {
        rp_put(w, name.data, name.size);
        rp_put_text(w, after);
    } else {
        rp_put_text(w, none);
    }
    rp_put_u8(w, '\n');
}

void mc_write_obj(rp_writer *w, const mc_mesh *mesh)
{
    const mc_position *v = mesh->positions.items, *vn = mesh->normals.items;
    const mc_uv *vt = mesh->uvs.items;
    for (size_t i = 0; i < mesh->positions.count; i++)
        put_line(w, "v", &v[i].x, 3);
    for (size_t i = 0; i < mesh->uvs.count; i++)
        put_line(w, "vt", &vt[i].u, 2);
    for (size_t i = 0; i < mesh->normals.count; i++)
        put_line(w, "vn", &vn[i].x, 3);
    rp_text group = {0}, material = {0}, smoothing = {0};
    for (size_t i = 0; i < mesh->polygons.count; i++) {
        const mc_polygon *p = (const mc_polygon *)mesh->polygons.items + i;
        if (!same_text(p->group, group))
            put_name_line(w, "g", p->group, "", " ");
        if (!same_text(p->material, material))
            put_name_line(w, "usemtl", p->material, "", "");
        if (!same_text(p->smoothing, smoothing))
            put_name_line(w, "s", p->smoothing, "off", "");
        group = p->group;
        material = p->material;
        smoothing = p->smoothing;
        rp_put_u8(w, 'f');
        for (size_t k = 0; k < p->corners.count; k++)
            put_corner(w, (const mc_corner *)p->corners.items + k);
        rp_put_u8(w, '\n');
    }
}

/* The add-on rejects an armature with an empty mesh element, so `empty` is a comment there. */
static void put_mesh(rp_writer *w, rp_writer *obj, const mc_mesh *mesh, const char *empty)
{
    rp_writer_clear(obj);
    mc_write_obj(obj, mesh);
    if (!obj->size) {
        rp_put_text(w, empty);
        return;
    }
    rp_put_text(w, "<mesh>");
    rp_xml_put_text(w, (const char *)obj->data, obj->size);
    rp_put_text(w, "</mesh>");
}

/* ---- the model ---- */

/* What writing a model needs. */
typedef struct model {
    rp_writer *w;
    rp_writer obj;
    const mc_entity_row *row;
    const mc_part *parts;
    const mc_mesh *const *meshes; /* by place; NULL where a batch lacks one */
    size_t mesh_count;
} model;

/* Parts are in definition order, so children follow their parent. */
static size_t put_part(model *m, size_t index)
{
    const mc_part *part = &m->parts[index];
    bool multipart = m->row->rig == MC_MULTIPART;
    if (multipart) {
        rp_put_text(m->w, "<part");
        mc_put_attribute(m->w, "name", part->name);
    } else {
        rp_put_text(m->w, "<bone len=\"");
        mc_put_number(m->w, part->length);
        rp_put_u8(m->w, '"');
        mc_put_attribute(m->w, "name", part->name);
        const double pos[3] = {part->rest_x, part->rest_y, part->rest_z};
        const double rot[4] = {part->rest_rot_w, part->rest_rot_x, part->rest_rot_y,
                               part->rest_rot_z};
        rp_put_text(m->w, " pos=\"");
        put_numbers(m->w, pos, 3, ',');
        rp_put_text(m->w, "\" rot=\"");
        put_numbers(m->w, rot, 4, ',');
        rp_put_u8(m->w, '"');
    }
    rp_put_u8(m->w, '>');
    if (part->mesh >= 0 && (size_t)part->mesh < m->mesh_count)
        put_mesh(m->w, &m->obj, m->meshes[part->mesh], "<mesh/>");
    return index + 1;
}

/* Closes parts until `parent` is the innermost open one. */
static void close_parts(model *m, int32_t *open, int32_t parent)
{
    while (*open >= 0 && *open != parent) {
        rp_put_text(m->w, m->row->rig == MC_MULTIPART ? "</part>" : "</bone>");
        *open = m->parts[*open].parent;
    }
}

static void put_model(model *m)
{
    const mc_entity_row *row = m->row;
    rp_put_format(m->w, "<model rig-type=\"%s\">", rp_enum_name(&mc_rig_names, row->rig));
    int32_t open = -1;
    for (size_t i = 0; i < row->parts.count; i++) {
        close_parts(m, &open, m->parts[i].parent);
        put_part(m, i);
        open = (int32_t)i;
    }
    close_parts(m, &open, -1);
    if (row->rig == MC_ARMATURE && m->mesh_count)
        put_mesh(m->w, &m->obj, m->meshes[0], "<mesh>#</mesh>");
    const mc_channel *channels = row->channels.items;
    for (size_t i = 0; i < row->channels.count; i++) {
        rp_put_text(m->w, "<override_channel");
        mc_put_attribute(m->w, "name", channels[i].name);
        rp_put_format(m->w, " type=\"%s\"/>", rp_enum_name(&mc_channel_names, channels[i].type));
    }
    rp_put_text(m->w, "</model>");
}

/* ---- the document ---- */

static reprise_status spool(mc_encoder *e, reprise_error *error)
{
    if (e->error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = e->error;
    RP_TRY(error->status);
    reprise_status status = rp_sink_write(e->document, e->text.data, e->text.size, error);
    rp_writer_clear(&e->text);
    return status;
}

static reprise_status find_meshes(const rp_batch *batch, rp_arena *arena, model *m,
                                  reprise_error *error)
{
    const mc_mesh **meshes = rp_arena_array(arena, RP_MAX(batch->count, 1), sizeof *meshes, error);
    for (size_t i = 0; meshes && i < batch->count; i++) {
        if (batch->rows[i].track == MC_MESHES)
            meshes[m->mesh_count++] = batch->rows[i].data;
    }
    m->meshes = meshes;
    return error->status;
}

static reprise_status keep_entity(mc_encoder *e, const mc_entity_row *row, reprise_error *error)
{
    rp_context *context = e->base.context;
    e->file_size = row->file.size + 1;
    e->file = rp_alloc(context, e->file_size, error);
    e->channel_count = (uint32_t)row->channels.count;
    e->vectors = rp_alloc_zero(context, RP_MAX(e->channel_count, 1), sizeof *e->vectors, error);
    if (!e->file || !e->vectors)
        return error->status;
    if (row->file.size)
        memcpy(e->file, row->file.data, row->file.size);
    e->file[row->file.size] = '\0';
    for (uint32_t i = 0; i < e->channel_count; i++)
        e->vectors[i] = ((const mc_channel *)row->channels.items)[i].type == MC_VECTOR;
    e->part_count = (uint32_t)row->parts.count;
    e->multipart = row->rig == MC_MULTIPART;
    e->animated = row->animated;
    e->fps = row->fps;
    e->start_time = row->start_time;
    e->frames = e->given = 0;
    if (!e->base.source)
        RP_TRY(mc_hold_states(e, error));
    return rp_sink_open_spool(context, e->base.sink, &e->document, error);
}

reprise_status mc_write_definition(mc_encoder *e, const mc_entity_row *row, const rp_batch *batch,
                                   reprise_error *error)
{
    RP_TRY(mc_finish_entity(e, error));
    RP_TRY(keep_entity(e, row, error));
    rp_arena arena;
    rp_arena_init(&arena, e->base.context);
    model m = {.w = &e->text, .row = row, .parts = row->parts.items};
    rp_writer_init(&m.obj, e->base.context, e->text.size_max, &e->error);
    reprise_status status = find_meshes(batch, &arena, &m, error);
    if (status == REPRISE_OK) {
        rp_writer_clear(&e->text);
        rp_put_text(&e->text,
                    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?><entity");
        if (row->class.data)
            mc_put_attribute(&e->text, "class", row->class);
        mc_put_attribute(&e->text, "name", row->name);
        rp_put_u8(&e->text, '>');
        put_model(&m);
        status = spool(e, error);
    }
    rp_writer_free(&m.obj);
    rp_arena_free(&arena);
    return status;
}

/* ---- frames ---- */

/* The groups of a transform that a row stores; `bits` has the rotation at 0. */
static size_t put_transform(rp_writer *w, const mc_transform *t, uint64_t bits)
{
    const double values[10] = {t->rot_w, t->rot_x, t->rot_y,   t->rot_z,   t->pos_x,
                               t->pos_y, t->pos_z, t->scale_x, t->scale_y, t->scale_z};
    size_t count = bits >> mc_transform_F_scale_x & 1 ? 10
                   : bits >> mc_transform_F_pos_x & 1 ? 7
                   : bits >> mc_transform_F_rot_x & 1 ? 4
                                                      : 0;
    put_numbers(w, values, count, ' ');
    return count;
}

static void put_part_entry(const mc_encoder *e, rp_writer *w, const rp_row *row, uint64_t present)
{
    const mc_part_state *state = row->data;
    bool visible = e->multipart && present >> mc_pose_F_visible & 1;
    uint64_t bits = visible ? UINT64_MAX : present >> mc_pose_F_COUNT;
    size_t count = put_transform(w, &state->transform, bits);
    if (visible)
        rp_put_text(w, state->pose.visible ? " 1" : " 0");
    rp_put_text(w, count ? ";" : " ;");
}

static void put_override_entry(const mc_encoder *e, rp_writer *w, const rp_row *row,
                               uint64_t present)
{
    const mc_override *value = row->data;
    const double values[3] = {value->x, value->y, value->z};
    if (present)
        put_numbers(w, values, e->vectors[value->channel] ? 3 : 1, ' ');
    rp_put_u8(w, ';');
}

/* Writes entries of parts or channels before `index` of which the batch has no rows. */
static uint32_t put_held(rp_writer *w, uint32_t at, uint32_t index, const char *entry)
{
    for (; at < index; at++)
        rp_put_text(w, entry);
    return at;
}

static void begin_animation(const mc_encoder *e, rp_writer *w, double time)
{
    rp_put_text(w, "<anim fps=\"");
    mc_put_number(w, e->fps);
    rp_put_text(w, "\" start-time=\"");
    mc_put_number(w, time);
    rp_put_text(w, "\">");
}

reprise_status mc_write_frame(mc_encoder *e, const rp_batch *batch, reprise_error *error)
{
    rp_writer *w = &e->text;
    double time = batch->count ? batch->rows[0].time : 0;
    if (!e->document || !batch->count)
        return error->status;
    e->given++;
    if (!mc_map_time(e, &time))
        return error->status;
    /* A cut starts with all values, even those stored earlier. */
    bool whole = e->base.options.cut && e->frames == 0;
    uint32_t part = 0, channel = 0;
    if (e->frames++ == 0)
        begin_animation(e, w, e->base.source ? time : e->start_time);
    else
        rp_put_u8(w, '\n');
    for (size_t i = 0; i < batch->count; i++) {
        const rp_row *row = &batch->rows[i];
        uint64_t present = whole ? UINT64_MAX : row->present;
        if (row->track == MC_FRAMES) {
            size_t count = put_transform(w, row->data, present);
            rp_put_text(w, count ? ";" : " ;");
        } else if (row->track == MC_PARTS) {
            uint32_t index = ((const mc_part_state *)row->data)->pose.part;
            part = put_held(w, part, index, " ;") + 1;
            put_part_entry(e, w, row, present);
        } else if (row->track == MC_OVERRIDES) {
            uint32_t index = ((const mc_override *)row->data)->channel;
            part = put_held(w, part, e->part_count, " ;");
            channel = put_held(w, channel, index, ";") + 1;
            put_override_entry(e, w, row, present);
        }
    }
    put_held(w, part, e->part_count, " ;");
    put_held(w, channel, e->channel_count, ";");
    return w->size > SPOOL_BYTES ? spool(e, error) : error->status;
}

static reprise_status add_document(mc_encoder *e, reprise_error *error)
{
    if (e->animated && e->frames == 0)
        begin_animation(e, &e->text, e->start_time);
    if (e->animated || e->frames)
        rp_put_text(&e->text, "</anim>");
    rp_put_text(&e->text, "</entity>");
    RP_TRY(spool(e, error));
    rp_source *source = NULL;
    rp_stream *stream = NULL;
    RP_TRY(rp_sink_reopen(e->document, &source, error));
    reprise_status status = rp_stream_open_range(e->base.context, source, 0, rp_source_size(source),
                                                 e->file, &stream, error);
    if (status == REPRISE_OK)
        status = rp_zip_add_stream(e->zip, e->file, stream, error);
    rp_stream_close(stream);
    rp_source_close(source);
    return status;
}

reprise_status mc_finish_entity(mc_encoder *e, reprise_error *error)
{
    reprise_status status = error->status;
    /* An entity whose frames are all cut off is dropped; one that never had any is kept. */
    bool gone = e->given && !e->frames;
    if (e->document && status == REPRISE_OK && !gone)
        status = add_document(e, error);
    rp_writer_clear(&e->text);
    rp_sink_close(e->document);
    e->document = NULL;
    mc_drop_states(e);
    rp_free(e->base.context, e->file, e->file_size);
    rp_free(e->base.context, e->vectors, RP_MAX(e->channel_count, 1) * sizeof *e->vectors);
    e->file = NULL;
    e->vectors = NULL;
    return status;
}
