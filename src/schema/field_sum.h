/*
 * field_sum.h - checksums of values, to compare or to find rows without keeping them.
 *
 * A sum starts with any number. It is not for attackers: whoever makes a file can make sums equal.
 */
#ifndef RP_FIELD_SUM_H
#define RP_FIELD_SUM_H

#include "schema.h"

uint64_t rp_sum_mix(uint64_t sum, uint64_t value);
uint64_t rp_sum_bytes(uint64_t sum, const void *data, size_t size);
/* Values that are equal for rp_field_equal have equal sums, however a rotation is stored. */
uint64_t rp_sum_field(uint64_t sum, const rp_field *field, const void *row);

#endif
