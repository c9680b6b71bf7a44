/*
 * sandbox.h - restricts the process to the files named on the command line, before a verb reads its
 * first replay. See reprise/sandbox.h.
 */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include "command.h"

/* Set by main(). A program that calls cli_main as a library is not restricted. */
extern bool cli_sandbox_wanted;

void cli_sandbox_enter(const cli_run *run);

#endif
