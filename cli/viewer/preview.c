/* preview.c - see preview.h. */
#include "preview.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/*
 * A picture with a palette: the background, a grid, and eight colours of players, each in LEVELS
 * steps from the background, for smooth edges.
 */
enum {
    WIDTH = CLI_PREVIEW_WIDTH,
    HEIGHT = CLI_PREVIEW_HEIGHT,
    MARGIN = 48,
    LEVELS = 15,
    COLOURS = 9, /* the grid, and those of players */
    PALETTE = 1 + COLOURS * LEVELS,
    POINTS_MAX = 1 << 11, /* more are left out evenly */
};

static const unsigned char background[3] = {0x17, 0x1d, 0x25};
static const unsigned char colours[COLOURS][3] = {
    {0x2b, 0x35, 0x42}, {0x56, 0xb4, 0xe9}, {0xe6, 0x9f, 0x00},
    {0xf9, 0xff, 0xd3}, {0xdd, 0x22, 0x4f}, {0xa7, 0x0d, 0xf7},
    {0x9d, 0xb1, 0xa9}, {0x40, 0x73, 0x90}, {0xa9, 0xfc, 0x7d}};

/* ---- columns of the timeline ---- */

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* A number of a column: bytes in little-endian order, in base64. */
typedef struct column {
    const char *text;
    size_t size, count, width;
    bool is_float, is_signed;
    double start, step; /* of a range, which has no text */
} column;

static unsigned char byte_at(const column *c, size_t at)
{
    size_t group = at / 3 * 4, first = group + at % 3;
    if (first + 1 >= c->size)
        return 0;
    int high = digit_of(c->text[first]), low = digit_of(c->text[first + 1]);
    unsigned shift = 2 * (unsigned)(at % 3 + 1);
    if (high < 0 || low < 0)
        return 0;
    return (unsigned char)((unsigned)high << shift | (unsigned)low >> (6 - shift));
}

