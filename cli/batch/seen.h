/* seen.h - the values that a text column has, for a condition that no row met. */
#ifndef CLI_BATCH_SEEN_H
#define CLI_BATCH_SEEN_H

#include "filter.h"
#include "ui/strbuf.h"

enum { CLI_SEEN_MAX = 24 };

/* Start with zeros. */
typedef struct cli_seen {
    const char *column, *wanted; /* of the condition; NULL: no text was compared */
    cli_strbuf values[CLI_SEEN_MAX];
    size_t count;
    bool many; /* more than a message could list */
} cli_seen;

/* Remembers what a row has in the first column that is compared with a text by `=`. */
void cli_seen_add(cli_seen *seen, const reprise_replay *replay, const cli_tests *tests,
                  const reprise_rows *rows);
/* "no row has kind 'hits', only OneShotFX, hit"; nothing if the values are too many. */
void cli_seen_put(const cli_seen *seen, cli_strbuf *to);
void cli_seen_free(cli_seen *seen);

#endif
