/* preview.h - the picture of a replay in a link preview: its first plot, as a PNG file. */
#ifndef CLI_PREVIEW_H
#define CLI_PREVIEW_H

#include <reprise/scene.h>

#include "ui/strbuf.h"

enum { CLI_PREVIEW_WIDTH = 1200, CLI_PREVIEW_HEIGHT = 630 };

/* Appends a PNG file; false if the replay has no plot with at least two values. */
bool cli_put_preview(const reprise_scene *scene, cli_strbuf *to);

#endif
