/*
 * finding_list.h - every finding of this family: its id, its usual severity and what it means.
 *
 * docs/errors.md is generated from these lists. The message of a finding gives the numbers.
 */
#ifndef RP_CS2KZ_FINDING_LIST_H
#define RP_CS2KZ_FINDING_LIST_H

#include "findings.h"

/* clang-format off */
#define KZ_FINDINGS(F) \
    F(KZ_F_MAGIC_CASE, WARNING, "cs2kz.magic-case", \
      "The magic is written \"S2KZ\" instead of \"s2kz\".") \
    F(KZ_F_NO_COMMANDS, WARNING, "cs2kz.no-commands", \
      "The file ends after the events; the section with the commands is missing.") \
    F(KZ_F_NO_RUN, NOTE, "cs2kz.no-run", \
      "The header describes a run, but the events have no timer start and end.") \
    F(KZ_F_RUN_TIME, NOTE, "cs2kz.run-time", \
      "The time of the run in the header differs from the one its ticks give.") \
    F(KZ_F_STYLE_ORDER, WARNING, "cs2kz.style-order", \
      "The styles come before the run header instead of after it.") \
    F(KZ_F_SUBTICK_CLAMPED, WARNING, "cs2kz.subtick-clamped", \
      "A tick announces more subtick moves than it can store; the stored ones are read.") \
    F(KZ_F_TRAILING_BYTES, WARNING, "cs2kz.trailing-bytes", \
      "The file has bytes after its last section; they are ignored.") \
    F(KZ_F_TYPE_DETAILS_MISSING, WARNING, "cs2kz.type-details-missing", \
      "The header has no details for its type of recording.") \
    F(KZ_F_UNKNOWN_COMMAND_FLAG, WARNING, "cs2kz.unknown-command-flag", \
      "A command sets flag bits that its layout does not define.") \
    F(KZ_F_UNKNOWN_EVENT, WARNING, "cs2kz.unknown-event", \
      "An event has an unknown type.") \
    F(KZ_F_UNKNOWN_TICK_FLAG, WARNING, "cs2kz.unknown-tick-flag", \
      "A tick sets flag bits that its layout does not define.") \
    F(KZ_F_WEAPON_INDEX, WARNING, "cs2kz.weapon-index", \
      "A weapon event refers to a weapon that is not in the table.")

/* clang-format on */

enum { KZ_FINDINGS(RP_FINDING_NUMBER) KZ_FINDING_COUNT };
extern const rp_finding_kind kz_findings[KZ_FINDING_COUNT];
#define KZ_FINDING(name) (&kz_findings[KZ_F_##name])

#endif
