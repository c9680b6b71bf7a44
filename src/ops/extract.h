/* extract.h - writes the blobs of a replay to files in a new directory. */
#ifndef RP_EXTRACT_H
#define RP_EXTRACT_H

#include "format.h"

/* See reprise_extract. The report has directory, origin, files and refused. */
reprise_status rp_extract(rp_replay *replay, const reprise_extract_options *options, rp_doc *doc,
                          reprise_value *report, reprise_error *error);

#endif
