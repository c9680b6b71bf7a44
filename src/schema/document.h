/*
 * document.h - records as documents: a member per field, named like it.
 *
 * Numbers with names appear by name, text that is not UTF-8 as {"hex": "..."}, so that a document
 * tells everything and a record made from it is the same again. Absent fields have no member.
 */
#ifndef RP_DOCUMENT_H
#define RP_DOCUMENT_H

#include "schema.h"
#include "value.h"

/* The fields of `present`, without texts that were never set and optional records that are not. */
reprise_value *rp_document_of(rp_doc *doc, const rp_record *record, const void *row,
                              uint64_t present);

/* Fills in the fields that have a member of the right kind and sets their bits; the others keep. */
void rp_document_read(rp_arena *arena, const reprise_value *from, const rp_record *record,
                      void *row, uint64_t *ret_present, reprise_error *error);

#endif
