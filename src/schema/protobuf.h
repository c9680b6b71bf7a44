/*
 * protobuf.h - protobuf messages as records.
 *
 * A record's tags are the field numbers of the message; a BYTES field with tag 0 takes the fields
 * that the message does not know, and other fields with tag 0 stay untouched. libprotobuf-c does
 * the parsing, behind a check that is as strict as the standard library and treats a known field
 * of another wire type as unknown, which libprotobuf-c refuses.
 */
#ifndef RP_PROTOBUF_H
#define RP_PROTOBUF_H

#include <protobuf-c/protobuf-c.h>

#include "schema.h"

/*
 * Reads the whole window. What is absent keeps the row's value; bits of fields that are there are
 * set in *ret_present. Text and lists are copied into the arena.
 */
void rp_protobuf_read(rp_reader *r, rp_arena *arena, const ProtobufCMessageDescriptor *descriptor,
                      const rp_record *record, void *row, uint64_t *ret_present);

/* Writes the fields of `present`, in order of their numbers, then the unknown ones. */
void rp_protobuf_write(rp_writer *w, rp_arena *scratch,
                       const ProtobufCMessageDescriptor *descriptor, const rp_record *record,
                       const void *row, uint64_t present);

/* For who must look at the order of fields: a key, and the value behind it. */
uint64_t rp_protobuf_varint(rp_reader *r);
void rp_protobuf_skip(rp_reader *r, unsigned wire_type);

#endif
