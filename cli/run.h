/*
 * run.h - the entry point of the command: parses the command line and runs a verb.
 *
 * Everything but main() is a library, so that tests can run the command in their own process or in
 * a forked child.
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

/* Runs the verb named by argv[1] and returns the exit code. Calls do not affect each other. */
int cli_main(int argc, char **argv);

#endif
