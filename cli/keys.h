/* keys.h - files of public keys: 64 hexadecimal digits a line, comments behind '#'. */
#ifndef CLI_KEYS_H
#define CLI_KEYS_H

#include "options.h"

/* The keys of a file, or of none. */
typedef struct cli_keys {
    uint8_t *bytes; /* 32 per key */
    size_t count;
} cli_keys;

void cli_keys_free(const cli_keys *keys);

/* The option --trusted-keys FILE: reads the file into a cli_keys. */
bool cli_parse_keys(const cli_option *option, char *text, void *to, cli_text *problem);

#define CLI_OPTION_TRUSTED_KEYS(settings_type)                                                   \
    {                                                                                            \
        .name = "trusted-keys", .value = "FILE", .choices = "<file>", .group = "Trust",          \
        .doc = "Public keys to trust signatures by: 64 hexadecimal digits a line, '#' begins a " \
               "comment.",                                                                       \
        .offset = offsetof(settings_type, keys), .parse = cli_parse_keys,                        \
    }

#endif
