/* svg.h - helpers for SVG: escaped text, player colours, two themes. */
#ifndef RP_SVG_H
#define RP_SVG_H

#include "reprise/reprise.h"

#include "reprise/scene.h"
#include "writer.h"

enum { RP_SVG_SLOTS = 8 };

/* Writes text for elements and attributes; control characters are dropped. */
void rp_svg_text(rp_writer *w, const char *text);
void rp_svg_label(rp_writer *w, double x, double y, const char *style, const char *text);
/* Hatches an area of which nothing is known; `title` says why. */
void rp_svg_hatch(rp_writer *w, double x, double y, double width, double height, const char *style,
                  const char *title);
/* The style element; with both themes if the viewer chooses. */
void rp_svg_style(rp_writer *w, reprise_theme theme);

#endif
