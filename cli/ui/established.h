/* established.h - prints what the verification of an Iron Curtain replay established. */
#ifndef CLI_ESTABLISHED_H
#define CLI_ESTABLISHED_H

#include "render.h"

/* `summary` is the document of reprise_verify. Prints nothing without the member "established". */
void cli_render_established(const cli_render *r, size_t indent, const reprise_value *summary);

/* Prints the report of reprise_ic_verify_tick without its verdict. */
void cli_render_moment(const cli_render *r, size_t indent, const reprise_value *report);

#endif
