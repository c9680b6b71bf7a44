/*
 * finding_list.h - every finding of this family: its id, its usual severity and what it means.
 *
 * docs/errors.md is generated from these lists. The message of a finding gives the numbers.
 */
#ifndef RP_REMASTERED_FINDING_LIST_H
#define RP_REMASTERED_FINDING_LIST_H

#include "findings.h"

/* clang-format off */
#define CNC_FINDINGS(F) \
    F(CNC_F_CONFIDENCE, WARNING, "remastered.confidence", \
      "The format has no magic, and the content does not look like a recording (only a note where it probably is one).") \
    F(CNC_F_CUT, WARNING, "remastered.cut", \
      "The last record is cut off; the records before it are kept.") \
    F(CNC_F_DESYNC, NOTE, "remastered.desync", \
      "The houses reported different game states: the match desynchronised while it was played.") \
    F(CNC_F_EVENT_COUNT, WARNING, "remastered.event-count", \
      "A record has an impossible number of events; the records before it are kept.") \
    F(CNC_F_EVENT_FRAME, WARNING, "remastered.event-frame", \
      "An event belongs to a different frame than its record; the records before it are kept.") \
    F(CNC_F_EVENT_TYPE, WARNING, "remastered.event-type", \
      "An event has an unknown type; the records before it are kept.") \
    F(CNC_F_SELECTION, WARNING, "remastered.selection", \
      "A record has an impossible number of selected objects; the records before it are kept.") \
    F(CNC_F_SELECTION_SUM, WARNING, "remastered.selection-sum", \
      "The checksum of a selection does not match; the records before it are kept.") \
    F(CNC_F_SKIRMISH_GAP, NOTE, "remastered.skirmish-gap", \
      "Frame 0 has no record of events, as in recordings of skirmishes.")

/* clang-format on */

enum { CNC_FINDINGS(RP_FINDING_NUMBER) CNC_FINDING_COUNT };
extern const rp_finding_kind cnc_findings[CNC_FINDING_COUNT];
#define CNC_FINDING(name) (&cnc_findings[CNC_F_##name])

#endif
