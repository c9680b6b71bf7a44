/* legend.h - the legend of a plot: names, each beside a sample of its line. */
#ifndef RP_LEGEND_H
#define RP_LEGEND_H

#include "svg.h"

enum { RP_LEGEND_MAX = 32, RP_LEGEND_LINE_PX = 16 };

typedef struct rp_legend {
    struct {
        const char *name; /* the caller's */
        size_t slot;      /* colour and dash */
    } items[RP_LEGEND_MAX];
    size_t count;
    size_t left_out; /* had no room */
} rp_legend;

/* Ignores entries without a name. */
void rp_legend_add(rp_legend *legend, const char *name, size_t slot);
/*
 * The number of lines below the title. A few short names fit beside the title and take none. If
 * more than `lines_max` lines are needed, the last names are left out.
 */
unsigned rp_legend_lines(const rp_legend *legend, double width, unsigned lines_max);
/*
 * Draws the legend beside a title at `y`, or in `lines` lines from there, with a count of the names
 * left out.
 */
void rp_legend_put(const rp_legend *legend, rp_writer *w, double x, double y, double width,
                   unsigned lines);

#endif
