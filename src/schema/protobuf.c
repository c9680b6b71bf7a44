/* protobuf.c - see protobuf.h. */
#include "protobuf.h"

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5, VARINT_SIZE_MAX = 10 };

static void *allocate(void *context, size_t size)
{
    return rp_codec_alloc(context, size);
}

static void release(void *context, void *memory)
{
    rp_codec_free(context, memory);
}

static ProtobufCAllocator allocator_of(rp_context *context)
{
    return (ProtobufCAllocator){.alloc = allocate, .free = release, .allocator_data = context};
}

static const ProtobufCFieldDescriptor *field_of(const ProtobufCMessageDescriptor *descriptor,
                                                uint64_t number)
{
    return number <= UINT32_MAX
               ? protobuf_c_message_descriptor_get_field(descriptor, (unsigned)number)
               : NULL;
}

static unsigned wire_type_of(const ProtobufCFieldDescriptor *field)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_FLOAT:
        return WIRE_32;
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return WIRE_BYTES;
    default:
        return WIRE_VARINT;
    }
}

/* ---- the check before the library ---- */

uint64_t rp_protobuf_varint(rp_reader *r)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < VARINT_SIZE_MAX; i++) {
        uint8_t byte = rp_u8(r, "header");
        value |= (uint64_t)(byte & 0x7F) << (7 * i);
        if (!(byte & 0x80))
            return value;
    }
    rp_fail(r, REPRISE_E_CORRUPT, "header", "a varint is longer than ten bytes");
    return 0;
}

/* Reads the value of a field: its bytes, without their length. */
static rp_reader read_value(rp_reader *r, unsigned wire_type)
{
    rp_reader start = *r;
    switch (wire_type) {
    case WIRE_VARINT:
        rp_protobuf_varint(r);
        start.end = r->at;
        return start;
    case WIRE_64:
        return rp_sub(r, 8, "header");
    case WIRE_32:
        return rp_sub(r, 4, "header");
    case WIRE_BYTES: {
        uint64_t size = rp_protobuf_varint(r);
        if (rp_ok(r) && size > rp_left(r))
            rp_fail(r, REPRISE_E_CORRUPT, "header", "a field of %llu bytes, %zu left",
                    (unsigned long long)size, rp_left(r));
        return rp_sub(r, rp_ok(r) ? (size_t)size : 0, "header");
    }
    default:
        rp_fail(r, REPRISE_E_CORRUPT, "header", "unknown wire type %u", wire_type);
        return rp_sub(r, 0, "header");
    }
}

void rp_protobuf_skip(rp_reader *r, unsigned wire_type)
{
    (void)read_value(r, wire_type);
}

static void put_varint(rp_writer *w, uint64_t value)
{
    for (; value > 0x7F; value >>= 7)
        rp_put_u8(w, (uint8_t)(value | 0x80));
    rp_put_u8(w, (uint8_t)value);
}

/*
 * Copies a message to `clean`, except known fields of another wire type, which are copied to `odd`
 * (NULL in nested messages).
 */
static void clean_message(rp_reader *r, const ProtobufCMessageDescriptor *descriptor,
                          unsigned depth, rp_writer *clean, rp_writer *odd)
{
    enum { DEPTH_MAX = 8 };
    while (rp_ok(r) && rp_left(r)) {
        const uint8_t *start = r->at;
        uint64_t key = rp_protobuf_varint(r);
        if (rp_ok(r) && (key >> 3 == 0 || key >> 3 >= 1u << 29))
            rp_fail(r, REPRISE_E_CORRUPT, "header", "field number %llu",
                    (unsigned long long)(key >> 3));
        rp_reader value = read_value(r, (unsigned)(key & 7));
        if (!rp_ok(r))
            return;
        const ProtobufCFieldDescriptor *field = field_of(descriptor, key >> 3);
        if (field && wire_type_of(field) != (key & 7)) {
            if (odd)
                rp_put(odd, start, (size_t)(r->at - start));
        } else if (field && field->type == PROTOBUF_C_TYPE_MESSAGE && depth < DEPTH_MAX) {
            rp_writer inner;
            rp_writer_init(&inner, clean->context, clean->size_max, clean->error);
            clean_message(&value, field->descriptor, depth + 1, &inner, NULL);
            put_varint(clean, key);
            put_varint(clean, inner.size);
            rp_put(clean, inner.data, inner.size);
            rp_writer_free(&inner);
        } else {
            rp_put(clean, start, (size_t)(r->at - start));
        }
    }
}

/* ---- reading ---- */

static rp_text copy_bytes(rp_arena *arena, const void *data, size_t size, reprise_error *error)
{
    return (rp_text){.data = rp_arena_text(arena, data, size, error), .size = size};
}

static const void *member(const ProtobufCMessage *message, unsigned offset)
{
    return (const char *)message + offset;
}

