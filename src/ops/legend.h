/* legend.h - names of what a plot shows, each beside a sample of its line. */
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
    size_t left_out; /* there was no room for these */
} rp_legend;

/* What has no name is not listed. */
void rp_legend_add(rp_legend *legend, const char *name, size_t slot);
/*
 * Lines it takes below a title. Few names stand beside the title and take none; more than four, or
 * long ones, do not. Of those that need more than `lines_max` lines the last are left out.
 */
unsigned rp_legend_lines(const rp_legend *legend, double width, unsigned lines_max);
/* Beside a title at `y`, or in that many lines that begin there; what is left out is counted. */
void rp_legend_put(const rp_legend *legend, rp_writer *w, double x, double y, double width,
                   unsigned lines);

#endif