static double number_at(const column *c, size_t at)
{
    if (!c->text)
        return c->start + c->step * (double)at;
    unsigned char bytes[8] = {0};
    for (size_t i = 0; i < c->width; i++)
        bytes[i] = byte_at(c, at * c->width + i);
    uint64_t bits = 0;
    for (size_t i = 8; i-- > 0;)
        bits = bits << 8 | bytes[i];
    if (c->is_float && c->width == 4) {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    if (c->is_float) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    uint64_t sign = UINT64_C(1) << (8 * c->width - 1);
    return c->is_signed && bits & sign ? (double)bits - 2 * (double)sign : (double)bits;
}

static bool open_column(const reprise_value *from, column *c)
{
    const char *type = reprise_value_text(reprise_value_get(from, "type"), NULL);
    *c = (column){.count = reprise_value_uint(reprise_value_get(from, "n"), 0)};
    if (!type)
        return false;
    if (strcmp(type, "range") == 0) {
        c->start = reprise_value_double(reprise_value_get(from, "start"), 0);
        c->step = reprise_value_double(reprise_value_get(from, "step"), 0);
        return true;
    }
    c->text = reprise_value_text(reprise_value_get(from, "b64"), &c->size);
    c->width = (size_t)strtoul(type + 1, NULL, 10) / 8;
    c->is_float = type[0] == 'f';
    c->is_signed = type[0] == 'i';
    return c->text && c->width >= 1 && c->width <= 8 && c->count <= c->size / c->width;
}

/* ---- drawing ---- */

typedef struct picture {
    unsigned char *pixels;         /* a byte before each row: PNG's filter, none */
    double left, right, low, high; /* values at the edges */
} picture;

static void cover(picture *p, int x, int y, unsigned colour, double share)
{
    if (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT || !(share > 0))
        return;
    unsigned level = (unsigned)lround(fmin(share, 1) * LEVELS);
    unsigned char *pixel = &p->pixels[(size_t)y * (WIDTH + 1) + 1 + (size_t)x];
    unsigned now = *pixel ? (*pixel - 1U) % LEVELS + 1 : 0;
    bool grid = *pixel && (*pixel - 1U) / LEVELS == 0;
    if (level && (level >= now || grid))
        *pixel = (unsigned char)(1 + colour * LEVELS + level - 1);
}

/* A line of 4 pixels: every pixel is covered by its distance. */
static void draw_line(picture *p, double x0, double y0, double x1, double y1, unsigned colour)
{
    const double radius = 2.0;
    double dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
    for (int x = (int)floor(fmin(x0, x1) - radius); x <= (int)ceil(fmax(x0, x1) + radius); x++) {
        for (int y = (int)floor(fmin(y0, y1) - radius); y <= (int)ceil(fmax(y0, y1) + radius);
             y++) {
            double along = square > 0 ? ((x - x0) * dx + (y - y0) * dy) / square : 0;
            along = fmin(fmax(along, 0), 1);
            double distance = hypot(x - x0 - along * dx, y - y0 - along * dy);
            cover(p, x, y, colour, radius + 0.5 - distance);
        }
    }
}

static double x_of(const picture *p, double t)
{
    return MARGIN + (t - p->left) / (p->right - p->left) * (WIDTH - 2 * MARGIN);
}

static double y_of(const picture *p, double v)
{
    return HEIGHT - MARGIN - (v - p->low) / (p->high - p->low) * (HEIGHT - 2 * MARGIN);
}

static void draw_grid(picture *p)
{
    enum { LINES = 4 };
    for (int i = 0; i <= LINES; i++) {
        int y = MARGIN + i * (HEIGHT - 2 * MARGIN) / LINES;
        for (int x = MARGIN; x < WIDTH - MARGIN; x++) {
            cover(p, x, y, 0, 1);
            cover(p, x, y + 1, 0, 1);
        }
    }
}

static void draw_series(picture *p, const column *t, const column *v, bool step, unsigned colour)
{
    size_t stride = v->count / POINTS_MAX + 1;
    double last_x = NAN, last_y = NAN;
    for (size_t i = 0; i < v->count && i < t->count; i += stride) {
        double x = x_of(p, number_at(t, i)), y = y_of(p, number_at(v, i));
        bool joined = isfinite(x) && isfinite(y) && isfinite(last_x);
        if (joined && step)
            draw_line(p, last_x, last_y, x, last_y, colour);
        if (joined)
            draw_line(p, step ? x : last_x, last_y, x, y, colour);
        last_x = isfinite(x) && isfinite(y) ? x : NAN;
        last_y = y;
    }
}

/* ---- PNG ---- */

static void put_u32(cli_strbuf *to, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        cli_putc(to, (char)(value >> shift & 0xFF));
}

static void put_chunk(cli_strbuf *to, const char *type, const void *data, size_t size)
{
    put_u32(to, (uint32_t)size);
    cli_put(to, type, 4);
    if (size)
        cli_put(to, data, size);
    uLong crc = crc32(0, (const unsigned char *)type, 4);
    if (size)
        crc = crc32(crc, data, (uInt)size);
    put_u32(to, (uint32_t)crc);
}

static void put_palette(cli_strbuf *to)
{
    unsigned char palette[3 * PALETTE];
    memcpy(palette, background, 3);
    for (size_t i = 1; i < PALETTE; i++) {
        const unsigned char *colour = colours[(i - 1) / LEVELS];
        int level = (int)((i - 1) % LEVELS) + 1;
        for (size_t k = 0; k < 3; k++)
            palette[3 * i + k] = (unsigned char)(background[k] +
                                                 (colour[k] - background[k]) * level / LEVELS);
    }
    put_chunk(to, "PLTE", palette, sizeof palette);
}

static void put_png(const picture *p, cli_strbuf *to)
{
    static const char head[] = {
        0, 0, WIDTH >> 8, (char)(WIDTH & 0xFF), 0, 0, HEIGHT >> 8, (char)(HEIGHT & 0xFF), 8, 3,
        0, 0, 0};
    uLong size = (uLong)HEIGHT * (WIDTH + 1);
    uLongf packed_size = compressBound(size);
    unsigned char *packed = cli_memory(NULL, packed_size);
    compress2(packed, &packed_size, p->pixels, size, 6); /* cannot fail: the room is enough */
    cli_put(to, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(to, "IHDR", head, sizeof head);
    put_palette(to);
    put_chunk(to, "IDAT", packed, packed_size);
    put_chunk(to, "IEND", NULL, 0);
    free(packed);
}

/* ---- the plot ---- */

static void widen(double value, double *low, double *high)
{
    if (!isfinite(value))
        return;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* Sets the edges; false without two values. */
static bool measure(const reprise_value *plot, picture *p)
{
    const reprise_value *series = reprise_value_get(plot, "series");
    size_t points = 0;
    *p = (picture){.left = INFINITY, .right = -INFINITY, .low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < reprise_value_count(series); i++) {
        column t, v;
        const reprise_value *one = reprise_value_at(series, i);
        if (!open_column(reprise_value_get(one, "t"), &t) ||
            !open_column(reprise_value_get(one, "v"), &v))
            continue;
        for (size_t j = 0; j < t.count && j < v.count; j++) {
            widen(number_at(&t, j), &p->left, &p->right);
            widen(number_at(&v, j), &p->low, &p->high);
            points++;
        }
    }
    if (p->high == p->low) {
        p->low -= 1;
        p->high += 1;
    }
    return points > 1 && p->left < p->right && p->low < p->high;
}

/* The first plot with lines that has values. */
static const reprise_value *choose_plot(const reprise_scene *scene, picture *p)
{
    const reprise_value *plots = reprise_value_get(reprise_scene_timeline(scene), "plots");
    for (size_t i = 0; i < reprise_value_count(plots); i++) {
        const reprise_value *plot = reprise_value_at(plots, i);
        const char *kind = reprise_value_text(reprise_value_get(plot, "kind"), NULL);
        if (kind && (strcmp(kind, "line") == 0 || strcmp(kind, "step") == 0) && measure(plot, p))
            return plot;
    }
    return NULL;
}

bool cli_put_preview(const reprise_scene *scene, cli_strbuf *to)
{
    picture p;
    const reprise_value *plot = choose_plot(scene, &p);
    if (!plot)
        return false;
    size_t size = (size_t)HEIGHT * (WIDTH + 1);
    p.pixels = cli_memory(NULL, size);
    memset(p.pixels, 0, size);
    draw_grid(&p);
    const reprise_value *series = reprise_value_get(plot, "series");
    const char *kind = reprise_value_text(reprise_value_get(plot, "kind"), NULL);
    for (size_t i = 0; i < reprise_value_count(series); i++) {
        column t, v;
        const reprise_value *one = reprise_value_at(series, i);
        if (open_column(reprise_value_get(one, "t"), &t) &&
            open_column(reprise_value_get(one, "v"), &v))
            draw_series(&p, &t, &v, strcmp(kind, "step") == 0, 1 + (unsigned)(i % (COLOURS - 1)));
    }
    put_png(&p, to);
    free(p.pixels);
    return true;
}
