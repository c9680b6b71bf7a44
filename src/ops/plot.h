/* plot.h - draws plots of a timeline as one SVG image without scripts, links, fonts or dates. */
#ifndef RP_PLOT_H
#define RP_PLOT_H

#include "reprise/scene.h"
#include "scene_export.h"

/* *ret_empty: one of the plots has no values and is drawn as an empty frame that says so. */
reprise_status rp_plot_write(rp_scene_export *export, const reprise_plot_options *options,
                             rp_writer *w, bool *ret_empty, reprise_error *error);

/*
 * Widens a range of values to multiples of a step of 1, 2 or 5 times a power of ten, which gives 4
 * to 7 lines including both ends; low < high. Returns the step. Public for tests.
 */
double rp_plot_axis(double *low, double *high);
/* The same step for a range that is not widened. */
double rp_plot_step(double range);
/* Seconds between time labels, chosen so that labels are 80 to 140 pixels apart if possible. */
double rp_plot_time_step(double seconds, double width_px);

#endif
