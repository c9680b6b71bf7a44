/*
 * settings.h - what a user wants without saying it every time: settings.toml, in the directory for
 * configuration or where --settings says.
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
    uint32_t keyframe_ticks, full_keyframe_ticks, signature_ticks, flush_ms; /* 0: not said */
} cli_preferences;

/*
 * Reads the file of that name, or the user's if it is NULL; a user without one has no wishes. What
 * is not understood in a key of ours is an error; other tables and keys are named on standard error
 * and go on being ignored.
 */
reprise_status cli_preferences_read(cli_run *run, const char *path, cli_preferences *ret,
                                    reprise_error *error);

/* The level for a file of a format when the command line says none. */
int cli_preferred_level(const cli_preferences *preferences, const char *format);

#define CLI_OPTION_SETTINGS(settings_type, member)                                             \
    {                                                                                          \
        .name = "settings", .value = "FILE", .choices = "<file>", .group = "Settings",         \
        .doc = "Read wishes from this file instead of reprise/settings.toml in the directory " \
               "for configuration.",                                                           \
        .offset = offsetof(settings_type, member), .parse = cli_parse_text,                    \
    }

/* The user's own file, whether or not it exists. False if there is no place for one. */
bool cli_preferences_path(char *to, size_t size);

#endif
