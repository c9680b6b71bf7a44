/*
 * camera_read.c - reads camera animations: the header, then frame after frame.
 *
 * A line holds exactly as many numbers as its channels have together; any other line ends the
 * frames. Blank lines before and after the frames are layout.
 */
#include "camera.h"

#include <math.h>
#include <stdio.h>

#include "floattext.h"
#include "mcreplay.h"
#include "whole.h"

/* ---- channels ---- */

#define FIELD(name) mc_camera_frame_F_##name

/* Fields in the order of their numbers in a line; a rotation begins with w. */
static const struct {
    const char *name;
    size_t size;
    uint8_t fields[4];
} channels[] = {
    {"location", 3, {FIELD(pos_x), FIELD(pos_y), FIELD(pos_z)}},
    {"rotation_euler", 3, {FIELD(pitch), FIELD(yaw), FIELD(roll)}},
    {"rotation_quat", 4, {FIELD(rot_w), FIELD(rot_x), FIELD(rot_y), FIELD(rot_z)}},
    {"fov", 1, {FIELD(fov)}},
};

#define BIT(field)     (UINT64_C(1) << (field))
#define TWO_ROTATIONS  (BIT(FIELD(yaw)) | BIT(FIELD(rot_w)))
#define CHANNEL_OTHERS RP_COUNT(channels)

double *mc_camera_value(mc_camera_frame *frame, uint8_t field)
{
    return (double *)(void *)((char *)frame + mc_camera_frame_record.fields[field].offset);
}

static size_t channel_of(const char *name)
{
    size_t i = 0;
    while (i < RP_COUNT(channels) && strcmp(channels[i].name, name) != 0)
        i++;
    return i;
}

static reprise_status wrong(size_t channel, const char *what, reprise_error *error)
{
    char path[96];
    snprintf(path, sizeof path, "animation.channel[%zu]", channel);
    rp_error_set(error, REPRISE_E_CORRUPT, "%s", what);
    rp_error_place(error, "file", 0, path);
    return error->status;
}

static reprise_status add_channel(mc_camera_form *form, size_t index, const char *name,
                                  int64_t size, reprise_error *error)
{
    size_t kind = channel_of(name ? name : "");
    if (!name)
        return wrong(index, "a channel has no name", error);
    if (size < 1 || size > (int64_t)(MC_CAMERA_VALUES_MAX - form->count))
        return wrong(index, "a channel has no size, or a frame has too many numbers", error);
    bool known = kind < CHANNEL_OTHERS;
    if (known && (size_t)size != channels[kind].size)
        return wrong(index, "a channel does not have the size of its kind", error);
    if (known && form->present & BIT(channels[kind].fields[0]))
        return wrong(index, "a channel is declared twice", error);
    for (size_t i = 0; i < (size_t)size; i++) {
        uint8_t field = known ? channels[kind].fields[i] : FIELD(others);
        form->fields[form->count++] = field;
        form->present |= BIT(field);
        form->others += !known;
    }
    return (form->present & TWO_ROTATIONS) == TWO_ROTATIONS
               ? wrong(index, "both kinds of rotation are declared", error)
               : REPRISE_OK;
}

reprise_status mc_camera_form_of(const reprise_value *header, mc_camera_form *ret_form,
                                 reprise_error *error)
{
    const reprise_value *list = rp_get(header, "channels");
    mc_camera_form form = {.count = 0};
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        RP_TRY(add_channel(&form, i, rp_get_text(one, "name"),
                           reprise_value_int(rp_get(one, "size"), 0), error));
    }
    if (!form.count)
        return wrong(0, "no channel is declared before the frames", error);
    *ret_form = form;
    return REPRISE_OK;
}

/* ---- the head ---- */

static reprise_status refuse(reprise_error *error, uint64_t offset, const char *path,
                             const char *what)
{
    rp_error_set(error, REPRISE_E_CORRUPT, "%s", what);
    rp_error_place(error, "file", offset, path);
    return error->status;
}

