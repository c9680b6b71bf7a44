/* compat.h - whether a host can load a save or play a replay (specification, 16). */
#ifndef IRONCURTAIN_READ_COMPAT_H
#define IRONCURTAIN_READ_COMPAT_H

#include "reprise/ironcurtain/codec.h"

#include "ironcurtain/ironcurtain.h"

typedef struct ic_migration {
    const char *from, *to;
    reprise_ic_migration *run;
    void *ctx;
    struct ic_migration *next;
} ic_migration;

/* Registered migrations, in the order in which they were added. */
typedef struct ic_migrations {
    ic_migration *first, **last; /* where to append the next one; NULL if empty */
} ic_migrations;

/* The migration that brings a save one step closer to the host's version, or NULL. */
const ic_migration *ic_migration_for(const ic_migrations *all, const char *from, const char *host);
reprise_status ic_migration_check(const char *from, const char *to, reprise_error *error);

/* Fill in the answer, which starts as "loads". */
void ic_save_fit(const ic_save *save, const reprise_ic_host_info *host,
                 const ic_migrations *migrations, reprise_ic_compat *fit);
/* Whether a replay embeds exactly the rules that a data_version names. */
bool ic_brings_rules(ic_replay *replay, const char *data_version);
void ic_replay_fit(ic_replay *replay, const reprise_ic_host_info *host, reprise_ic_compat *fit);

enum { IC_DATA_VERSION_SIZE = 7 + 64 + 1 };
/* "sha256:" and the digest of a sorted list of rules, as a terminated text. */
reprise_status ic_data_version(const reprise_ic_rule_list *rules, rp_arena *arena,
                               ic_hasher *hasher, char ret[IC_DATA_VERSION_SIZE],
                               reprise_error *error);

#endif
