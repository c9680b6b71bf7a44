/* established.h - in words: what verifying an Iron Curtain replay has established, part by part. */
#ifndef CLI_ESTABLISHED_H
#define CLI_ESTABLISHED_H

#include "render.h"

/* Prints nothing if the summary of reprise_verify has nothing to say about it. */
void cli_render_established(const cli_render *r, size_t indent, const reprise_value *summary);

/* The report of reprise_ic_verify_tick, after the verdict. */
void cli_render_moment(const cli_render *r, size_t indent, const reprise_value *report);

#endif
