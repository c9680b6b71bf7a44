/* png.h - pictures without what others wrote into them. */
#ifndef RP_PNG_H
#define RP_PNG_H

#include "stream.h"

/*
 * A stream of the chunks that make the picture: texts, times, profiles, unknown chunks and bytes
 * after the end are left out. What is no PNG becomes one grey pixel. `from` must outlive the stream
 * and stays the caller's. Pixels are not looked at.
 */
reprise_status rp_png_plain(rp_context *context, rp_stream *from, rp_stream **ret_stream,
                            reprise_error *error);

#endif
