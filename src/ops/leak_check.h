/* leak_check.h - checks that the values removed from a replay are not in the result. */
#ifndef RP_LEAK_CHECK_H
#define RP_LEAK_CHECK_H

#include "format.h"

/*
 * Opens the result and searches everything in it, decompressed, for the `from` of every
 * substitution, in UTF-8 and in both byte orders of UTF-16. A match is REPRISE_E_CORRUPT, and the
 * result must be discarded.
 *
 * For some texts a match in binary data means nothing: texts of less than four bytes, which occur
 * by chance; words of the format and of the substitutes; and, in a large result, texts of four and
 * five bytes. These are searched only in the texts of the metadata and the rows. The report lists
 * them as "unproven", with the reason.
 */
reprise_status rp_leak_check(rp_replay *source, const reprise_value *substitutions, rp_sink *result,
                             rp_doc *doc, reprise_value *report, reprise_error *error);

#endif
