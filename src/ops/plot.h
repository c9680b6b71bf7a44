/* plot.h - plots of a timeline as one SVG picture: no script, no link, no font, no date. */
#ifndef RP_PLOT_H
#define RP_PLOT_H

#include "reprise/scene.h"
#include "scene_export.h"

/* *ret_empty: one of the plots has no values, and is drawn as an empty frame that says so. */
reprise_status rp_plot_write(rp_scene_export *show, const reprise_plot_options *options,
                             rp_writer *w, bool *ret_empty, reprise_error *error);

/*
 * Widens a range of values to whole steps of 1, 2 or 5 times a power of ten, so that there are 4 to
 * 7 lines with those at its ends; low < high. Returns the step; exposed for tests.
 */
double rp_plot_axis(double *low, double *high);
/* Such a step for a range that stays as it is. */
double rp_plot_step(double range);
/* Seconds between time labels, so that they stand 80 to 140 pixels apart where that can be. */
double rp_plot_time_step(double seconds, double width_px);

#endif
