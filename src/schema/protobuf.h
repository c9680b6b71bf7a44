/*
 * protobuf.h - protobuf messages as records.
 *
 * A record's tags are the field numbers of the message. A BYTES field with tag 0 receives the
 * unknown fields; other fields with tag 0 are not touched. libprotobuf-c does the parsing, after a
 * check that is as strict as Google's library and treats a known field of another wire type as
 * unknown, which libprotobuf-c would refuse.
 */
#ifndef RP_PROTOBUF_H
#define RP_PROTOBUF_H

#include <protobuf-c/protobuf-c.h>

#include "schema.h"

/*
 * Reads all bytes of the reader. Absent fields keep the row's value; the bits of present fields are
 * set in *ret_present. Text and lists are copied into the arena.
 */
void rp_protobuf_read(rp_reader *r, rp_arena *arena, const ProtobufCMessageDescriptor *descriptor,
                      const rp_record *record, void *row, uint64_t *ret_present);

/* Writes the fields of `present` in the order of their numbers, then the unknown fields. */
void rp_protobuf_write(rp_writer *w, rp_arena *scratch,
                       const ProtobufCMessageDescriptor *descriptor, const rp_record *record,
                       const void *row, uint64_t present);

/* Read a key, and skip the value after it. For code that depends on the order of fields. */
uint64_t rp_protobuf_varint(rp_reader *r);
void rp_protobuf_skip(rp_reader *r, unsigned wire_type);

#endif
