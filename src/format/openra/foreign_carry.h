/*
 * foreign_carry.h - the names of the texts that foreign_carry.c writes and foreign_write.c reads.
 */
#ifndef OPENRA_FOREIGN_CARRY_H
#define OPENRA_FOREIGN_CARRY_H

#include "write.h"

#define ORA_CARRIED_LOBBY   "openra/lobby/" /* then number, client, name of the order */
#define ORA_CARRIED_MATCH   "openra/match.yaml"
#define ORA_CARRIED_SYNC    "openra/sync.yaml"
#define ORA_CARRIED_TRAILER "openra/trailer.yaml"

reprise_status ora_carry(ora_replay *replay, rp_foreign *foreign, reprise_error *error);

#endif
