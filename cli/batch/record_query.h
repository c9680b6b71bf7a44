/* record_query.h - the SQL that finds records among the runs of a catalog. */
#ifndef CLI_RECORD_QUERY_H
#define CLI_RECORD_QUERY_H

#include "ui/strbuf.h"

/* Columns for which there is one record each, unless others are chosen. */
#define CLI_RECORD_KEYS "[map], [course], [mode]"

/*
 * The best run of each group, and all runs that tie with it. `keys` are checked names of columns;
 * `columns` are selected. ?1 is a player's name or account, or ''.
 */
void cli_put_best_runs(cli_strbuf *sql, const char *keys, const char *columns);
/* Each run that was faster than all before it, by date. */
void cli_put_run_history(cli_strbuf *sql, const char *keys, const char *columns);

#endif