static reprise_status keep_channel(rp_doc *doc, reprise_value *list, const rp_xml_event *event,
                                   reprise_error *error)
{
    const char *name = rp_xml_attribute(event, "name"), *size = rp_xml_attribute(event, "size");
    double number = 0;
    size_t used = size ? rp_parse_f64(size, strlen(size), &number) : 0;
    if (!size || used != strlen(size) || number != floor(number) || fabs(number) > UINT16_MAX)
        return refuse(error, event->offset, "animation.channel", "its size is not an integer");
    if (reprise_value_count(list) >= MC_CAMERA_CHANNELS_MAX)
        return refuse(error, event->offset, "animation.channel", "too many channels");
    reprise_value *one = rp_push_object(doc, list);
    rp_set_text_if(doc, one, "name", name);
    rp_set_int(doc, one, "size", rp_whole(number));
    return error->status;
}

static void keep_attributes(rp_doc *doc, reprise_value *header, const rp_xml_event *event)
{
    reprise_value *to = rp_set_object(doc, header, "attributes");
    for (const char *const *a = event->attributes; *a; a += 2)
        rp_set_text(doc, to, a[0], a[1]);
}

/* Reads up to the first frame. `header` is NULL when the document is read again for its frames. */
static reprise_status read_head(rp_xml *xml, rp_doc *doc, reprise_value *header,
                                reprise_error *error)
{
    rp_xml_event event;
    reprise_value *list = NULL;
    int depth = 0;
    for (;;) {
        RP_TRY(rp_xml_next(xml, &event, error));
        if (event.kind == RP_XML_FINISHED)
            return refuse(error, event.offset, "animation", "anim_data is missing");
        depth -= event.kind == RP_XML_END;
        if (event.kind != RP_XML_START)
            continue;
        depth++;
        if (depth == 1 && strcmp(event.name, "animation") != 0)
            return refuse(error, event.offset, "", "not a camera animation");
        if (depth == 2 && strcmp(event.name, "anim_data") == 0)
            return error->status;
        if (!header)
            continue;
        if (depth == 1) {
            keep_attributes(doc, header, &event);
            list = rp_set_array(doc, header, "channels");
        } else if (depth == 2 && strcmp(event.name, "channel") == 0) {
            RP_TRY(keep_channel(doc, list, &event, error));
        }
    }
}

static bool read_number(const char *text, double *ret_value)
{
    return text && rp_parse_f64_loose(text, strlen(text), ret_value) && isfinite(*ret_value);
}

/* "[x, y, z]" */
static bool read_offset(const char *text, double to[3])
{
    size_t size = strlen(text), count = 0;
    return size >= 2 && text[0] == '[' && text[size - 1] == ']' &&
           mc_parse_numbers(text + 1, size - 2, to, 3, &count) && count == 3 && isfinite(to[0]) &&
           isfinite(to[1]) && isfinite(to[2]);
}

static reprise_status read_attributes(mc_camera *camera, reprise_error *error)
{
    const reprise_value *attributes = rp_get(camera->header, "attributes");
    const char *offset = rp_get_text(attributes, "offset"), *fov = rp_get_text(attributes, "fov");
    camera->fov = NAN;
    if (!read_number(rp_get_text(attributes, "fps"), &camera->fps) || camera->fps <= 0)
        return refuse(error, 0, "animation.fps", "the rate is not a number above 0");
    if (offset && !read_offset(offset, camera->offset))
        return refuse(error, 0, "animation.offset", "the offset is not three numbers in brackets");
    if (fov && !read_number(fov, &camera->fov))
        return refuse(error, 0, "animation.fov", "the field of view is not a number");
    return REPRISE_OK;
}

reprise_status mc_camera_open_xml(rp_context *context, rp_source *source, rp_xml **ret_xml,
                                  reprise_error *error)
{
    rp_stream *stream = NULL;
    RP_TRY(
        rp_stream_open_range(context, source, 0, rp_source_size(source), "file", &stream, error));
    return rp_xml_open(context, stream, ret_xml, error);
}

reprise_status mc_camera_read_header(rp_replay *base, reprise_error *error)
{
    mc_camera *camera = (mc_camera *)base;
    rp_doc doc = {.arena = &base->arena, .error = error};
    rp_xml *xml = NULL;
    RP_TRY(mc_camera_open_xml(base->context, base->source, &xml, error));
    camera->header = rp_new_object(&doc);
    reprise_status status = read_head(xml, &doc, camera->header, error);
    rp_xml_close(xml);
    RP_TRY(status);
    RP_TRY(read_attributes(camera, error));
    RP_TRY(mc_camera_form_of(camera->header, &camera->form, error));
    base->layout = "camera";
    base->fields[MC_CAMERA_FRAMES] = camera->form.present;
    return REPRISE_OK;
}

/* ---- frames ---- */

