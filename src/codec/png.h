/* png.h - removes metadata from PNG images, and writes small ones. */
#ifndef RP_PNG_H
#define RP_PNG_H

#include "stream.h"
#include "writer.h"

/*
 * Opens a stream of the chunks that make up the picture, without texts, times, profiles, unknown
 * chunks and bytes after the end. Input that is not a PNG becomes one grey pixel. The caller keeps
 * `from`, which must outlive the stream. Pixels are not decoded.
 */
reprise_status rp_png_plain(rp_context *context, rp_stream *from, rp_stream **ret_stream,
                            reprise_error *error);

/* Appends a picture of `height` rows of `width` pixels, each red, green and blue. */
reprise_status rp_png_write(rp_context *context, const uint8_t *rgb, uint32_t width,
                            uint32_t height, rp_writer *to, reprise_error *error);

#endif
