/* leak_check.h - showing that what was taken out of a replay is really gone. */
#ifndef RP_LEAK_CHECK_H
#define RP_LEAK_CHECK_H

#include "format.h"

/*
 * Opens the result and searches everything in it, decompressed, for the `from` of every
 * substitution, as UTF-8 and as UTF-16 of both orders. Finding one is REPRISE_E_CORRUPT, and the
 * result must not be kept.
 *
 * Some texts prove nothing by standing in binary data: those of less than four bytes, which chance
 * puts there; words of the format itself and of the stand-ins; and, in a large result, those of
 * four and five bytes, of which chance makes a few. They must not stand in any text of the
 * metadata and of the rows. The report lists them as "unproven", with the reason.
 */
reprise_status rp_leak_check(rp_replay *source, const reprise_value *substitutions, rp_sink *result,
                             rp_doc *doc, reprise_value *report, reprise_error *error);

#endif
