/*
 * installed_rules.h - installed maps and rules, to be embedded or compared with embedded ones.
 * Rules are the files DIR/MOD/PATH. Links are not followed, and only regular files up to 64 MiB are
 * read.
 */
#ifndef CLI_INSTALLED_RULES_H
#define CLI_INSTALLED_RULES_H

#include <reprise/ironcurtain/codec.h>

#include "command.h"

/* Reads the regular file `name` below `directory`; false if that is not possible. */
bool cli_read_installed(const char *directory, const char *name, cli_strbuf *to);

/* What to embed, as given on the command line. */
typedef struct cli_embedding {
    const char *mode, *map, *installed;
} cli_embedding;

#define CLI_EMBEDDING_OPTIONS(settings_type, heading)                                              \
    {.name = "embed",                                                                              \
     .value = "MODE",                                                                              \
     .choices = "minimal map self-contained",                                                      \
     .group = (heading),                                                                           \
     .doc = "Embed in an Iron Curtain replay: nothing (minimal), the map (map), or map and rules " \
            "(self-contained, for archives).",                                                     \
     .offset = offsetof(settings_type, embedding.mode),                                            \
     .parse = cli_parse_text},                                                                     \
        {.name = "embed-map",                                                                      \
         .former_name = "map",                                                                     \
         .value = "FILE",                                                                          \
         .choices = "<file>",                                                                      \
         .group = (heading),                                                                       \
         .doc = "Embed this map, at most 1 MiB. It must be the map the match was played on.",      \
         .offset = offsetof(settings_type, embedding.map),                                         \
         .parse = cli_parse_text},                                                                 \
    {                                                                                              \
        .name = "installed", .value = "DIR", .choices = "<file>", .group = (heading),              \
        .doc = "Embed the rules of the replay's mods from DIR/MOD/PATH.",                          \
        .offset = offsetof(settings_type, embedding.installed), .parse = cli_parse_text,           \
    }

/* What to embed, read from its files; `with` points into them. */
typedef struct cli_embedded {
    reprise_ic_embedding_mode mode;
    reprise_ic_embedding with;
    cli_strbuf map;
    reprise_ic_manifest manifest;
} cli_embedded;

/* `mods` are the active ones, {id, version}. Free the result, also after a failure. */
reprise_status cli_embedded_read(const cli_embedding *request, const reprise_value *mods,
                                 cli_embedded *ret_embedded, reprise_error *error);
void cli_embedded_free(cli_embedded *embedded);

#endif
