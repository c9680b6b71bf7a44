/*
 * nbt.h - Minecraft's named binary tags, read from a window so that a document of any length needs
 * no more memory than its largest array.
 *
 * A reader walks: it begins a compound, is given one tag after the other in the order of the file,
 * and reads or skips the payload of each. Big-endian. Every length is checked against the bytes
 * that are left before it is believed.
 */
#ifndef RP_NBT_H
#define RP_NBT_H

#include "window.h"
#include "writer.h"

typedef enum rp_nbt_id {
    RP_NBT_END,
    RP_NBT_BYTE,
    RP_NBT_SHORT,
    RP_NBT_INT,
    RP_NBT_LONG,
    RP_NBT_FLOAT,
    RP_NBT_DOUBLE,
    RP_NBT_BYTE_ARRAY,
    RP_NBT_STRING,
    RP_NBT_LIST,
    RP_NBT_COMPOUND,
    RP_NBT_INT_ARRAY,
    RP_NBT_LONG_ARRAY,
    RP_NBT_ID_COUNT,
} rp_nbt_id;

enum { RP_NBT_NAME_MAX = 32 };

typedef struct rp_nbt {
    rp_window *window;
    uint64_t size; /* of the whole document */
    size_t depth;  /* of compounds and lists around */
    size_t depth_max;
    char name[RP_NBT_NAME_MAX]; /* of the last tag; longer names are cut and match nothing */
    reprise_error *error;       /* sticky */
} rp_nbt;

/* The head of a list. */
typedef struct rp_nbt_list {
    rp_nbt_id id;
    size_t count;
} rp_nbt_list;

/* `size` is how many bytes the window can give from here on. */
void rp_nbt_init(rp_nbt *nbt, rp_window *window, uint64_t size, size_t depth_max,
                 reprise_error *error);

static inline bool rp_nbt_ok(const rp_nbt *nbt)
{
    return nbt->error->status == REPRISE_OK;
}

/* Fails at the current place. */
void rp_nbt_fail(rp_nbt *nbt, reprise_status status, const char *format, ...) REPRISE_PRINTF(3, 4);

/* Steps into the root, which must be a compound. */
void rp_nbt_root(rp_nbt *nbt);

/*
 * The next tag of the compound it stands in: its id, with the name in nbt->name. RP_NBT_END leaves
 * the compound; it is also given after a failure.
 */
rp_nbt_id rp_nbt_next(rp_nbt *nbt);

/* Payloads of the tag just given. rp_nbt_compound steps into one, which rp_nbt_next leaves. */
int64_t rp_nbt_whole(rp_nbt *nbt, rp_nbt_id id); /* BYTE, SHORT, INT or LONG */
double rp_nbt_double(rp_nbt *nbt);
void rp_nbt_compound(rp_nbt *nbt);

/* Steps into a list; its payloads follow, and rp_nbt_list_end is due behind the last. */
rp_nbt_list rp_nbt_list_begin(rp_nbt *nbt);
void rp_nbt_list_end(rp_nbt *nbt);

/*
 * The elements of an array where they are, valid until the next call; NULL after a failure. An
 * element is 1, 4 or 8 bytes, by the id.
 */
const uint8_t *rp_nbt_array(rp_nbt *nbt, rp_nbt_id id, size_t *ret_count);

/* Appends a string as UTF-8 to `to`: surrogates are joined, C0 80 becomes NUL. Gives its length. */
size_t rp_nbt_string(rp_nbt *nbt, rp_writer *to);

/* Steps over a payload of any kind. */
void rp_nbt_skip(rp_nbt *nbt, rp_nbt_id id);

static inline int32_t rp_nbt_load32(const uint8_t *p)
{
    return (int32_t)((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
}

/* Writing: the pieces of a document, in the order they are wanted. */
void rp_nbt_put_head(rp_writer *w, rp_nbt_id id, const char *name);
void rp_nbt_put_string(rp_writer *w, const char *text, size_t size);
void rp_nbt_put_list(rp_writer *w, rp_nbt_id id, size_t count);
void rp_nbt_put_i32(rp_writer *w, int32_t value);
void rp_nbt_put_f64(rp_writer *w, double value);

#endif