/* Joins the unknown fields, each with its key. */
static rp_text unknown_fields(rp_arena *arena, const ProtobufCMessage *message,
                              const rp_writer *odd, reprise_error *error)
{
    rp_writer all;
    rp_writer_init(&all, arena->context, SIZE_MAX / 2, error);
    for (unsigned i = 0; i < message->n_unknown_fields; i++) {
        const ProtobufCMessageUnknownField *field = &message->unknown_fields[i];
        put_varint(&all, (uint64_t)field->tag << 3 | field->wire_type);
        rp_put(&all, field->data, field->len);
    }
    if (odd)
        rp_put(&all, odd->data, odd->size);
    rp_text text = {0};
    if (all.size && rp_writer_ok(&all))
        text = copy_bytes(arena, all.data, all.size, error);
    rp_writer_free(&all);
    return text;
}

static uint64_t take_message(const ProtobufCMessage *message, rp_arena *arena,
                             const rp_record *record, void *row, const rp_writer *odd,
                             reprise_error *error);

static void take_list(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *from,
                      rp_arena *arena, const rp_record *record, rp_list *to, reprise_error *error)
{
    size_t count = *(const size_t *)member(message, from->quantifier_offset);
    ProtobufCMessage *const *items = *(ProtobufCMessage *const *const *)member(message,
                                                                               from->offset);
    char *rows = rp_arena_array(arena, count, record->size, error);
    for (size_t i = 0; rows && i < count; i++)
        take_message(items[i], arena, record, rows + i * record->size, NULL, error);
    *to = (rp_list){.items = rows, .count = rows ? count : 0};
}

/* Copies a scalar. Its flag says whether it is present. */
static bool take_scalar(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *from,
                        rp_arena *arena, const rp_field *field, void *to, reprise_error *error)
{
    bool there = *(const protobuf_c_boolean *)member(message, from->quantifier_offset);
    const void *value = member(message, from->offset);
    if (from->type == PROTOBUF_C_TYPE_BYTES) {
        const ProtobufCBinaryData *bytes = value;
        if (there)
            *(rp_text *)to = copy_bytes(arena, bytes->data, bytes->len, error);
    } else if (there) {
        memcpy(to, value, rp_field_size(field));
    }
    return there;
}

static bool take_nested(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *from,
                        rp_arena *arena, const rp_field *field, void *to, reprise_error *error)
{
    const ProtobufCMessage *nested = *(ProtobufCMessage *const *)member(message, from->offset);
    if (!nested)
        return false;
    if (field->kind == RP_OPT) {
        void *row = rp_arena_alloc(arena, ((const rp_record *)field->sub)->size, error);
        *(void **)to = row;
        to = row;
    }
    if (to)
        take_message(nested, arena, field->sub, to, NULL, error);
    return true;
}

static uint64_t take_message(const ProtobufCMessage *message, rp_arena *arena,
                             const rp_record *record, void *row, const rp_writer *odd,
                             reprise_error *error)
{
    uint64_t present = 0;
    for (size_t i = 0; i < record->count && error->status == REPRISE_OK; i++) {
        const rp_field *field = &record->fields[i];
        void *to = rp_at(field, row);
        bool there = false;
        const ProtobufCFieldDescriptor *from = field_of(message->descriptor, field->tag);
        if (!from) {
            if (field->kind == RP_BYTES) {
                *(rp_text *)to = unknown_fields(arena, message, odd, error);
                there = ((rp_text *)to)->size > 0;
            }
        } else if (field->kind == RP_SEQ) {
            take_list(message, from, arena, field->sub, to, error);
            there = ((rp_list *)to)->count > 0;
        } else if (from->type == PROTOBUF_C_TYPE_MESSAGE) {
            there = take_nested(message, from, arena, field, to, error);
        } else {
            there = take_scalar(message, from, arena, field, to, error);
        }
        present |= (uint64_t)there << i;
    }
    return present;
}

void rp_protobuf_read(rp_reader *r, rp_arena *arena, const ProtobufCMessageDescriptor *descriptor,
                      const rp_record *record, void *row, uint64_t *ret_present)
{
    rp_writer clean, odd;
    rp_writer_init(&clean, arena->context, SIZE_MAX / 2, r->error);
    rp_writer_init(&odd, arena->context, SIZE_MAX / 2, r->error);
    rp_reader start = *r;
    clean_message(r, descriptor, 0, &clean, &odd);
    ProtobufCAllocator allocator = allocator_of(arena->context);
    ProtobufCMessage *message = NULL;
    if (rp_ok(r)) {
        message = protobuf_c_message_unpack(descriptor, &allocator, clean.size, clean.data);
        if (!message)
            rp_fail(&start, REPRISE_E_CORRUPT, "header", "not a protobuf message of this kind");
    }
    if (message) {
        *ret_present = take_message(message, arena, record, row, &odd, r->error);
        protobuf_c_message_free_unpacked(message, &allocator);
    }
    rp_writer_free(&clean);
    rp_writer_free(&odd);
}

/* ---- writing ---- */

static ProtobufCMessage *give_message(rp_arena *scratch,
                                      const ProtobufCMessageDescriptor *descriptor,
                                      const rp_record *record, const void *row, uint64_t present,
                                      rp_text *ret_unknown, reprise_error *error);

/*
 * Unknown fields of nested messages are passed to the library one by one. Those of the outermost
 * message are appended to the packed message, as the library would do.
 */
