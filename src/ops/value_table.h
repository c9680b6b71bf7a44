/* value_table.h - writes rows of values as a table file. */
#ifndef RP_VALUE_TABLE_H
#define RP_VALUE_TABLE_H

#include "reprise/tables.h"
#include "sink.h"

/* See reprise_table_write_values. */
reprise_status rp_value_table_write(rp_context *context, const reprise_value *columns,
                                    const reprise_value *rows, reprise_table_form form,
                                    rp_sink *sink, reprise_error *error);

#endif
