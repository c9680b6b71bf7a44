/* edit.h - what is known about a replay before it is changed; shared by edit.c and redact.c. */
#ifndef RUMBLE_EDIT_H
#define RUMBLE_EDIT_H

#include "write.h"

enum { RUMBLE_WORDS_MAX = 4096 }; /* more different ones than any match has */

/* Different texts, each once. */
typedef struct rumble_words {
    rp_text *items;
    size_t count, capacity;
} rumble_words;

/* What one reading of all rows found. */
typedef struct rumble_survey {
    uint64_t used[RUMBLE_TRACK_COUNT][RP_FIELDS_MAX]; /* rows with something in a field */
    uint64_t rows[RUMBLE_TRACK_COUNT];
    uint64_t effects;      /* events that Z4p can hold */
    uint64_t rounded;      /* rows with a rotation that 7 bytes cannot hold */
    uint64_t sub_indexed;  /* extensions with a SubIndex */
    uint64_t look_changes; /* cosmetics changed after they were first set */
    rp_text *first_looks;  /* per player */
    rumble_words looks;    /* all cosmetics */
    rumble_words ids;      /* all accounts that events name */
} rumble_survey;

/* The format's own part of a plan. */
typedef struct rumble_plan_data {
    rumble_survey survey;
    reprise_value *voices; /* voices.json of the result, or NULL */
    reprise_value *ids;    /* account ids: object from old to new */
    reprise_value *files;  /* renamed voice files, from the old name to the new one */
} rumble_plan_data;

/* write_manifest.c: whether a build of the mod writes a member of this name. */
bool rumble_is_member(const char *name);

void rumble_report_loss(rp_plan *plan, const char *format, ...) REPRISE_PRINTF(2, 3);
void rumble_report(rp_plan *plan, const char *format, ...) REPRISE_PRINTF(2, 3);

#endif
