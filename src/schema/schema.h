/*
 * schema.h - a field is written down once.
 *
 * A list macro declares the fields of a record, one line each:
 *
 *     #define RUMBLE_PEDESTAL(F, T)                                  \
 *         F(T, position, VEC3, 0, NULL, "world position, metres")    \
 *         F(T, active,   BOOL, 1, NULL, "shown")
 *
 * The list generates the C struct and the field numbers (RP_STRUCT) and the table (RP_TABLE), and
 * from the table come every reader, writer, JSON key, column, comparison and documentation row. A
 * line has: the struct, the name, the kind, a tag whose meaning depends on the wire engine (field
 * id, change bit, ...), a sub-object, and a description.
 *
 * The sub-object is an rp_enum for numbers with names, an rp_record for nested records, an rp_sum
 * for tagged unions, or an rp_predict for fields that are predicted when absent.
 */
#ifndef RP_SCHEMA_H
#define RP_SCHEMA_H

#include "arena.h"
#include "reader.h"
#include "text.h"
#include "writer.h"

typedef struct rp_vec3 {
    float x, y, z;
} rp_vec3;

typedef struct rp_quat {
    float x, y, z, w;
} rp_quat;

/* Three rows of four numbers: p' = rows * (p, 1). */
typedef struct rp_mat34 {
    double m[12];
} rp_mat34;

/*
 * A rotation as stored: 16 bytes of floats, or 7 bytes with its smallest three components. It stays
 * packed because most rotations are never looked at, and so that a writer reproduces the same
 * bytes. Zeroed memory is the identity.
 */
typedef struct rp_rot {
    uint8_t size; /* 0 (identity), 7 or 16 */
    uint8_t bytes[16];
} rp_rot;

/*
 * A list of records and a value of a tagged union (which variant, and its record), as the engines
 * see them. Structs may declare such a member with typed pointers, as those of
 * reprise/ironcurtain/types.h do: the layout is the same, and the attribute makes the access legal.
 */
typedef struct __attribute__((may_alias)) rp_list {
    void *items;
    size_t count;
} rp_list;

typedef struct __attribute__((may_alias)) rp_choice {
    uint32_t variant;
    void *value; /* NULL for a variant without content */
} rp_choice;

/*
 * The kinds: name, C type, bytes on the wire (0: variable), name in documentation.
 *   MAT34 three rows of four doubles; computed, never on the wire
 *   ROT   a rotation stored as four floats (16 bytes) or as its smallest three components (7)
 *   INT   an i32 stored in 1, 2 (unsigned) or 4 bytes
 *   BYTE  a u8 that some writers store in two bytes
 *   TEXT, BYTES  variable; the engine defines how the length is stored
 *   SEQ   list of records; records of one field are shown as plain values
 *   OPT   optional record
 *   SUM   tagged union
 *   MAP   list of key/value records, sorted by key; tag RP_ANY_ORDER: sorted on reading
 *   REC   nested record; the tag is its C type, the sub-object the record
 *   RAW   fixed number of bytes; the tag is that number
 */
#define RP_KINDS(K)                              \
    K(BOOL, bool, 1, "bool")                     \
    K(U8, uint8_t, 1, "u8")                      \
    K(I8, int8_t, 1, "i8")                       \
    K(U16, uint16_t, 2, "u16")                   \
    K(I16, int16_t, 2, "i16")                    \
    K(U32, uint32_t, 4, "u32")                   \
    K(I32, int32_t, 4, "i32")                    \
    K(U64, uint64_t, 8, "u64")                   \
    K(I64, int64_t, 8, "i64")                    \
    K(F32, float, 4, "f32")                      \
    K(F64, double, 8, "f64")                     \
    K(VEC3, rp_vec3, 12, "vec3")                 \
    K(QUAT, rp_quat, 16, "quat")                 \
    K(MAT34, rp_mat34, 0, "3x4 matrix")          \
    K(ROT, rp_rot, 0, "rotation")                \
    K(INT, int32_t, 0, "i32 in 1, 2 or 4 bytes") \
    K(BYTE, uint8_t, 0, "u8 in 1 or 2 bytes")    \
    K(TEXT, rp_text, 0, "text")                  \
    K(BYTES, rp_text, 0, "bytes")                \
    K(SEQ, rp_list, 0, "list")                   \
    K(MAP, rp_list, 0, "map")                    \
    K(OPT, void *, 0, "optional")                \
    K(SUM, rp_choice, 0, "choice")

