/*
 * finding_list.h - every finding of this family: its id, its usual severity and what it means.
 *
 * docs/errors.md is generated from these lists. The message of a finding gives the numbers.
 */
#ifndef RP_OPENRA_FINDING_LIST_H
#define RP_OPENRA_FINDING_LIST_H

#include "findings.h"

/* clang-format off */
#define ORA_FINDINGS(F) \
    F(ORA_F_ARCHIVE, WARNING, "openra.archive", \
      "The archive has no central directory; its members were found by scanning.") \
    F(ORA_F_DESYNC, NOTE, "openra.desync", \
      "The clients reported different sync hashes: the match desynchronised while it was played.") \
    F(ORA_F_ENTRY_CUT, WARNING, "openra.entry-cut", \
      "The entry with the packets is damaged; the packets before the damage are kept.") \
    F(ORA_F_LOBBY_ONLY, WARNING, "openra.lobby-only", \
      "The recording has only the lobby; the match never starts.") \
    F(ORA_F_LOBBY_SIZE, WARNING, "openra.lobby-size", \
      "The lobby has more text than is read.") \
    F(ORA_F_MALFORMED_ORDER, WARNING, "openra.malformed-order", \
      "An order cannot be read and is left out.") \
    F(ORA_F_METADATA, WARNING, "openra.metadata", \
      "The metadata is missing or cannot be read.") \
    F(ORA_F_OUTCOME, NOTE, "openra.outcome", \
      "The sync hashes say that more players lost than the metadata does.") \
    F(ORA_F_PACKET_CUT, WARNING, "openra.packet-cut", \
      "A packet is cut off by the end of the file; the packets before it are kept.") \
    F(ORA_F_PACKET_LENGTH, WARNING, "openra.packet-length", \
      "A packet has an impossible length; the packets before it are kept.") \
    F(ORA_F_PASSWORD, WARNING, "openra.password", \
      "The file holds the server password in clear text.") \
    F(ORA_F_PROTOCOL_NEWER, NOTE, "openra.protocol-newer", \
      "The order protocol is newer than the newest known one and is read as that.") \
    F(ORA_F_STRAY_MARKER, WARNING, "openra.stray-marker", \
      "A metadata marker appears before the end; the packets after it are not part of the match.") \
    F(ORA_F_SYNC_ENTRY, WARNING, "openra.sync-entry", \
      "The list of sync hashes in the archive has an impossible length.") \
    F(ORA_F_SYNC_LIST, NOTE, "openra.sync-list", \
      "The list of sync hashes in the archive differs from the packets; the packets are used.") \
    F(ORA_F_SYNC_SIZE, WARNING, "openra.sync-size", \
      "A sync packet has a size that its dialect does not write.") \
    F(ORA_F_UTF8, WARNING, "openra.utf8", \
      "A text is not valid UTF-8; the bad bytes are shown as replacement characters.") \
    F(ORA_F_YAML, WARNING, "openra.yaml", \
      "A text in YAML cannot be read.")

/* clang-format on */

enum { ORA_FINDINGS(RP_FINDING_NUMBER) ORA_FINDING_COUNT };
extern const rp_finding_kind ora_findings[ORA_FINDING_COUNT];
#define ORA_FINDING(name) (&ora_findings[ORA_F_##name])

#endif
