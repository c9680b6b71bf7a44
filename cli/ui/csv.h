/* csv.h - cells of CSV (RFC 4180). */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include "strbuf.h"

/* A cell; quoted if it contains separators, quotes or line ends. */
void cli_put_csv(cli_strbuf *to, const char *text);
/* A value: texts as they are, lists and numbers as in JSON, nothing for null. */
void cli_put_csv_value(cli_strbuf *to, const reprise_value *value);

#endif