typedef enum rp_kind {
#define RP_KIND_NAME(kind, ctype, wire, label) RP_##kind,
    RP_KINDS(RP_KIND_NAME)
#undef RP_KIND_NAME
        RP_REC,
    RP_RAW,
    RP_KIND_COUNT
} rp_kind;

#define RP_KIND_TYPE(kind, ctype, wire, label) typedef ctype rp_c_##kind;
RP_KINDS(RP_KIND_TYPE)
#undef RP_KIND_TYPE

/* Tag of a MAP that writers may store in any order. */
enum { RP_ANY_ORDER = 1 };

typedef enum rp_sub_kind { RP_SUB_RECORD = 1, RP_SUB_ENUM, RP_SUB_SUM, RP_SUB_PREDICT } rp_sub_kind;

typedef struct rp_field {
    const char *name;
    rp_kind kind;
    uint32_t offset; /* in the C struct */
    uint32_t tag;
    const void *sub; /* begins with an rp_sub_kind, or NULL */
    const char *doc;
} rp_field;

/* The JSON form of a record. On the wire, all are their fields in sequence. */
typedef enum rp_shape {
    RP_SHAPE_STRUCT,  /* {"x": 1, "y": 2} */
    RP_SHAPE_TUPLE,   /* [1, 2] */
    RP_SHAPE_NEWTYPE, /* only its field: 1 */
} rp_shape;

typedef struct rp_record {
    rp_sub_kind sub_kind;
    const char *name;
    size_t size;
    const rp_field *fields;
    size_t count;
    rp_shape shape;
} rp_record;

/* Numbers with names. A number that is not listed is legal and has no name. */
typedef reprise_name rp_enum_value;

typedef struct rp_enum {
    rp_sub_kind sub_kind;
    const char *name;
    const rp_enum_value *values;
    size_t count;
    bool flags; /* values are bits that may be combined */
} rp_enum;

/* A tagged union. The index in `variants` is the number on the wire; NULL: no content. */
typedef struct rp_sum {
    rp_sub_kind sub_kind;
    const char *name;
    const rp_record *const *variants;
    const char *const *names;
    uint32_t count;
} rp_sum;

/* Computes the value of an absent field of a masked record from its last value. */
typedef struct rp_predict {
    rp_sub_kind sub_kind;
    void (*apply)(void *value);
} rp_predict;

/* ---- the macros: struct, table, field numbers ---- */

