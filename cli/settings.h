/*
 * settings.h - the user's settings file: the one named by --settings, or settings.toml in the
 * user's configuration directory.
 *
 *     [compression]
 *     save_level = "balanced"      # fastest, balanced or compact
 *     replay_level = "fastest"
 *
 *     [recording]
 *     keyframe_ticks = 300
 *     full_keyframe_ticks = 3000
 *     signature_ticks = 30
 *     flush_ms = 2000
 */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "command.h"
#include <reprise/write.h>

typedef struct cli_preferences {
    int save_level, replay_level;                                            /* REPRISE_LEVEL_... */
    uint32_t keyframe_ticks, full_keyframe_ticks, signature_ticks, flush_ms; /* 0: not set */
} cli_preferences;

/*
 * Reads the settings file at `path`, or the user's if it is NULL; a missing user file sets nothing.
 * An invalid value of a known key is an error. Unknown tables and keys are ignored with a note on
 * standard error.
 */
reprise_status cli_preferences_read(cli_run *run, const char *path, cli_preferences *ret,
                                    reprise_error *error);

/* The compression level for a format when the command line gives none. */
int cli_preferred_level(const cli_preferences *preferences, const char *format);

#define CLI_OPTION_SETTINGS(settings_type, member)                                           \
    {                                                                                        \
        .name = "settings", .value = "FILE", .choices = "<file>", .group = CLI_OUTPUT_GROUP, \
        .doc = "Read settings from FILE (default: $XDG_CONFIG_HOME/reprise/settings.toml)",  \
        .offset = offsetof(settings_type, member), .parse = cli_parse_text,                  \
    }

/* The path of the user's file, whether or not it exists. False without a home directory. */
bool cli_preferences_path(char *to, size_t size);

#endif
