/*
 * sandbox.h - what a verb may open, from its command line.
 *
 * Before a verb reads its first replay, the program gives up everything else: see
 * reprise/sandbox.h.
 */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include "command.h"

/* Set by the program itself; whoever calls the command as a library keeps its rights. */
extern bool cli_sandbox_wanted;

void cli_sandbox_enter(const cli_run *run);

#endif
