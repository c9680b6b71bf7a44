/*
 * nbt.h - Minecraft's named binary tags (NBT), read from a window, so a document needs no more
 * memory than its largest array.
 *
 * Reading walks the file: enter a compound, get one tag after the other in file order, and read or
 * skip the payload of each. Numbers are big-endian. Every length is checked against the remaining
 * bytes.
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
    uint64_t size; /* of the document */
    size_t depth;  /* number of enclosing compounds and lists */
    size_t depth_max;
    char name[RP_NBT_NAME_MAX]; /* of the last tag; longer names are truncated and match nothing */
    reprise_error *error;       /* sticky */
} rp_nbt;

typedef struct rp_nbt_list {
    rp_nbt_id id;
    size_t count;
} rp_nbt_list;

/* `size` is how many bytes the window has left. */
void rp_nbt_init(rp_nbt *nbt, rp_window *window, uint64_t size, size_t depth_max,
                 reprise_error *error);

static inline bool rp_nbt_ok(const rp_nbt *nbt)
{
    return nbt->error->status == REPRISE_OK;
}

/* Sets the error at the current offset. */
void rp_nbt_fail(rp_nbt *nbt, reprise_status status, const char *format, ...) REPRISE_PRINTF(3, 4);

/* Enters the root, which must be a compound. */
void rp_nbt_root(rp_nbt *nbt);

/*
 * Returns the id of the next tag of the current compound and stores its name in nbt->name.
 * RP_NBT_END means that the compound has been left. Also returned after a failure.
 */
rp_nbt_id rp_nbt_next(rp_nbt *nbt);

/* Read the payload of the current tag. rp_nbt_compound enters one, which rp_nbt_next leaves. */
int64_t rp_nbt_integer(rp_nbt *nbt, rp_nbt_id id); /* BYTE, SHORT, INT or LONG */
double rp_nbt_double(rp_nbt *nbt);
void rp_nbt_compound(rp_nbt *nbt);

/* Enters a list. Read its payloads, then call rp_nbt_list_end. */
rp_nbt_list rp_nbt_list_begin(rp_nbt *nbt);
void rp_nbt_list_end(rp_nbt *nbt);

/*
 * Returns the elements of an array in place, valid until the next call; NULL after a failure. An
 * element has 1, 4 or 8 bytes, depending on the id.
 */
const uint8_t *rp_nbt_array(rp_nbt *nbt, rp_nbt_id id, size_t *ret_count);

/* Appends a string to `to` as UTF-8 (surrogates joined, C0 80 as NUL). Returns its length. */
size_t rp_nbt_string(rp_nbt *nbt, rp_writer *to);

/* Skips a payload of any kind. */
void rp_nbt_skip(rp_nbt *nbt, rp_nbt_id id);

static inline int32_t rp_nbt_load32(const uint8_t *p)
{
    return (int32_t)((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
}

/* Write the parts of a document in file order. */
void rp_nbt_put_head(rp_writer *w, rp_nbt_id id, const char *name);
void rp_nbt_put_string(rp_writer *w, const char *text, size_t size);
void rp_nbt_put_list(rp_writer *w, rp_nbt_id id, size_t count);
void rp_nbt_put_i32(rp_writer *w, int32_t value);
void rp_nbt_put_f64(rp_writer *w, double value);

#endif
