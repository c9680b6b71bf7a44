/* voices.h - recorded voices as audio files for the browser. */
#ifndef CLI_VOICES_H
#define CLI_VOICES_H

#include "ui/output.h"
#include <reprise/scene.h>

/* In the order of the timeline's "voices"; one that cannot be read is empty. */
typedef struct cli_voices {
    cli_strbuf *items;
    size_t count;
} cli_voices;

void cli_voices_read(reprise_replay *replay, const reprise_scene *scene, cli_voices *ret_voices);
void cli_voices_free(cli_voices *voices);

#endif
