/*
 * trust_prompt.h - asking before content that a stranger put into a replay is used: load, refuse,
 * or show how it differs from what is installed.
 */
#ifndef CLI_TRUST_PROMPT_H
#define CLI_TRUST_PROMPT_H

#include "command.h"
#include "pubkey_file.h"

/* What verbs that use embedded content take. */
typedef struct cli_trust {
    cli_keys keys;
    bool allow;
    const char *installed;
} cli_trust;

#define CLI_TRUST_OPTIONS(settings_type)                                                        \
    {.name = "trusted-keys",                                                                    \
     .value = "FILE",                                                                           \
     .choices = "<file>",                                                                       \
     .group = "Embedded content",                                                               \
     .doc = "Public keys that are trusted, 64 hexadecimal digits per line. An embedded map is " \
            "not asked about if a state that one of them signed names it; the rest always is.", \
     .offset = offsetof(settings_type, consent.keys),                                           \
     .parse = cli_parse_keys},                                                                  \
        {.name = "allow-embedded",                                                              \
         .group = "Embedded content",                                                           \
         .doc = "Consent to embedded content without being asked.",                             \
         .offset = offsetof(settings_type, consent.allow),                                      \
         .parse = cli_parse_flag},                                                              \
    {                                                                                           \
        .name = "installed", .value = "DIR", .choices = "<file>", .group = "Embedded content",  \
        .doc = "Where rules are installed, as MOD/PATH: what differs can be shown when asked.", \
        .offset = offsetof(settings_type, consent.installed), .parse = cli_parse_text,          \
    }

typedef struct cli_question {
    cli_run *run;
    const cli_trust *consent;
    reprise_replay *replay; /* may be NULL while it is not open yet */
    const char *file;
} cli_question;

/* Asks on the terminal; without one the answer is no. For reprise_extract_options.consent. */
bool cli_trust_prompt(void *question, const reprise_value *about);

/* How embedded rules differ from installed ones, file by file. */
void cli_put_difference(cli_strbuf *to, reprise_replay *replay, const char *installed);

#endif
