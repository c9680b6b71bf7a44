/* verify.c - checks beyond decoding everything: the checksums of members that are not decoded. */
#include "mcreplay.h"

/* Reads a member to its end, which checks its CRC-32. */
static reprise_status check_member(mc_replay *replay, const mc_archive *archive, size_t entry,
                                   reprise_error *error)
{
    const char *name = rp_zip_entry_at(archive->zip, entry)->name;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    reprise_status status = mc_open_member(archive, entry, name, &stream, &damage);
    if (status == REPRISE_OK)
        status = rp_stream_check(stream, &damage);
    rp_stream_close(stream);
    if (rp_is_own_failure(replay->base.context, status))
        return rp_error_set(error, status, "%s", damage.message);
    if (status != REPRISE_OK)
        rp_note_error(&replay->base.findings, replay->base.format->name, &damage);
    return REPRISE_OK;
}

/* Only the headers of textures are decoded, and unknown members not at all. */
static bool decoded(const mc_archive *archive, size_t entry)
{
    const struct {
        const char *start;
    } kinds[] = {{"meta.json"}, {"world."}, {"entities/"}, {"mesh/"}, {"mat/"}};
    const char *name = rp_zip_entry_at(archive->zip, entry)->name;
    for (size_t i = 0; i < RP_COUNT(kinds); i++) {
        if (strncmp(name, kinds[i].start, strlen(kinds[i].start)) == 0)
            return true;
    }
    return false;
}

static reprise_status check_archive(mc_replay *replay, const mc_archive *archive,
                                    reprise_error *error)
{
    for (size_t i = 0; archive->zip && i < rp_zip_count(archive->zip); i++) {
        if (!decoded(archive, i))
            RP_TRY(check_member(replay, archive, i, error));
    }
    return REPRISE_OK;
}

static void count_members(rp_doc *doc, reprise_value *summary, const char *key,
                          const mc_archive *archive)
{
    if (!archive->zip)
        return;
    reprise_value *counts = rp_set_object(doc, summary, key);
    rp_set_uint(doc, counts, "entries", rp_zip_count(archive->zip));
    rp_set_uint(doc, counts, "entities", archive->entities.count);
    rp_set_uint(doc, counts, "meshes", archive->meshes.count);
    rp_set_uint(doc, counts, "materials", archive->materials.count);
    rp_set_uint(doc, counts, "textures", archive->textures.count);
}

reprise_status mc_verify(rp_replay *base, rp_doc *doc, reprise_value *summary, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)base;
    count_members(doc, summary, "archive", &replay->outer);
    count_members(doc, summary, "world_archive", &replay->inner);
    RP_TRY(check_archive(replay, &replay->outer, error));
    return check_archive(replay, &replay->inner, error);
}
