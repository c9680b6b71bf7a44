/*
 * run.h - the table of verbs, and the way from the command line to one of them.
 *
 * The command is a library but for its main function, so that tests can run it without a new
 * program: they fork, or call it again and again.
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

/* Runs the verb of argv[1] and returns the exit code. Nothing is kept between two calls. */
int cli_main(int argc, char **argv);

#endif
