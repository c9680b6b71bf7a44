/* pubkey_file.h - key files: 64 hexadecimal digits per line, comments start with '#'. */
#ifndef CLI_PUBKEY_FILE_H
#define CLI_PUBKEY_FILE_H

#include "options.h"

/* The keys of a file; empty without one. */
typedef struct cli_keys {
    uint8_t *bytes; /* 32 per key */
    size_t count;
} cli_keys;

void cli_keys_free(const cli_keys *keys);

/* The option --trusted-keys FILE: reads the file into a cli_keys. */
bool cli_parse_keys(const cli_option *option, char *text, void *to, cli_strbuf *problem);
/* The option --key FILE: the same for a secret key. A file that others can read is refused. */
bool cli_parse_secret_key(const cli_option *option, char *text, void *to, cli_strbuf *problem);

/* First line of a secret key file, so that it is not mistaken for public keys. */
#define CLI_SECRET_KEY "# secret key of a relay"

#define CLI_OPTION_TRUSTED_KEYS(settings_type)                                                \
    {                                                                                         \
        .name = "trusted-keys", .value = "FILE", .choices = "<file>", .group = "Trust",       \
        .doc = "Trust the public keys in FILE: 64 hexadecimal digits per line, '#' starts a " \
               "comment.",                                                                    \
        .offset = offsetof(settings_type, keys), .parse = cli_parse_keys,                     \
    }

#endif