#define RP_MEMBER(T, name, kind, tag, sub, doc) RP_MEMBER_##kind(name, tag)
#define RP_ROW(T, name, kind, tag, sub, doc) \
    {#name, RP_##kind, (uint32_t)offsetof(T, name), RP_TAG_##kind(tag), sub, doc},
#define RP_FIELD_NUMBER(T, name, kind, tag, sub, doc) T##_F_##name,

#define RP_MEMBER_BOOL(name, tag)  rp_c_BOOL name;
#define RP_MEMBER_U8(name, tag)    rp_c_U8 name;
#define RP_MEMBER_I8(name, tag)    rp_c_I8 name;
#define RP_MEMBER_U16(name, tag)   rp_c_U16 name;
#define RP_MEMBER_I16(name, tag)   rp_c_I16 name;
#define RP_MEMBER_U32(name, tag)   rp_c_U32 name;
#define RP_MEMBER_I32(name, tag)   rp_c_I32 name;
#define RP_MEMBER_U64(name, tag)   rp_c_U64 name;
#define RP_MEMBER_I64(name, tag)   rp_c_I64 name;
#define RP_MEMBER_F32(name, tag)   rp_c_F32 name;
#define RP_MEMBER_F64(name, tag)   rp_c_F64 name;
#define RP_MEMBER_VEC3(name, tag)  rp_c_VEC3 name;
#define RP_MEMBER_QUAT(name, tag)  rp_c_QUAT name;
#define RP_MEMBER_MAT34(name, tag) rp_c_MAT34 name;
#define RP_MEMBER_ROT(name, tag)   rp_c_ROT name;
#define RP_MEMBER_INT(name, tag)   rp_c_INT name;
#define RP_MEMBER_BYTE(name, tag)  rp_c_BYTE name;
#define RP_MEMBER_TEXT(name, tag)  rp_c_TEXT name;
#define RP_MEMBER_BYTES(name, tag) rp_c_BYTES name;
#define RP_MEMBER_SEQ(name, tag)   rp_c_SEQ name;
#define RP_MEMBER_MAP(name, tag)   rp_c_MAP name;
#define RP_MEMBER_OPT(name, tag)   rp_c_OPT name;
#define RP_MEMBER_SUM(name, tag)   rp_c_SUM name;
#define RP_MEMBER_REC(name, tag)   tag name;
#define RP_MEMBER_RAW(name, tag)   uint8_t name[tag];

#define RP_TAG_BOOL(tag)  tag
#define RP_TAG_U8(tag)    tag
#define RP_TAG_I8(tag)    tag
#define RP_TAG_U16(tag)   tag
#define RP_TAG_I16(tag)   tag
#define RP_TAG_U32(tag)   tag
#define RP_TAG_I32(tag)   tag
#define RP_TAG_U64(tag)   tag
#define RP_TAG_I64(tag)   tag
#define RP_TAG_F32(tag)   tag
#define RP_TAG_F64(tag)   tag
#define RP_TAG_VEC3(tag)  tag
#define RP_TAG_QUAT(tag)  tag
#define RP_TAG_MAT34(tag) tag
#define RP_TAG_ROT(tag)   tag
#define RP_TAG_INT(tag)   tag
#define RP_TAG_BYTE(tag)  tag
#define RP_TAG_TEXT(tag)  tag
#define RP_TAG_BYTES(tag) tag
#define RP_TAG_SEQ(tag)   tag
#define RP_TAG_MAP(tag)   tag
#define RP_TAG_OPT(tag)   tag
#define RP_TAG_SUM(tag)   tag
#define RP_TAG_REC(tag)   0
#define RP_TAG_RAW(tag)   tag

/* In a header: the struct, its field numbers (T_F_name), and the table's declaration. */
#define RP_STRUCT(T, LIST)                         \
    typedef struct T {                             \
        LIST(RP_MEMBER, T)                         \
    } T;                                           \
    enum { LIST(RP_FIELD_NUMBER, T) T##_F_COUNT }; \
    extern const rp_record T##_record

/* In one source file: the table. */
#define RP_TABLE_SHAPED(T, LIST, label, shape)                                        \
    static const rp_field T##_fields[] = {LIST(RP_ROW, T)};                           \
    const rp_record T##_record = {RP_SUB_RECORD,        label, sizeof(T), T##_fields, \
                                  RP_COUNT(T##_fields), shape}
#define RP_TABLE(T, LIST, label) RP_TABLE_SHAPED(T, LIST, label, RP_SHAPE_STRUCT)

#define RP_ENUM(T, label, is_flags, ...)                     \
    static const rp_enum_value T##_values[] = {__VA_ARGS__}; \
    const rp_enum T = {RP_SUB_ENUM, label, T##_values, RP_COUNT(T##_values), is_flags}

/*
 * A tagged union is a list of variants; the position is the number on the wire:
 *
 *     #define IC_TARGET(V, T)           \
 *         V(T, Unit, &ic_unit_tag_record) \
 *         V(T, Nothing, NULL)
 *
 * RP_SUM_NUMBERS in a header declares the numbers (T_V_Unit), RP_SUM_TABLE defines the table.
 */
#define RP_VARIANT_NUMBER(T, name, record) T##_V_##name,
#define RP_VARIANT_RECORD(T, name, record) record,
#define RP_VARIANT_NAME(T, name, record)   #name,
#define RP_SUM_NUMBERS(T, LIST)                      \
    enum { LIST(RP_VARIANT_NUMBER, T) T##_V_COUNT }; \
    extern const rp_sum T
#define RP_SUM_TABLE(T, LIST, label)                                             \
    static const rp_record *const T##_variants[] = {LIST(RP_VARIANT_RECORD, T)}; \
    static const char *const T##_names[] = {LIST(RP_VARIANT_NAME, T)};           \
    const rp_sum T = {RP_SUB_SUM, label, T##_variants, T##_names, T##_V_COUNT}

/* ---- kinds and fields ---- */

extern const uint8_t rp_wire_size[RP_KIND_COUNT]; /* 0: variable */
/* The size of a value that is stored at full width; 0 if it varies. */
static inline size_t rp_full_size(rp_kind kind)
{
    switch (kind) {
    case RP_ROT:
        return 16;
    case RP_INT:
        return 4;
    case RP_BYTE:
        return 1;
    default:
        return rp_wire_size[kind];
    }
}
extern const uint8_t rp_kind_size[RP_KIND_COUNT]; /* of the C type; 0 for REC and RAW */
extern const char *const rp_kind_label[RP_KIND_COUNT];

/* Returns the size of a field's value in memory. */
size_t rp_field_size(const rp_field *field);

/* Returns the enum of a field, or NULL. */
const rp_enum *rp_field_enum(const rp_field *field);
/* Returns the name of a number, or NULL. */
const char *rp_enum_name(const rp_enum *names, int64_t number);
/* Finds the number of a name. Returns false if there is none. */
bool rp_enum_number(const rp_enum *names, const char *name, size_t size, int64_t *ret_number);

static inline void *rp_at(const rp_field *field, void *row)
{
    return (char *)row + field->offset;
}

static inline const void *rp_at_const(const rp_field *field, const void *row)
{
    return (const char *)row + field->offset;
}

/* Get and set an integer field of any width. */
int64_t rp_field_int(const rp_field *field, const void *row);
void rp_field_set_int(const rp_field *field, void *row, int64_t value);

/* Whether two rows have the same bits in this field. Lists and texts compare by content. */
bool rp_field_equal(const rp_field *field, const void *a, const void *b);

/* Visits every text of a row and its nested records until the visitor returns false. */
typedef bool rp_text_visitor(void *ctx, const rp_text *text, bool binary);
bool rp_record_texts(const rp_record *record, const void *row, rp_text_visitor *visit, void *ctx);

/* Print a field or a row as JSON, in the shape described in document.h. */
void rp_field_json(rp_writer *w, const rp_field *field, const void *row);
void rp_record_json(rp_writer *w, const rp_record *record, const void *row);

/* ---- plain values: fixed width, little-endian ---- */

/* For kinds of fixed wire size. bool: any value but 0 is true. */
void rp_value_read(rp_reader *r, const rp_field *field, void *to);
void rp_value_write(rp_writer *w, const rp_field *field, const void *from);

/* All fields of a record, in the given order of field numbers (NULL: as listed). ROT has 16 bytes.
 */
void rp_plain_read(rp_reader *r, const rp_record *record, const uint8_t *order, size_t count,
                   void *row);
void rp_plain_write(rp_writer *w, const rp_record *record, const uint8_t *order, size_t count,
                    const void *row);

/* ---- rotations ---- */

/* Unpacks a rotation. A missing component that cannot exist is 0. */
rp_quat rp_rot_value(const rp_rot *rotation);
/* The same for many, `stride` bytes apart: x, y, z and w of each, in a column of their own. */
void rp_rot_columns(const void *first, size_t stride, size_t count, float *const to[4]);
rp_rot rp_rot_full(rp_quat value);   /* in 16 bytes, exact */
rp_rot rp_rot_packed(rp_quat value); /* in 7 bytes, rounded to the nearest step */

/* ---- tagged: u8 id, size, bytes; any order, unknown ids skipped ---- */

enum { RP_TAGS_MAX = 256, RP_TAG_UNKNOWN = 0xFF, RP_TAG_FIELDS_MAX = 64, RP_TAG_HEAD_SIZE = 3 };

/* The field of an id, with what the reading loop needs to know about it. */
typedef struct rp_tag {
    uint8_t field;      /* number in the record, or RP_TAG_UNKNOWN */
    uint8_t kind;       /* rp_kind */
    uint8_t size_least; /* of the value on the wire */
    uint8_t size_usual; /* if the wire does not store it */
    uint32_t offset;
} rp_tag;

/*
 * Maps ids on the wire to fields. Made from a record's tags, then changed for layouts with
 * different field ids. A tag of RP_TAGS_MAX or more has no id initially.
 */
typedef struct rp_tag_map {
    const rp_record *record;
    uint8_t size_width; /* bytes of the size: 0 (sizes follow from kinds), 1 or 2 */
    bool strict;        /* for rp_tagged_fits: BYTE is one byte, INT is four */
    rp_tag tags[RP_TAGS_MAX];
    uint32_t heads[RP_TAG_FIELDS_MAX]; /* per field: id and usual size before it, see expand.h */
} rp_tag_map;

void rp_tag_map_init(rp_tag_map *map, const rp_record *record, unsigned size_width);
/* Assigns a field to an id. RP_TAG_UNKNOWN removes the id. */
void rp_tag_map_set(rp_tag_map *map, unsigned id, unsigned field);
/* Returns the field of an id, or NULL. */
static inline const rp_field *rp_tag_field(const rp_tag_map *map, unsigned id)
{
    unsigned field = map->tags[id].field;
    return field == RP_TAG_UNKNOWN ? NULL : &map->record->fields[field];
}

/*
 * Reads a chunk into a row. Sets the bits of fields that are present in *present and counts ids
 * without a field in *unknown. A value shorter than its kind is an error; of a longer value the
 * leading bytes are used. Text points into the chunk.
 */
void rp_tagged_read(rp_reader *chunk, const rp_tag_map *map, void *row, uint64_t *present,
                    size_t *unknown);

/* Whether a chunk matches this map: every size is valid for its kind, all bytes are used. */
bool rp_tagged_fits(const rp_reader *chunk, const rp_tag_map *map);

/* Writes the fields of `present` in the order of their ids. `rotation_size` is 7 or 16. */
void rp_tagged_write(rp_writer *w, const rp_tag_map *map, unsigned rotation_size, const void *row,
                     uint64_t present);

/* ---- masked: change bits, then the changed fields in list order ---- */

/* The tag is the bit, counted from `shift`. Several fields may share a bit. */
void rp_masked_read(rp_reader *r, const rp_record *record, uint64_t mask, unsigned shift,
                    void *row);
/* Returns the bits of fields whose value differs from what a reader would assume without them. */
uint64_t rp_masked_diff(const rp_record *record, unsigned shift, const void *base, const void *row);
void rp_masked_write(rp_writer *w, const rp_record *record, uint64_t mask, unsigned shift,
                     const void *row);
/* Returns all bits that a record uses. */
uint64_t rp_masked_bits(const rp_record *record, unsigned shift);

/* ---- bincode 1.x: fixed width, u64 lengths, u32 variants, one-byte options ---- */

/*
 * Only canonical data is accepted: bools and option flags are 0 or 1, text is UTF-8, map keys are
 * strictly increasing, and a U32 whose sub-object is an rp_enum has a listed value. A map's key is
 * the first field of its records, its value the second. Lists and nested values are allocated in
 * the arena; text and bytes point into the input. Lengths are bounded by the remaining input and
 * the limits, nesting by depth_max.
 */
void rp_bincode_read(rp_reader *r, rp_arena *arena, const rp_record *record, void *row);
void rp_bincode_write(rp_writer *w, const rp_record *record, const void *row);
/* The same for a tagged union that is not a field. */
void rp_bincode_read_sum(rp_reader *r, rp_arena *arena, const rp_sum *sum, rp_choice *ret_choice);
void rp_bincode_write_sum(rp_writer *w, const rp_sum *sum, const rp_choice *choice);

#endif
