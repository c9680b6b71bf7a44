/*
 * trust_prompt.h - asks before embedded content is used: load it, refuse it, or show how it differs
 * from the installed files.
 */
#ifndef CLI_TRUST_PROMPT_H
#define CLI_TRUST_PROMPT_H

#include "command.h"
#include "pubkey_file.h"

/* Settings of verbs that use embedded content. */
typedef struct cli_trust {
    cli_keys keys;
    bool allow;
    const char *installed;
} cli_trust;

#define CLI_TRUST_OPTIONS(settings_type)                                                         \
    {.name = "trusted-keys",                                                                     \
     .value = "FILE",                                                                            \
     .choices = "<file>",                                                                        \
     .group = "Embedded content",                                                                \
     .doc = "Trust the public keys in FILE, 64 hexadecimal digits per line. An embedded map is " \
            "written without asking if a state signed by one of them contains its hash.",        \
     .offset = offsetof(settings_type, consent.keys),                                            \
     .parse = cli_parse_keys},                                                                   \
        {.name = "allow-embedded",                                                               \
         .group = "Embedded content",                                                            \
         .doc = "Write embedded content without asking.",                                        \
         .offset = offsetof(settings_type, consent.allow),                                       \
         .parse = cli_parse_flag},                                                               \
    {                                                                                            \
        .name = "installed", .value = "DIR", .choices = "<file>", .group = "Embedded content",   \
        .doc = "Offer to compare embedded rules with those installed as DIR/MOD/PATH.",          \
        .offset = offsetof(settings_type, consent.installed), .parse = cli_parse_text,           \
    }

typedef struct cli_question {
    cli_run *run;
    const cli_trust *consent;
    reprise_replay *replay; /* NULL until it is open */
    const char *file;
} cli_question;

/* Asks on the terminal; refuses without one. For reprise_extract_options.consent. */
bool cli_trust_prompt(void *question, const reprise_value *about);

/* Lists how embedded rules differ from installed ones, file by file. */
void cli_put_difference(cli_strbuf *to, reprise_replay *replay, const char *installed);

#endif
