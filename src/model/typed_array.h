/*
 * typed_array.h - number lists in documents as base64: {"type":"f32","n":3,"b64":"..."},
 * little-endian. This takes a third of the size of JSON numbers and needs no parsing.
 */
#ifndef RP_TYPED_ARRAY_H
#define RP_TYPED_ARRAY_H

#include "value.h"

/* Standard base64 with padding. */
reprise_value *rp_new_base64(rp_doc *doc, const void *data, size_t size);

reprise_value *rp_typed_array_f32(rp_doc *doc, const float *values, size_t count);
reprise_value *rp_typed_array_u8(rp_doc *doc, const uint8_t *values, size_t count);
reprise_value *rp_typed_array_i16(rp_doc *doc, const int16_t *values, size_t count);
reprise_value *rp_typed_array_i32(rp_doc *doc, const int32_t *values, size_t count);
/* Stores evenly spaced values as start and step, others as f32. */
reprise_value *rp_typed_array_times(rp_doc *doc, const float *values, size_t count);
/* Stores a list of texts as indices into `texts`. */
reprise_value *rp_typed_array_texts(rp_doc *doc, const uint32_t *numbers, size_t count,
                                    const char *const *texts, size_t text_count);

#endif
