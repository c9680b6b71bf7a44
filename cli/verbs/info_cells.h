/* info_cells.h - values of summaries as cells of a table. */
#ifndef CLI_INFO_CELLS_H
#define CLI_INFO_CELLS_H

#include "ui/strbuf.h"

/* For programs: texts as they are, lists and numbers as in JSON, nothing for null. */
void cli_info_plain(cli_strbuf *to, const reprise_value *value);
/* For people. `form` is a type of the schema, "path", "size" or "count". */
void cli_info_shown(cli_strbuf *to, const char *form, const reprise_value *value);

#endif
