/* read_layout.c - tells layout P from A1, and finds the sections. */
#include "cs2kz.h"

/* The header of the section at an offset; false when the file has no room for one. */
static bool section_at(rp_source *source, uint64_t offset, kz_section *ret_section)
{
    uint8_t bytes[KZ_SECTION_HEADER_SIZE];
    reprise_error ignored = REPRISE_ERROR_INIT;
    if (rp_source_read(source, offset, bytes, sizeof bytes, &ignored) != REPRISE_OK)
        return false;
    rp_reader r = rp_reader_of(bytes, sizeof bytes, "file", &ignored);
    *ret_section = (kz_section){.there = true, .offset = offset};
    ret_section->stored_size = rp_u32(&r, "compressedSize");
    ret_section->size = rp_u32(&r, "uncompressedSize");
    ret_section->count = rp_u32(&r, "elementCount");
    return true;
}

static uint64_t section_end(const kz_section *section)
{
    return section->offset + KZ_SECTION_HEADER_SIZE + section->stored_size;
}

/* Five sections that end exactly with the file. */
static bool ends_after_five(const kz_replay *replay)
{
    uint64_t offset = replay->header_size, size = rp_source_size(replay->base.source);
    for (unsigned i = 0; i < 5; i++) {
        kz_section section;
        if (!section_at(replay->base.source, offset, &section) || section_end(&section) > size)
            return false;
        offset = section_end(&section);
    }
    return offset == size;
}

void kz_resolve_capital_magic(kz_replay *replay)
{
    if (!replay->magic_capital)
        return;
    bool literal = false;
    kz_section first, second;
    if (replay->wire->version == 1 &&
        section_at(replay->base.source, replay->header_size, &first) &&
        section_at(replay->base.source, section_end(&first), &second)) {
        if (!first.count && !second.count && !second.size)
            literal = ends_after_five(replay);
        else
            literal = second.count != first.count ||
                      second.size !=
                          (uint64_t)first.count * (4 + replay->wire->slots * KZ_MOVE_SIZE);
    }
    if (literal)
        replay->wire = kz_wire_find("p");
    else
        rp_note(&replay->base.findings, KZ_FINDING(MAGIC_CASE), "file", 0, "magic",
                "\"S2KZ\" in capitals, servers write \"s2kz\"");
}

static void note_cut(kz_replay *replay, kz_section_kind kind, uint64_t offset, uint64_t need,
                     uint64_t left)
{
    rp_error_set(&replay->damage, REPRISE_E_TRUNCATED, "needs %llu bytes, %llu left",
                 (unsigned long long)need, (unsigned long long)left);
    rp_error_place(&replay->damage, "file", offset, kz_section_names[kind]);
    rp_error_advise(&replay->damage, REPRISE_HINT_RECOVER);
}

void kz_find_sections(kz_replay *replay)
{
    uint64_t offset = replay->header_size, size = rp_source_size(replay->base.source);
    for (unsigned i = 0; i < replay->wire->section_count; i++) {
        kz_section_kind kind = replay->wire->sections[i];
        kz_section *section = &replay->sections[kind];
        uint64_t left = size - offset;
        if (left == 0 && kind == KZ_SECTION_COMMANDS) {
            rp_note(&replay->base.findings, KZ_FINDING(NO_COMMANDS), "file", offset, "commands",
                    "the file ends after the events");
            return;
        }
        if (!section_at(replay->base.source, offset, section)) {
            note_cut(replay, kind, offset, KZ_SECTION_HEADER_SIZE, left);
            return;
        }
        left -= KZ_SECTION_HEADER_SIZE;
        if (section->stored_size > left) {
            note_cut(replay, kind, offset, section->stored_size, left);
            section->stored_size = (uint32_t)left;
            section->cut = true;
            return;
        }
        offset = section_end(section);
    }
    replay->trailing = size - offset;
    if (replay->trailing)
        rp_note(&replay->base.findings, KZ_FINDING(TRAILING_BYTES), "file", offset, "",
                "%llu bytes after the last section", (unsigned long long)replay->trailing);
}
