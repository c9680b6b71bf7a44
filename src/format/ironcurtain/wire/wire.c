/* wire.c - the tables of wire.h. */
#include "wire.h"

/* ---- names of numbers ---- */

#define IC_NAME_NUMBER(T, name) T##_N_##name,
#define IC_NAME_VALUE(T, name)  {T##_N_##name, #name},
#define IC_ENUM_TABLE(T, LIST, label) \
    enum { LIST(IC_NAME_NUMBER, T) }; \
    RP_ENUM(T, label, false, LIST(IC_NAME_VALUE, T));
IC_ENUMS(IC_ENUM_TABLE)

/* ---- records ---- */

#define IC_VALUE_ROW(T, name, kind, tag, sub, doc) \
    {#name, RP_##kind, 0, RP_TAG_##kind(tag), sub, doc},
#define IC_TABLE_VALUE(T, LIST, label, shape)                                                   \
    static const rp_field T##_fields[] = {LIST(IC_VALUE_ROW, T)};                               \
    const rp_record T##_record = {RP_SUB_RECORD,        label,           sizeof(T), T##_fields, \
                                  RP_COUNT(T##_fields), RP_SHAPE_##shape};
#define IC_TABLE_PUBLIC(T, LIST, label, shape)        RP_TABLE_SHAPED(T, LIST, label, RP_SHAPE_##shape);
#define IC_TABLE_FILE(T, LIST, label, shape)          IC_TABLE_PUBLIC(T, LIST, label, shape)
#define IC_RECORD_TABLE(T, LIST, label, shape, scope) IC_TABLE_##scope(T, LIST, label, shape)
IC_RECORDS(IC_RECORD_TABLE)
#define IC_SUM_TABLE(T, LIST, label) RP_SUM_TABLE(T, LIST, label);
IC_SUMS(IC_SUM_TABLE)

#define IC_RECORD_ENTRY(T, LIST, label, shape, scope) &T##_record,
const rp_record *const ic_wire_records[IC_WIRE_RECORD_COUNT] = {IC_RECORDS(IC_RECORD_ENTRY)};

/* ---- layout: the engines of schema.h see the lists and choices of types.h as theirs ---- */

#define IC_SAME_MEMBER(T, name, kind, tag, sub, doc)                                       \
    _Static_assert(offsetof(T, name) == offsetof(struct T##_expected, name) &&             \
                       sizeof(((T *)0)->name) == sizeof(((struct T##_expected *)0)->name), \
                   #T "." #name " has another layout than its list says");
#define IC_LAYOUT_VALUE(T, LIST)
#define IC_LAYOUT_FILE(T, LIST)
#define IC_LAYOUT_PUBLIC(T, LIST)                                                     \
    struct T##_expected {                                                             \
        LIST(RP_MEMBER, T)                                                            \
    };                                                                                \
    _Static_assert(sizeof(T) == sizeof(struct T##_expected), #T " has another size"); \
    LIST(IC_SAME_MEMBER, T)
#define IC_RECORD_LAYOUT(T, LIST, label, shape, scope) IC_LAYOUT_##scope(T, LIST)
IC_RECORDS(IC_RECORD_LAYOUT)

#define IC_SUM_LAYOUT(T, LIST, label)                                                    \
    _Static_assert(sizeof(reprise_##T) == sizeof(rp_choice) &&                           \
                       offsetof(reprise_##T, variant) == offsetof(rp_choice, variant) && \
                       offsetof(reprise_##T, as) == offsetof(rp_choice, value),          \
                   #T " has another layout than rp_choice");
IC_SUMS(IC_SUM_LAYOUT)