reprise_status mc_camera_open(mc_camera *camera, mc_camera_cursor *ret_cursor, reprise_error *error)
{
    rp_context *context = camera->base.context;
    *ret_cursor = (mc_camera_cursor){.camera = camera};
    ret_cursor->values.others = (rp_list){.items = ret_cursor->others,
                                          .count = camera->form.others};
    rp_writer_init(&ret_cursor->line, context, (size_t)context->limits.record_bytes_max, error);
    RP_TRY(mc_camera_open_xml(context, camera->base.source, &ret_cursor->xml, error));
    return read_head(ret_cursor->xml, NULL, NULL, error);
}

void mc_camera_close(mc_camera_cursor *cursor)
{
    rp_xml_close(cursor->xml);
    if (cursor->line.context)
        rp_writer_free(&cursor->line);
}

/* Checks that the rest of the document is well-formed and has no more frames. */
static reprise_status read_rest(mc_camera_cursor *c, reprise_error *error)
{
    rp_xml_event event;
    do {
        RP_TRY(rp_xml_next(c->xml, &event, error));
        if (event.kind == RP_XML_START && strcmp(event.name, "anim_data") == 0)
            return refuse(error, event.offset, "animation", "anim_data is there twice");
    } while (event.kind != RP_XML_FINISHED);
    c->finished = true;
    return REPRISE_OK;
}

static reprise_status more_text(mc_camera_cursor *c, reprise_error *error)
{
    rp_xml_event event;
    RP_TRY(rp_xml_next(c->xml, &event, error));
    c->offset = event.offset;
    if (event.kind == RP_XML_TEXT) {
        c->text = event.text;
        c->size = event.size;
        return REPRISE_OK;
    }
    if (event.kind == RP_XML_START)
        return refuse(error, event.offset, "animation.anim_data",
                      "unexpected element among the numbers");
    c->ended = true;
    return read_rest(c, error);
}

/* Consumes text up to a line end; false if there is none. */
static bool take_line(mc_camera_cursor *c)
{
    if (c->after_cr && c->size && *c->text == '\n') {
        c->text++;
        c->size--;
    }
    c->after_cr = c->after_cr && !c->size;
    size_t n = 0;
    while (n < c->size && c->text[n] != '\n' && c->text[n] != '\r')
        n++;
    rp_put(&c->line, c->text, n);
    bool complete = n < c->size;
    if (complete)
        c->after_cr = c->text[n++] == '\r';
    c->text += n;
    c->size -= n;
    return complete;
}

/* Reads the next line, without its end. REPRISE_END after the last. */
static reprise_status next_line(mc_camera_cursor *c, reprise_error *error)
{
    rp_writer_clear(&c->line);
    while (!c->ended) {
        if (c->size && take_line(c))
            return error->status;
        RP_TRY(error->status);
        if (!c->size)
            RP_TRY(more_text(c, error));
        if (c->ended)
            return REPRISE_OK; /* the last line may lack its end */
    }
    return REPRISE_END;
}

static reprise_status wrong_line(const mc_camera_cursor *c, const char *what, size_t found,
                                 reprise_error *error)
{
    char path[96];
    snprintf(path, sizeof path, "frames[%lld]", (long long)c->frame);
    rp_error_set(error, REPRISE_E_CORRUPT, "%s: expected %zu numbers, found %zu", what,
                 c->camera->form.count, found);
    rp_error_place(error, "file", c->offset, path);
    return error->status;
}

static inline bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static void store(mc_camera_cursor *c, size_t index, size_t *others, double value)
{
    uint8_t field = c->camera->form.fields[index];
    if (field == FIELD(others))
        c->others[(*others)++].item = value;
    else
        *mc_camera_value(&c->values, field) = value;
}

static reprise_status read_line(mc_camera_cursor *c, reprise_error *error)
{
    const char *at = (const char *)c->line.data, *end = at + c->line.size;
    size_t count = 0, others = 0;
    for (;;) {
        while (at < end && is_space(*at))
            at++;
        if (at == end)
            break;
        const char *word = at;
        while (at < end && !is_space(*at))
            at++;
        double value;
        if (!rp_parse_f64_loose(word, (size_t)(at - word), &value) || !isfinite(value))
            return wrong_line(c, "something that is no number", count, error);
        if (count < c->camera->form.count)
            store(c, count, &others, value);
        count++;
    }
    return count == c->camera->form.count ? REPRISE_OK
                                          : wrong_line(c, "a line of another length", count, error);
}

