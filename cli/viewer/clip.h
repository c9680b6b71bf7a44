/*
 * clip.h - clips (WebM, MP4, GIF): the viewer's page draws and encodes every frame in a browser
 * without a window, and sends the file to this command.
 */
#ifndef CLI_CLIP_H
#define CLI_CLIP_H

#include "command.h"

/* Options are texts as given, or NULL. The replays are the operands. */
typedef struct cli_clip {
    cli_run *run;
    const char *output, *scenery, *maps, *size, *fps, *camera;
    const cli_moment *from, *to;
    const double *offsets; /* for each operand */
    uint64_t scene_max;
    bool plain, force;
} cli_clip;

/* Whether the suffix of a file names a clip; *ret_form is "webm", "mp4" or "gif". */
bool cli_clip_form(const char *path, const char **ret_form);
/* Returns the exit code. */
int cli_clip_write(const cli_clip *clip);

#endif
