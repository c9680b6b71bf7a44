/*
 * svg.c - see svg.h. Classes: t title, a axis text, e ends there, m in the middle, g grid, z zero,
 * k marker, h unreadable, p paused, l line, b filled; s0 to s7 are the colours of players.
 */
#include "svg.h"

#include <math.h>
#include <string.h>

#include "xml.h"

static const char *const dark_colours[RP_SVG_SLOTS] = {"#56B4E9", "#E69F00", "#F9FFD3", "#DD224F",
                                                       "#A70DF7", "#9DB1A9", "#407390", "#A9FC7D"};
static const char *const light_colours[RP_SVG_SLOTS] = {"#0072B2", "#B36B00", "#21130F", "#8D05FD",
                                                        "#EB2A64", "#000891", "#700367", "#920103"};
static const char *const dashes[RP_SVG_SLOTS] = {"",        "7 3", "2 3",  "10 3 2 3",
                                                 "7 3 2 3", "2 2", "12 3", "12 3 2 3 2 3"};

void rp_svg_text(rp_writer *w, const char *text)
{
    rp_xml_put_text(w, text, strlen(text));
}

void rp_svg_label(rp_writer *w, double x, double y, const char *style, const char *text)
{
    rp_put_format(w, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, style);
    rp_svg_text(w, text);
    rp_put_text(w, "</text>\n");
}

/* Drawn line by line: a pattern needs an id, and two pictures in one page would clash. */
void rp_svg_hatch(rp_writer *w, double x, double y, double width, double height, const char *style,
                  const char *title)
{
    static const double apart_px = 8;
    rp_put_format(w, "<path class=\"%s\" d=\"", style);
    for (double at = apart_px; at < width + height; at += apart_px)
        rp_put_format(w, "M%.1f %.1fL%.1f %.1f", x + fmax(at - height, 0), y + fmin(at, height),
                      x + fmin(at, width), y + fmax(at - width, 0));
    rp_put_text(w, "\"><title>");
    rp_svg_text(w, title);
    rp_put_text(w, "</title></path>\n");
}

static void put_theme(rp_writer *w, bool dark)
{
    rp_put_text(w, dark ? ".bg{fill:#171D25}.t{fill:#E6EBF1}.a{fill:#9AA7B6}.g{stroke:#2B3542}"
                          ".z{stroke:#9AA7B6}.k{fill:#E69F00}.h{stroke:#E69F00}.p{stroke:#9AA7B6}"
                        : ".bg{fill:#FFFFFF}.t{fill:#17202A}.a{fill:#516070}.g{stroke:#CCD4DD}"
                          ".z{stroke:#516070}.k{fill:#8A5A00}.h{stroke:#8A5A00}.p{stroke:#516070}");
    for (size_t i = 0; i < RP_SVG_SLOTS; i++) {
        const char *colour = dark ? dark_colours[i] : light_colours[i];
        rp_put_format(w, ".l.s%zu{stroke:%s}.b.s%zu{fill:%s}", i, colour, i, colour);
    }
}

void rp_svg_style(rp_writer *w, reprise_theme theme)
{
    rp_put_text(w, "<style>text{font-family:system-ui,\"Segoe UI\",Roboto,\"DejaVu Sans\","
                   "sans-serif}.t{font-size:15px;font-weight:600}.a{font-size:11px}"
                   ".e{text-anchor:end}.m{text-anchor:middle}"
                   ".l{fill:none;stroke-width:2;stroke-linejoin:round}.g,.z,.h,.p{fill:none}"
                   ".b{fill-opacity:.85}.n{fill:#D55E00;fill-opacity:.14}.w{fill:none;stroke-width:"
                   "3;stroke-linejoin:round;"
                   "stroke-linecap:round}");
    for (size_t i = 1; i < RP_SVG_SLOTS; i++)
        rp_put_format(w, ".l.s%zu{stroke-dasharray:%s}", i, dashes[i]);
    put_theme(w, theme == REPRISE_THEME_DARK);
    if (theme == REPRISE_THEME_AUTO) {
        rp_put_text(w, "@media (prefers-color-scheme:dark){");
        put_theme(w, true);
        rp_put_u8(w, '}');
    }
    rp_put_text(w, "</style>\n");
}
