/* hints.h - the command's words for what to try next. */
#ifndef CLI_HINTS_H
#define CLI_HINTS_H

#include <reprise/reprise.h>

enum { CLI_HINT_SIZE = 96 };

/*
 * What to try next after an error: the command's words for the library's advice, the option for a
 * limit, else the hint of the error itself. May be empty. `buffer` is used for some.
 */
const char *cli_hint(const reprise_error *error, char buffer[CLI_HINT_SIZE]);

#endif
