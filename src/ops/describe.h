/*
 * describe.h - documents about a replay or the library, as info, at, stats, verify, formats and
 * schema show them. They are built the same way for every format.
 */
#ifndef RP_DESCRIBE_H
#define RP_DESCRIBE_H

#include "format.h"

/* The columns of all tracks of a replay, computed once. */
typedef struct rp_columns {
    rp_column *of[RP_TRACKS_MAX];
    size_t count[RP_TRACKS_MAX];
} rp_columns;
reprise_status rp_columns_make(const rp_replay *replay, rp_arena *arena, rp_columns *ret_columns,
                               reprise_error *error);

/* Sets everything but the severity. */
void rp_describe_finding(rp_doc *doc, reprise_value *to, const rp_finding *finding);
reprise_value *rp_describe_findings(rp_doc *doc, const rp_findings *findings);

reprise_status rp_describe_info(rp_replay *replay, rp_doc *doc, reprise_value **ret_info,
                                reprise_error *error);
reprise_status rp_describe_at(rp_replay *replay, const rp_columns *columns, reprise_moment moment,
                              rp_doc *doc, reprise_value **ret_state, reprise_error *error);
reprise_status rp_describe_stats(rp_replay *replay, rp_doc *doc, reprise_value **ret_stats,
                                 reprise_error *error);
/*
 * The summary of a replay, without the columns that follow from statistics if `complete` is not
 * set. Damage leaves columns empty and is not a failure.
 */
reprise_status rp_describe_summary(rp_replay *replay, rp_doc *doc, const reprise_value *info,
                                   bool complete, reprise_value **ret_summary,
                                   reprise_error *error);
reprise_status rp_describe_formats(rp_doc *doc, reprise_value **ret_formats);
reprise_status rp_describe_schema(rp_doc *doc, const rp_format *format, reprise_value **ret_schema);

#endif
