/* svg.h - what every picture of ours has: escaped texts, the colours of players, two themes. */
#ifndef RP_SVG_H
#define RP_SVG_H

#include "reprise/reprise.h"

#include "reprise/scene.h"
#include "writer.h"

enum { RP_SVG_SLOTS = 8 };

/* Text between tags or inside quotes; control characters are left out. */
void rp_svg_text(rp_writer *w, const char *text);
void rp_svg_label(rp_writer *w, double x, double y, const char *style, const char *text);
/* Slanting lines over a stretch of which nothing is known; `title` says why. */
void rp_svg_hatch(rp_writer *w, double x, double y, double width, double height, const char *style,
                  const char *title);
/* The style element, with both themes if the reader's screen decides. */
void rp_svg_style(rp_writer *w, reprise_theme theme);

#endif
