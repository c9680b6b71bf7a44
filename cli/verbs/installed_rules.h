/*
 * installed_rules.h - maps and rules as they lie on the disk, to be compared with embedded ones or
 * to be embedded. Rules are files DIR/MOD/PATH. No link is followed, and nothing but regular files
 * of a modest size is read.
 */
#ifndef CLI_INSTALLED_RULES_H
#define CLI_INSTALLED_RULES_H

#include <reprise/ironcurtain/codec.h>

#include "command.h"

/* A regular file below `directory`; false if there is none that can be read whole. */
bool cli_read_installed(const char *directory, const char *name, cli_strbuf *to);

/* What a replay is to bring along, as people ask for it. */
typedef struct cli_embedding {
    const char *mode, *map, *installed;
} cli_embedding;

#define CLI_EMBEDDING_OPTIONS(settings_type, heading)                                              \
    {.name = "embed",                                                                              \
     .value = "MODE",                                                                              \
     .choices = "minimal map self-contained",                                                      \
     .group = (heading),                                                                           \
     .doc = "What an Iron Curtain replay brings along: nothing (minimal), the map, or map and "    \
            "rules (self-contained, the form for archives of tournaments).",                       \
     .offset = offsetof(settings_type, embedding.mode),                                            \
     .parse = cli_parse_text},                                                                     \
        {.name = "embed-map",                                                                      \
         .former_name = "map",                                                                     \
         .value = "FILE",                                                                          \
         .choices = "<file>",                                                                      \
         .group = (heading),                                                                       \
         .doc = "The map to embed, at most 1 MiB; it must be the one the match was played on.",    \
         .offset = offsetof(settings_type, embedding.map),                                         \
         .parse = cli_parse_text},                                                                 \
    {                                                                                              \
        .name = "installed", .value = "DIR", .choices = "<file>", .group = (heading),              \
        .doc = "Where the rules to embed are installed, as MOD/PATH: those of the replay's mods.", \
        .offset = offsetof(settings_type, embedding.installed), .parse = cli_parse_text,           \
    }

/* The files of a wish, read; `with` points into them. */
typedef struct cli_embedded {
    reprise_ic_embedding_mode mode;
    reprise_ic_embedding with;
    cli_strbuf map;
    reprise_ic_manifest manifest;
} cli_embedded;

/* `mods` are the active ones, {id, version}. Free the result, also after a failure. */
reprise_status cli_embedded_read(const cli_embedding *wish, const reprise_value *mods,
                                 cli_embedded *ret_embedded, reprise_error *error);
void cli_embedded_free(cli_embedded *embedded);

#endif
