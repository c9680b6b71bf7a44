/* row_text.h - a row as a JSON object or a CSV record, with the line feed. */
#ifndef RP_ROW_TEXT_H
#define RP_ROW_TEXT_H

#include "describe.h"

/* `derived` is what the track's derive() made of the row. */
void rp_row_text(rp_writer *w, const rp_format *format, const rp_columns *columns,
                 const reprise_row_text_options *style, const rp_row *row, const void *derived);

#endif
