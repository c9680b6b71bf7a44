/* extract.h - blobs as files in a directory of their own. */
#ifndef RP_EXTRACT_H
#define RP_EXTRACT_H

#include "format.h"

/* See reprise_extract. The report gets directory, origin, files and refused. */
reprise_status rp_extract(rp_replay *replay, const reprise_extract_options *options, rp_doc *doc,
                          reprise_value *report, reprise_error *error);

#endif
