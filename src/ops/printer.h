/*
 * printer.h - rows as text, in their order, through a sink.
 *
 * If the context can spare threads, they format copies of rows while the caller reads on; else the
 * caller formats each row at once. The text is the same.
 */
#ifndef RP_PRINTER_H
#define RP_PRINTER_H

#include "row_text.h"
#include "sink.h"

typedef struct rp_printer rp_printer;

/* Takes the threads; the sink belongs to the caller, who also closes it. */
reprise_status rp_printer_open(rp_context *context, rp_sink *sink, rp_printer **ret_printer,
                               reprise_error *error);
/* What is printed. Call before the first row. */
reprise_status rp_printer_prepare(rp_printer *printer, const rp_format *format,
                                  const rp_columns *columns, reprise_error *error);
/* How rows of a track are formatted, instead of as JSON with all columns. */
reprise_status rp_printer_set_style(rp_printer *printer, size_t track,
                                    const reprise_row_text_options *style, reprise_error *error);
/* Prints a row, which may change after that. `derived`: see rp_row_text. */
reprise_status rp_printer_row(rp_printer *printer, const rp_row *row, const void *derived,
                              reprise_error *error);
/* Writes what was not yet written. */
reprise_status rp_printer_end(rp_printer *printer, reprise_error *error);
/* How many rows the sink was given. */
uint64_t rp_printer_written(const rp_printer *printer);
void rp_printer_close(rp_printer *printer);

#endif
