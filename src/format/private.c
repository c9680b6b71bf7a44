/* private.c - see private.h. */
#include "private.h"

#include <assert.h>
#include <stdio.h>

/* ---- lists ---- */

static void add(rp_private *found, rp_private_item item)
{
    if (!item.count)
        return;
    for (size_t i = 0; i < found->count; i++) {
        rp_private_item *known = &found->items[i];
        if (known->kind == item.kind && known->warns == item.warns &&
            !known->reason == !item.reason && strcmp(known->what, item.what) == 0) {
            known->count += item.count;
            return;
        }
    }
    assert(found->count < RP_PRIVATE_ITEMS_MAX);
    if (found->count < RP_PRIVATE_ITEMS_MAX)
        found->items[found->count++] = item;
}

void rp_private_add(rp_private *found, uint32_t kind, const char *what, uint64_t count)
{
    add(found, (rp_private_item){.kind = kind, .what = what, .count = count});
}

void rp_private_add_unproven(rp_private *found, uint32_t kind, const char *what, const char *reason,
                             bool warns, uint64_t count)
{
    add(found, (rp_private_item){
                   .kind = kind, .what = what, .reason = reason, .warns = warns, .count = count});
}

const char *rp_private_kind(uint32_t kind)
{
    static const struct {
        uint32_t kind;
        const char *name;
    } names[] = {
        {RP_PRIVATE_NAMES, "names"},           {RP_PRIVATE_CHAT, "chat"},
        {RP_PRIVATE_VOICE, "voice"},           {RP_PRIVATE_IDS, "ids"},
        {RP_PRIVATE_ADDRESSES, "addresses"},   {RP_PRIVATE_TIMES, "times"},
        {RP_PRIVATE_LOOKS, "looks"},           {RP_PRIVATE_CONTENT, "content"},
        {RP_PRIVATE_EXTENSIONS, "extensions"}, {RP_PRIVATE_MARKS, "drawings"},
        {RP_PRIVATE_WHISPERS, "chat"},
    };
    for (size_t i = 0; i < RP_COUNT(names); i++) {
        if (names[i].kind == kind)
            return names[i].name;
    }
    return "other";
}

bool rp_private_is_removed(uint32_t remove, uint32_t kind)
{
    if (kind == RP_PRIVATE_WHISPERS)
        return remove & RP_PRIVATE_CHAT;
    if (kind == RP_PRIVATE_CHAT)
        return (remove & RP_PRIVATE_CHAT) && !(remove & RP_PRIVATE_WHISPERS);
    return remove & kind;
}

/* ---- search ---- */

typedef struct row_look {
    const rp_replay *replay;
    rp_private *found;
    uint64_t left;
} row_look;

static reprise_status look_at_row(void *ctx, const rp_row *row, reprise_error *error)
{
    row_look *look = ctx;
    if (!look->left--) {
        look->found->incomplete = true;
        return REPRISE_END;
    }
    look->replay->format->privacy->row(look->replay, row, look->found);
    return error->status;
}

/* Failures that are not damage of the file. */
static bool is_outside(reprise_status status)
{
    return status == REPRISE_E_NOMEM || status == REPRISE_E_IO || status == REPRISE_E_CANCELLED;
}

reprise_status rp_private_add_unread(rp_private *found, const reprise_error *damage,
                                     reprise_error *error)
{
    if (is_outside(damage->status))
        *error = *damage;
    else if (damage->status != REPRISE_OK) {
        found->incomplete = true;
        if (found->damage.status == REPRISE_OK)
            found->damage = *damage;
    }
    return error->status;
}

reprise_status rp_private_find(rp_replay *replay, uint64_t rows_max, rp_private *found,
                               reprise_error *error)
{
    const rp_format *format = replay->format;
    if (!format->privacy)
        return REPRISE_OK;
    if (format->privacy->header)
        RP_TRY(format->privacy->header(replay, found, error));
    if (!format->privacy->row || (found->quick && !format->privacy->tracks))
        return error->status;
    rp_replay *own = NULL;
    reprise_error damage = REPRISE_ERROR_INIT;
    reprise_status status = rp_replay_open_again(replay, &own, &damage);
    row_look look = {.replay = own, .found = found, .left = rows_max};
    rp_selection selection = {.tracks = format->privacy->tracks |
                                        (found->quick ? 0 : format->privacy->doubt_tracks)};
    if (status == REPRISE_OK)
        status = rp_each_row(own, selection, look_at_row, &look, &damage);
    rp_replay_close(own);
    return status == REPRISE_OK ? error->status : rp_private_add_unread(found, &damage, error);
}

/* ---- substitutes ---- */

bool rp_is_substitute(const char *text, size_t size, const char *word)
{
    size_t n = strlen(word);
    if (size < n || memcmp(text, word, n) != 0)
        return false;
    if (size == n)
        return true;
    if (text[n] != ' ' || size == n + 1)
        return false;
    for (size_t i = n + 1; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
    }
    return true;
}

bool rp_is_identifier(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!plain && (!i || !strchr("._-/:", c)))
            return false;
    }
    return size > 0;
}

/* Version 8 of RFC 9562, "custom": all zeros but for 60 bits of a digest. */
void rp_neutral_id(const uint8_t digest[static 8], char ret_id[RP_NEUTRAL_ID_SIZE])
{
    snprintf(ret_id, RP_NEUTRAL_ID_SIZE, "00000000-0000-8000-8%01x%02x-%02x%02x%02x%02x%02x%02x",
             digest[0] & 15, digest[1], digest[2], digest[3], digest[4], digest[5], digest[6],
             digest[7]);
}

bool rp_is_neutral_id(const char *text, size_t size)
{
    static const char start[] = "00000000-0000-8000-8";
    return size == RP_NEUTRAL_ID_SIZE - 1 && memcmp(text, start, sizeof start - 1) == 0;
}
