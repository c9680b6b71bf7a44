/*
 * camera_write.c - writes camera animations, the mirror of camera_read.c, and removes private data.
 */
#include <math.h>

#include "camera.h"
#include "private.h"
#include "write.h"

enum { FLUSH_SIZE = 1 << 16 };

/* ---- writing ---- */

static void put_head(rp_writer *w, const reprise_value *header)
{
    const reprise_value *attributes = rp_get(header, "attributes");
    const reprise_value *channels = rp_get(header, "channels");
    rp_put_text(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><animation");
    for (size_t i = 0; i < reprise_value_count(attributes); i++) {
        size_t size = 0;
        const char *text = reprise_value_text(reprise_value_at(attributes, i), &size);
        mc_put_attribute(w, reprise_value_key(attributes, i), (rp_text){text, size});
    }
    rp_put_text(w, ">");
    for (size_t i = 0; i < reprise_value_count(channels); i++) {
        const reprise_value *one = reprise_value_at(channels, i);
        size_t size = 0;
        const char *name = reprise_value_text(rp_get(one, "name"), &size);
        rp_put_text(w, "<channel");
        mc_put_attribute(w, "name", (rp_text){name, size});
        rp_put_format(w, " size=\"%lld\"/>", (long long)reprise_value_int(rp_get(one, "size"), 0));
    }
    rp_put_text(w, "<anim_data>");
}

reprise_status mc_camera_encode_begin(rp_encoder *encoder, reprise_error *error)
{
    mc_camera_encoder *e = (mc_camera_encoder *)encoder;
    rp_writer_init(&e->out, encoder->context, SIZE_MAX / 2, error);
    RP_TRY(mc_camera_form_of(encoder->header, &e->form, error));
    put_head(&e->out, encoder->header);
    return error->status;
}

void mc_camera_encode_free(rp_encoder *encoder)
{
    mc_camera_encoder *e = (mc_camera_encoder *)encoder;
    if (e->out.context)
        rp_writer_free(&e->out);
}

static void put_frame(mc_camera_encoder *e, const mc_camera_frame *from)
{
    mc_camera_frame frame = *from;
    const mc_number *others = frame.others.items;
    size_t next = 0;
    if (e->any)
        rp_put_u8(&e->out, '\n');
    e->any = true;
    for (size_t i = 0; i < e->form.count; i++) {
        uint8_t field = e->form.fields[i];
        if (i)
            rp_put_u8(&e->out, ' ');
        bool other = field == mc_camera_frame_F_others;
        mc_put_number(&e->out, !other                      ? *mc_camera_value(&frame, field)
                               : next < frame.others.count ? others[next++].item
                                                           : 0);
    }
}

static reprise_status flush(mc_camera_encoder *e, reprise_error *error)
{
    RP_TRY(error->status);
    RP_TRY(rp_sink_write(e->base.sink, e->out.data, e->out.size, error));
    rp_writer_clear(&e->out);
    return REPRISE_OK;
}

reprise_status mc_camera_encode_rows(rp_encoder *encoder, const rp_batch *batch,
                                     reprise_error *error)
{
    mc_camera_encoder *e = (mc_camera_encoder *)encoder;
    e->out.error = error;
    for (size_t i = 0; i < batch->count; i++)
        put_frame(e, batch->rows[i].data);
    return e->out.size >= FLUSH_SIZE ? flush(e, error) : error->status;
}

reprise_status mc_camera_encode_end(rp_encoder *encoder, reprise_error *error)
{
    mc_camera_encoder *e = (mc_camera_encoder *)encoder;
    e->out.error = error;
    rp_put_text(&e->out, "</anim_data></animation>");
    return flush(e, error);
}

/* ---- planning ---- */

/* Words that every document contains, or this one for another reason, cannot be searched for. */
static bool is_word(const mc_camera *camera, const char *text)
{
    const reprise_value *channels = rp_get(camera->header, "channels");
    for (size_t i = 0; i < reprise_value_count(channels); i++) {
        if (strstr(rp_get_text(reprise_value_at(channels, i), "name"), text))
            return true;
    }
    return strstr(
               "xml version encoding UTF-8 animation fps id name offset preview_color fov channel "
               "size anim_data",
               text) != NULL;
}

static void take_out(rp_plan *plan, reprise_value *attributes, const char *key, const char *what)
{
    rp_doc *doc = &plan->doc;
    const char *text = rp_get_text(attributes, key);
    if (!text)
        return;
    if (*text) {
        reprise_value *one = rp_push_object(doc, plan->substitutions);
        rp_set_text(doc, one, "what", what);
        rp_set_text(doc, one, "from", text);
        rp_set_text(doc, one, "to", "");
        if (is_word((const mc_camera *)plan->source, text))
            rp_set_bool(doc, one, "word", true);
    }
    rp_remove(attributes, key);
}

static bool is_known(const char *key)
{
    static const char *const known[] = {"fps", "id", "name", "offset", "preview_color", "fov"};
    size_t k = 0;
    while (k < RP_COUNT(known) && strcmp(known[k], key) != 0)
        k++;
    return k < RP_COUNT(known);
}

static void take_out_unknown(rp_plan *plan, reprise_value *attributes)
{
    for (size_t i = reprise_value_count(attributes); i-- > 0;) {
        const char *key = reprise_value_key(attributes, i);
        if (!is_known(key))
            take_out(plan, attributes, key, "attribute");
    }
}

/* A colour is a list of numbers or hexadecimal digits. */
static bool is_colour(const char *text)
{
    return text[strspn(text, "#0123456789abcdefABCDEFx., ()[]")] == '\0';
}

/*
 * Depending on the writer, positions reveal the place in the world with or without the offset. So
 * they are moved by whole blocks until the first frame is at the origin.
 */
static reprise_status plan_move(rp_plan *plan, reprise_error *error)
{
    double *move = rp_arena_array(&plan->arena, 3, sizeof *move, error);
    mc_camera_cursor *cursor = rp_arena_alloc(&plan->scratch, sizeof *cursor, error);
    if (!move || !cursor)
        return error->status;
    reprise_status status = mc_camera_open((mc_camera *)plan->source, cursor, error);
    if (status == REPRISE_OK)
        status = mc_camera_next(cursor, error);
    mc_camera_close(cursor);
    if (status != REPRISE_OK)
        return status == REPRISE_END ? REPRISE_OK : status;
    move[0] = -round(cursor->values.pos_x);
    move[1] = -round(cursor->values.pos_y);
    move[2] = -round(cursor->values.pos_z);
    plan->own = move;
    rp_push(
        &plan->doc, plan->notes,
        rp_new_text(&plan->doc, "the camera starts at the origin, not at its place in the scene"));
    return error->status;
}

reprise_status mc_camera_plan(rp_plan *plan, reprise_error *error)
{
    const mc_camera *camera = (const mc_camera *)plan->source;
    plan->edit.layout = rp_layout_to_write(plan->source, plan->edit.layout);
    plan->header = rp_copy(&plan->doc, camera->header);
    reprise_value *attributes = rp_get(plan->header, "attributes");
    uint32_t remove = plan->edit.remove;
    if (remove & RP_PRIVATE_NAMES)
        take_out(plan, attributes, "name", "camera name");
    if (remove & RP_PRIVATE_IDS)
        take_out(plan, attributes, "id", "camera id");
    if (remove & RP_PRIVATE_ADDRESSES) {
        take_out(plan, attributes, "offset", "place in the world");
        RP_TRY(plan_move(plan, error));
    }
    if (remove & RP_PRIVATE_EXTENSIONS)
        take_out_unknown(plan, attributes);
    const char *colour = rp_get_text(attributes, "preview_color");
    if ((remove & RP_PRIVATE_CONTENT) && colour && !is_colour(colour))
        take_out(plan, attributes, "preview_color", "colour");
    if (plan->edit.trims && plan->edit.keep_times && plan->edit.index_from > 0)
        rp_push(&plan->doc, plan->losses,
                rp_new_text(&plan->doc, "the time of the first frame: frames are counted from 0"));
    return error->status;
}

reprise_status mc_camera_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error)
{
    const double *move = plan->own;
    for (size_t i = 0; move && i < batch->count; i++) {
        mc_camera_frame *copy = rp_arena_alloc(&plan->scratch, sizeof *copy, error);
        if (!copy)
            return error->status;
        *copy = *(const mc_camera_frame *)batch->rows[i].data;
        copy->pos_x += move[0];
        copy->pos_y += move[1];
        copy->pos_z += move[2];
        batch->rows[i].data = copy;
    }
    return REPRISE_OK;
}

