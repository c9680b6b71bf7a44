/*
 * document.h - rows as values, and records that are edited as documents.
 *
 * Rows have one JSON shape. rp_field_json prints it and rp_field_value builds it: vectors and
 * rotations are arrays, numbers with names appear by name, 64-bit integers are strings in every
 * row, bytes are hexadecimal, and a text or optional record that is not set is null.
 *
 * A document of a record is meant to be edited and read back. It differs from the shape of rows in
 * three ways: fields that are not set have no member, text that is not UTF-8 is {"hex": "..."}, and
 * integers are numbers.
 */
#ifndef RP_DOCUMENT_H
#define RP_DOCUMENT_H

#include "schema.h"
#include "value.h"

reprise_value *rp_field_value(rp_doc *doc, const rp_field *field, const void *row);
reprise_value *rp_record_value(rp_doc *doc, const rp_record *record, const void *row);

/* The document of the fields whose bit in `present` is set. */
reprise_value *rp_document_of(rp_doc *doc, const rp_record *record, const void *row,
                              uint64_t present);

/*
 * Fills in the fields that have a member of the right kind and sets their bits in *ret_present. The
 * other fields keep their values. Reads documents and the JSON shape of rows.
 */
void rp_document_read(rp_arena *arena, const reprise_value *from, const rp_record *record,
                      void *row, uint64_t *ret_present, reprise_error *error);

#endif
