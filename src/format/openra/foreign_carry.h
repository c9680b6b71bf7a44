/* foreign_carry.h - the texts that travel with an import, and their names: foreign_carry.c and
 * foreign_write.c. */
#ifndef OPENRA_FOREIGN_CARRY_H
#define OPENRA_FOREIGN_CARRY_H

#include "write.h"

#define ORA_CARRIED_LOBBY   "openra/lobby/" /* and number, client, name of the order */
#define ORA_CARRIED_MATCH   "openra/match.yaml"
#define ORA_CARRIED_SYNC    "openra/sync.yaml"
#define ORA_CARRIED_TRAILER "openra/trailer.yaml"

reprise_status ora_carry(ora_replay *replay, rp_foreign *foreign, reprise_error *error);

#endif