static bool is_blank(const rp_writer *line)
{
    size_t i = 0;
    while (i < line->size && is_space((char)line->data[i]))
        i++;
    return i == line->size;
}

static reprise_status read_frame(mc_camera_cursor *c, reprise_error *error)
{
    c->line.error = error;
    for (;;) {
        RP_TRY(next_line(c, error));
        if (!is_blank(&c->line))
            break;
        c->blanks += c->frame > 0;
    }
    if (c->blanks)
        return wrong_line(c, "a blank line between frames", 0, error);
    RP_TRY(read_line(c, error));
    c->frame++;
    return REPRISE_OK;
}

reprise_status mc_camera_next(mc_camera_cursor *c, reprise_error *error)
{
    if (!c->camera->base.salvage)
        return read_frame(c, error);
    reprise_error damage = REPRISE_ERROR_INIT;
    reprise_status status = read_frame(c, &damage);
    if (status == REPRISE_OK || status == REPRISE_END)
        return status;
    if (status != REPRISE_E_CORRUPT && status != REPRISE_E_TRUNCATED) {
        *error = damage;
        return status;
    }
    rp_note_lost(&c->camera->base.findings, MC_CAMERA_FINDING(LOST_FRAMES), status, damage.stream,
                 damage.offset, damage.path, "everything after frame %lld is lost: %s",
                 (long long)c->frame - 1, damage.message);
    return REPRISE_END;
}

/* ---- decoding ---- */

reprise_status mc_camera_decode_begin(rp_decoder *decoder, reprise_error *error)
{
    mc_camera_decoder *d = (mc_camera_decoder *)decoder;
    return mc_camera_open((mc_camera *)decoder->replay, &d->cursor, error);
}

void mc_camera_decode_end(rp_decoder *decoder)
{
    mc_camera_close(&((mc_camera_decoder *)decoder)->cursor);
}

reprise_status mc_camera_decode_next(rp_decoder *decoder, reprise_error *error)
{
    mc_camera_decoder *d = (mc_camera_decoder *)decoder;
    const mc_camera *camera = (const mc_camera *)decoder->replay;
    if (!d->ready)
        RP_TRY(mc_camera_next(&d->cursor, error));
    d->ready = false;
    if (!rp_selected(decoder, MC_CAMERA_FRAMES))
        return REPRISE_OK;
    int64_t frame = d->cursor.frame - 1;
    return rp_emit(decoder,
                   (rp_row){.track = MC_CAMERA_FRAMES,
                            .index = frame,
                            .time = (double)frame / camera->fps,
                            .present = camera->form.present,
                            .data = &d->cursor.values},
                   error);
}

/* Lines have no fixed length, so a seek reads up to the moment. */
reprise_status mc_camera_decode_seek(rp_decoder *decoder, reprise_moment moment,
                                     reprise_error *error)
{
    mc_camera_decoder *d = (mc_camera_decoder *)decoder;
    const mc_camera *camera = (const mc_camera *)decoder->replay;
    mc_camera_cursor again;
    reprise_status status = mc_camera_open(d->cursor.camera, &again, error);
    mc_camera_close(&d->cursor);
    d->cursor = again;
    d->cursor.values.others.items = d->cursor.others;
    RP_TRY(status);
    mc_camera_frame last = {0};
    mc_number others[MC_CAMERA_VALUES_MAX];
    for (;;) {
        status = mc_camera_next(&d->cursor, error);
        if (status == REPRISE_END && !moment.by_index && d->cursor.frame) {
            decoder->replay->read_to_end = true;
            break;
        }
        if (status == REPRISE_END)
            return rp_error_set(error, REPRISE_E_USAGE,
                                "frame %lld is out of range: the file has %lld frames",
                                (long long)moment.index, (long long)d->cursor.frame);
        RP_TRY(status);
        int64_t frame = d->cursor.frame - 1;
        if (moment.by_index && frame == moment.index)
            break;
        if (!moment.by_index && frame && (double)frame / camera->fps > moment.time) {
            d->cursor.values = last;
            memcpy(d->cursor.others, others, sizeof others);
            d->cursor.frame = frame;
            break;
        }
        last = d->cursor.values;
        memcpy(others, d->cursor.others, sizeof others);
    }
    d->ready = true;
    return REPRISE_OK;
}
