/*
 * scenery.h - what is around the scenes of games whose replays have no map: a GLB file, or a map of
 * OpenRA, which becomes one.
 */
#ifndef CLI_SCENERY_H
#define CLI_SCENERY_H

#include "command.h"
#include "ui/output.h"

#include <reprise/scene.h>

/* In metres, in the game's coordinates. */
typedef struct cli_scenery {
    int fd; /* of a file; -1: none */
    uint64_t size;
    cli_strbuf made; /* of a map, in memory */
} cli_scenery;
#define CLI_SCENERY_NONE ((cli_scenery){.fd = -1})

/* A NULL path means none. The caller closes the file. */
reprise_status cli_scenery_open(const char *path, cli_scenery *ret_scenery, reprise_error *error);
/*
 * Searches the files of a directory for the map that a replay names: by its uid, or else by title
 * and mod, of which *ret_other is set. Finding none is not an error.
 */
reprise_status cli_scenery_find(const char *directory, reprise_replay *replay,
                                cli_scenery *ret_scenery, bool *ret_other, reprise_error *error);
/* Says whether the search found nothing, or another version of the map. */
void cli_say_map(cli_run *run, const cli_scenery *scenery, bool other);
void cli_scenery_close(cli_scenery *scenery);
/* Its name in page.json and on the server; NULL if there is none. */
const char *cli_scenery_name(const cli_scenery *scenery);

/* clang-format off */
#define CLI_OPTION_SCENERY(settings_type, group_name)                                               \
    {.name = "scenery",                                                                         \
     .former_name = "map",                                                                      \
     .value = "FILE",                                                                           \
     .choices = "<file>",                                                                       \
     .group = group_name,                                                                       \
     .doc = "Show a GLB file around the replay, in metres, y up, with the origin of the game's "  \
            "map, for formats without one such as CS2KZ; or the map of an OpenRA match (.oramap).", \
     .offset = offsetof(settings_type, scenery),                                                    \
     .parse = cli_parse_text},                                                                  \
    {.name = "maps",                                                                            \
     .value = "DIR",                                                                            \
     .choices = "<file>",                                                                       \
     .group = group_name,                                                                       \
     .doc = "Search DIR for the map of an OpenRA match, by its uid or else by its title.",       \
     .offset = offsetof(settings_type, maps),                                                   \
     .parse = cli_parse_text}
/* clang-format on */

#endif