static void give_unknown(rp_arena *scratch, ProtobufCMessage *message, rp_text bytes,
                         reprise_error *error)
{
    enum { UNKNOWN_MAX = 64 };
    ProtobufCMessageUnknownField *fields = rp_arena_array(scratch, UNKNOWN_MAX, sizeof *fields,
                                                          error);
    rp_reader r = rp_reader_of(bytes.data, bytes.size, "header", error);
    unsigned count = 0;
    while (fields && rp_ok(&r) && rp_left(&r) && count < UNKNOWN_MAX) {
        uint64_t key = rp_protobuf_varint(&r);
        const uint8_t *start = r.at;
        rp_protobuf_skip(&r, (unsigned)(key & 7));
        size_t size = (size_t)(r.at - start);
        fields[count++] = (ProtobufCMessageUnknownField){
            .tag = (uint32_t)(key >> 3),
            .wire_type = (ProtobufCWireType)(key & 7),
            .len = size,
            .data = (uint8_t *)rp_arena_text(scratch, start, size, error)};
    }
    message->unknown_fields = fields;
    message->n_unknown_fields = fields ? count : 0;
}

static ProtobufCMessage *give_nested(rp_arena *scratch,
                                     const ProtobufCMessageDescriptor *descriptor,
                                     const rp_record *record, const void *row, reprise_error *error)
{
    rp_text unknown = {0};
    ProtobufCMessage *message = give_message(scratch, descriptor, record, row, UINT64_MAX, &unknown,
                                             error);
    if (message && unknown.size)
        give_unknown(scratch, message, unknown, error);
    return message;
}

/* Returns a member of a message. Descriptors give its offset, which is aligned for its type. */
static void *member_at(ProtobufCMessage *message, unsigned offset)
{
    return (char *)message + offset;
}

static void give_list(rp_arena *scratch, ProtobufCMessage *message,
                      const ProtobufCFieldDescriptor *to, const rp_record *record,
                      const rp_list *list, reprise_error *error)
{
    ProtobufCMessage **items = rp_arena_array(scratch, list->count, sizeof(void *), error);
    for (size_t i = 0; items && i < list->count; i++)
        items[i] = give_nested(scratch, to->descriptor, record,
                               (const char *)list->items + i * record->size, error);
    *(size_t *)member_at(message, to->quantifier_offset) = items ? list->count : 0;
    *(ProtobufCMessage ***)member_at(message, to->offset) = items;
}

static void give_scalar(ProtobufCMessage *message, const ProtobufCFieldDescriptor *to,
                        const rp_field *field, const void *from)
{
    void *value = member_at(message, to->offset);
    bool there = true;
    if (to->type == PROTOBUF_C_TYPE_BYTES) {
        const rp_text *text = from;
        there = text->data != NULL;
        *(ProtobufCBinaryData *)value = (ProtobufCBinaryData){
            .len = text->size, .data = (uint8_t *)(uintptr_t)text->data};
    } else {
        memcpy(value, from, rp_field_size(field));
    }
    *(protobuf_c_boolean *)member_at(message, to->quantifier_offset) = there;
}

static ProtobufCMessage *give_message(rp_arena *scratch,
                                      const ProtobufCMessageDescriptor *descriptor,
                                      const rp_record *record, const void *row, uint64_t present,
                                      rp_text *ret_unknown, reprise_error *error)
{
    ProtobufCMessage *message = rp_arena_alloc(scratch, descriptor->sizeof_message, error);
    if (!message)
        return NULL;
    protobuf_c_message_init(descriptor, message);
    for (size_t i = 0; i < record->count; i++) {
        const rp_field *field = &record->fields[i];
        const void *from = rp_at_const(field, row);
        if (!(present >> i & 1))
            continue;
        const ProtobufCFieldDescriptor *to = field_of(descriptor, field->tag);
        if (!to) {
            if (field->kind == RP_BYTES)
                *ret_unknown = *(const rp_text *)from;
        } else if (field->kind == RP_SEQ) {
            give_list(scratch, message, to, field->sub, from, error);
        } else if (to->type == PROTOBUF_C_TYPE_MESSAGE) {
            const void *nested = field->kind == RP_OPT ? *(void *const *)from : from;
            if (nested)
                *(ProtobufCMessage **)member_at(message, to->offset) = give_nested(
                    scratch, to->descriptor, field->sub, nested, error);
        } else {
            give_scalar(message, to, field, from);
        }
    }
    return message;
}

void rp_protobuf_write(rp_writer *w, rp_arena *scratch,
                       const ProtobufCMessageDescriptor *descriptor, const rp_record *record,
                       const void *row, uint64_t present)
{
    rp_text unknown = {0};
    ProtobufCMessage *message = give_message(scratch, descriptor, record, row, present, &unknown,
                                             w->error);
    if (!message || !rp_writer_ok(w))
        return;
    uint8_t *to = rp_put_raw(w, protobuf_c_message_get_packed_size(message));
    if (to)
        protobuf_c_message_pack(message, to);
    rp_put(w, unknown.data, unknown.size);
}
