/*
 * arrow_message.h - the flatbuffers of Arrow IPC: schemas, batches and the footer of a file.
 *
 * Each function replaces the content of `w` by one flatbuffer. A failure of `w` stays in its own
 * error, which the caller checks.
 */
#ifndef RP_ARROW_MESSAGE_H
#define RP_ARROW_MESSAGE_H

#include "table_writer.h"

/* The two kinds of fixed-size elements that batches list, in the order of the format. */
typedef struct rp_arrow_node {
    int64_t length, null_count;
} rp_arrow_node;
typedef struct rp_arrow_buffer {
    int64_t offset, length; /* in the body */
} rp_arrow_buffer;

/* Where a message is in a file. */
typedef struct rp_arrow_block {
    uint64_t offset;
    uint32_t metadata_size; /* with the bytes before the flatbuffer */
    uint64_t body_size;
} rp_arrow_block;

typedef struct rp_arrow_batch_about {
    int64_t length;
    uint64_t body_size;
    const rp_arrow_node *nodes;
    size_t node_count;
    const rp_arrow_buffer *buffers;
    size_t buffer_count;
} rp_arrow_batch_about;

/*
 * Where a schema is used. In a Parquet file it says what readers of Arrow shall make of the
 * columns, and Arrow's own reader fails with two types there: fixed-size lists below a null, and
 * dictionaries below another type if they change. These are lists and texts then.
 */
typedef enum rp_arrow_use { RP_ARROW_ALONE, RP_ARROW_IN_PARQUET } rp_arrow_use;

/* Dictionaries have the numbers 0, 1, 2 ... in the order of their fields, parents first. */
reprise_status rp_arrow_schema_message(rp_writer *w, const struct ArrowSchema *schema,
                                       const rp_table_options *options, rp_arrow_use use,
                                       reprise_error *error);
void rp_arrow_batch_message(rp_writer *w, const rp_arrow_batch_about *batch);
void rp_arrow_dictionary_message(rp_writer *w, int64_t id, const rp_arrow_batch_about *batch);
reprise_status rp_arrow_footer(rp_writer *w, const struct ArrowSchema *schema,
                               const rp_table_options *options, const rp_arrow_block *dictionaries,
                               size_t dictionary_count, const rp_arrow_block *batches,
                               size_t batch_count, reprise_error *error);

enum { RP_ARROW_HEAD_SIZE = 8 };
/*
 * The bytes before a flatbuffer of `size` bytes in a stream. Returns the zeros to put after it, so
 * that what follows is aligned if the message begins at `offset`.
 */
size_t rp_arrow_head(uint64_t offset, size_t size, size_t alignment,
                     uint8_t ret_head[RP_ARROW_HEAD_SIZE]);

#endif
