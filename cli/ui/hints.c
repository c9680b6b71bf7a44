/* hints.c - see hints.h. */
#include "ui/hints.h"

#include <stdio.h>
#include <string.h>

#include "options.h"

/* The library knows neither verbs nor options of the command. */
static const char *const words[] = {
    [REPRISE_HINT_FORMATS] = "'reprise formats' lists all formats and layouts",
    [REPRISE_HINT_FORMAT] = "choose one with --format NAME",
    [REPRISE_HINT_RECOVER] = "'reprise recover' keeps everything complete",
    [REPRISE_HINT_REPLACE] = "use --force to replace it",
    [REPRISE_HINT_LOSSY] = "use --lossy to write it anyway",
    [REPRISE_HINT_CONVERT] = "'reprise convert' brings them to one layout",
    [REPRISE_HINT_ZIP] = "'reprise convert --to zip' compresses them",
    [REPRISE_HINT_MARKERS] = "'reprise cat --track markers' lists them",
    [REPRISE_HINT_PARTS] = "'reprise cat --track parts' still prints the entities",
    [REPRISE_HINT_OFFSET] = "use --offset SECONDS to say when the second one starts",
    [REPRISE_HINT_PRIVATE] = "remove more: without --only and --share all private data is removed",
    [REPRISE_HINT_KEEP] = "use --keep to leave this kind in",
    [REPRISE_HINT_CONSENT] = "use --allow-embedded to extract it",
    [REPRISE_HINT_SMALLER] = "use --from and --to for a part, or --fps or --tolerance",
    [REPRISE_HINT_MAP] = "give it with --embed-map FILE",
    [REPRISE_HINT_RULES] = "give them with --installed DIR",
};

/*
 * The library names a limit that can be set as "limit NAME=VALUE". Other limits belong to a format
 * and cannot be raised.
 */
static const char *limit_in(const char *message)
{
    static const char word[] = "limit ";
    for (const char *at = message; (at = strstr(at, word)); at += sizeof word - 1) {
        const char *name = at + sizeof word - 1;
        for (size_t i = 0; cli_limit_name(i); i++) {
            size_t size = strlen(cli_limit_name(i));
            if (strncmp(name, cli_limit_name(i), size) == 0 && name[size] == '=')
                return cli_limit_name(i);
        }
    }
    return NULL;
}

const char *cli_hint(const reprise_error *error, char buffer[CLI_HINT_SIZE])
{
    size_t advice = (size_t)error->advice;
    if (advice < sizeof words / sizeof words[0] && words[advice])
        return words[advice];
    const char *limit = error->status == REPRISE_E_LIMIT ? limit_in(error->message) : NULL;
    if (error->hint[0] || !limit)
        return error->hint;
    snprintf(buffer, CLI_HINT_SIZE, "raise it with --limit %s=VALUE", limit);
    return buffer;
}
