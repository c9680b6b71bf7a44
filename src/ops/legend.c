/* legend.c - see legend.h. */
#include "legend.h"

#include <stdio.h>
#include <string.h>

#include "checked.h"
#include "error.h"

enum {
    NAME_MAX_BYTES = 25,
    BESIDE_MAX = 4,
    TITLE_PX = 180, /* reserved for the title */
    SAMPLE_PX = 24,
    MORE_PX = 72 /* for "and 12 more" */
};

/* An upper bound for a name with its sample: fonts differ. */
static double width_of(const char *name)
{
    return 42 + 7.0 * (double)RP_MIN(strlen(name), NAME_MAX_BYTES - 1);
}

void rp_legend_add(rp_legend *l, const char *name, size_t slot)
{
    if (!*name)
        return;
    if (l->count == RP_LEGEND_MAX) {
        l->left_out++;
        return;
    }
    l->items[l->count].name = name;
    l->items[l->count++].slot = slot % RP_SVG_SLOTS;
}

static double width_of_all(const rp_legend *l)
{
    double sum = 0;
    for (size_t i = 0; i < l->count; i++)
        sum += width_of(l->items[i].name);
    return sum;
}

unsigned rp_legend_lines(const rp_legend *l, double width, unsigned lines_max)
{
    if (l->count <= BESIDE_MAX && width_of_all(l) <= width - TITLE_PX)
        return 0;
    unsigned lines = 1;
    double at = 0;
    for (size_t i = 0; i < l->count; i++) {
        double wide = width_of(l->items[i].name);
        if (at > 0 && at + wide > width) {
            lines++;
            at = 0;
        }
        at += wide;
    }
    return RP_MIN(lines, lines_max);
}

static void put_item(const rp_legend *l, size_t i, rp_writer *w, double x, double y)
{
    char name[NAME_MAX_BYTES];
    rp_text_copy(name, sizeof name, l->items[i].name);
    rp_put_format(w, "<path class=\"l s%zu\" d=\"M%.1f %.1fh%d\"/>\n", l->items[i].slot, x, y - 4,
                  SAMPLE_PX);
    rp_svg_label(w, x + SAMPLE_PX + 6, y, "a", name);
}

static void put_more(size_t count, rp_writer *w, double x, double y)
{
    char text[32];
    snprintf(text, sizeof text, "and %zu more", count);
    if (count)
        rp_svg_label(w, x, y, "a", text);
}

/* Fills the lines left to right; the last line keeps room for "and N more". */
static void put_lines(const rp_legend *l, rp_writer *w, double x, double y, double width,
                      unsigned lines)
{
    double at = 0;
    unsigned line = 1;
    size_t i = 0;
    for (; i < l->count; i++) {
        double wide = width_of(l->items[i].name);
        bool last = i + 1 == l->count && !l->left_out;
        double room = width - (line == lines && !last ? MORE_PX : 0);
        if (at > 0 && at + wide > room) {
            if (line == lines)
                break;
            line++;
            at = 0;
        }
        put_item(l, i, w, x + at, y + (line - 1) * (double)RP_LEGEND_LINE_PX);
        at += wide;
    }
    put_more(l->count - i + l->left_out, w, x + at, y + (line - 1) * (double)RP_LEGEND_LINE_PX);
}

void rp_legend_put(const rp_legend *l, rp_writer *w, double x, double y, double width,
                   unsigned lines)
{
    if (lines) {
        put_lines(l, w, x, y, width, lines);
        return;
    }
    /* They do not fit beside the title, and there is no room for lines. */
    if (l->count > BESIDE_MAX || width_of_all(l) > width - TITLE_PX)
        return;
    double at = x + width - width_of_all(l);
    for (size_t i = 0; i < l->count; i++) {
        put_item(l, i, w, at, y);
        at += width_of(l->items[i].name);
    }
}
