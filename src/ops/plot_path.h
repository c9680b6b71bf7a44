/* plot_path.h - draws paths seen from above as one panel of a picture. */
#ifndef RP_PLOT_PATH_H
#define RP_PLOT_PATH_H

#include "reprise/scene.h"
#include "scene_export.h"

/* Whether the replay has a path of anything. */
bool rp_path_has(const rp_scene_export *export);
/*
 * Draws a square panel from `top` on, with equal scales and north up. A single path is coloured by
 * speed, several by player. *ret_any: something was drawn.
 */
reprise_status rp_path_draw(rp_scene_export *export, const reprise_plot_options *options,
                            double top, rp_writer *w, bool *ret_any, reprise_error *error);

#endif