/* ---- what is private, by value ---- */

reprise_status mc_camera_private_header(rp_replay *base, rp_private *found, reprise_error *error)
{
    const mc_camera *camera = (const mc_camera *)base;
    const reprise_value *attributes = rp_get(camera->header, "attributes");
    const char *name = rp_get_text(attributes, "name"), *id = rp_get_text(attributes, "id");
    const char *colour = rp_get_text(attributes, "preview_color");
    rp_private_add(found, RP_PRIVATE_NAMES, "camera name", name && *name);
    rp_private_add(found, RP_PRIVATE_IDS, "camera id", id && *id);
    rp_private_add(found, RP_PRIVATE_ADDRESSES, "place in the world",
                   camera->offset[0] != 0 || camera->offset[1] != 0 || camera->offset[2] != 0);
    rp_private_add(found, RP_PRIVATE_CONTENT, "invalid colour", colour && !is_colour(colour));
    for (size_t i = 0; i < reprise_value_count(attributes); i++)
        rp_private_add(found, RP_PRIVATE_EXTENSIONS, "unknown attributes",
                       !is_known(reprise_value_key(attributes, i)));
    rp_private_add_unproven(found, RP_PRIVATE_EXTENSIONS, "names of unknown channels",
                            "their meaning is unknown", true, camera->form.others);
    return error->status;
}

/* The camera's first position, from which the others follow. */
void mc_camera_private_row(const rp_replay *base, const rp_row *row, rp_private *found)
{
    const mc_camera_frame *frame = row->data;
    RP_UNUSED(base);
    rp_private_add(found, RP_PRIVATE_ADDRESSES, "first position",
                   row->index == 0 && (fabs(frame->pos_x) > 0.5 || fabs(frame->pos_y) > 0.5 ||
                                       fabs(frame->pos_z) > 0.5));
}
