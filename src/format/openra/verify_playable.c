/*
 * verify_playable.c - checks whether the game can play a file, by the rules of docs/spec/openra.md.
 *
 * It is not enough that orders decode: the game needs a trailer in its own form, a lobby before the
 * match, and one packet of every client for every frame until that client leaves.
 */
#include "openra.h"

enum { CLIENTS_MAX = 256, SLACK_FRAMES = 64, TEXTS_MAX = 16, MAP_DIGITS = 40 };

/* A client of the lobby, and its order packets. */
typedef struct sender {
    int32_t client;
    bool in_lobby;
    /* Frames; 0: none. 64 bits, because the frame after INT32_MAX is computed. */
    int64_t first, last;
    int64_t wrong; /* the first frame that is missing, repeated or out of order */
    bool left, left_now;
    int64_t end; /* the first frame without orders, according to the disconnect */
} sender;

typedef struct checker {
    const ora_replay *replay;
    sender senders[CLIENTS_MAX];
    size_t count;
    bool started;
    int64_t frame_last;
    ora_disconnect leaving; /* of the packet whose row follows */
    rp_doc *doc;
    reprise_value *broken;
} checker;

#define BROKEN(c, ...)                                                            \
    do {                                                                          \
        if (reprise_value_count((c)->broken) < TEXTS_MAX)                         \
            rp_push((c)->doc, (c)->broken, rp_new_format((c)->doc, __VA_ARGS__)); \
    } while (0)

/* ---- rule P1: the trailer ---- */

static bool is_number(const char *text)
{
    text += *text == '-';
    return *text && !text[strspn(text, "0123456789")];
}

static bool is_bool(const char *text)
{
    return strcmp(text, "True") == 0 || strcmp(text, "False") == 0;
}

static bool is_outcome(const char *text)
{
    return strcmp(text, "Undefined") == 0 || strcmp(text, "Won") == 0 || strcmp(text, "Lost") == 0;
}

/* yyyy-MM-dd HH-mm-ss */
static bool is_time(const char *text)
{
    static const char form[] = "0000-00-00 00-00-00";
    if (strlen(text) != sizeof form - 1)
        return false;
    for (size_t i = 0; form[i]; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == '0' ? !digit : text[i] != form[i])
            return false;
    }
    return true;
}

typedef struct key_rule {
    const char *key;
    bool (*valid)(const char *text);
} key_rule;

/* A value must have the form of its key. A missing one counts as its default. */
static void check_keys(checker *c, const char *node_name, const reprise_value *node,
                       const key_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = rp_get_text(node, rules[i].key);
        if (text && *text && !rules[i].valid(text))
            BROKEN(c, "rule P1: %s of %s in the trailer is '%.40s'", rules[i].key, node_name, text);
    }
}

static void need_text(checker *c, const char *node_name, const reprise_value *node, const char *key)
{
    const char *text = rp_get_text(node, key);
    if (!text || !*text)
        BROKEN(c, "rule P1: the trailer has no %s in %s", key, node_name);
}

static void check_player(checker *c, const char *name, const reprise_value *player)
{
    static const key_rule rules[] = {
        {"ClientIndex", is_number},
        {"Team", is_number},
        {"SpawnPoint", is_number},
        {"Handicap", is_number},
        {"DisconnectFrame", is_number},
        {"IsHuman", is_bool},
        {"IsBot", is_bool},
        {"IsRandomFaction", is_bool},
        {"IsRandomSpawnPoint", is_bool},
        {"Outcome", is_outcome},
        {"OutcomeTimestampUtc", is_time},
    };
    const char *colour = rp_get_text(player, "Color");
    uint32_t rgb;
    need_text(c, name, player, "ClientIndex");
    need_text(c, name, player, "Name");
    check_keys(c, name, player, rules, RP_COUNT(rules));
    if (!colour || ora_colour_read(colour, &rgb) != ora_colour_form(c->replay->dialect))
        BROKEN(c, "rule P1: the colour '%.20s' of %s does not have the form of layout %s",
               colour ? colour : "", name, c->replay->dialect->name);
}

static bool is_map(const char *text)
{
    return strlen(text) == MAP_DIGITS && strspn(text, "0123456789abcdefABCDEF") == MAP_DIGITS;
}

static void check_trailer(checker *c)
{
    static const key_rule rules[] = {{"MapUid", is_map},
                                     {"FinalGameTick", is_number},
                                     {"StartTimeUtc", is_time},
                                     {"EndTimeUtc", is_time}};
    const reprise_value *header = c->replay->header, *root = rp_get(header, "Root");
    size_t players = 0;
    if (!root) {
        BROKEN(c, "rule P1: the trailer is missing");
        return;
    }
    need_text(c, "Root", root, "MapUid");
    if (c->replay->dialect != &ora_dialects[0]) { /* the oldest releases did not write these */
        need_text(c, "Root", root, "Mod");
        need_text(c, "Root", root, "Version");
    }
    check_keys(c, "Root", root, rules, RP_COUNT(rules));
    for (size_t i = 0; i < reprise_value_count(header); i++) {
        const char *name = reprise_value_key(header, i);
        if (strncmp(name, "Player@", strlen("Player@")) != 0)
            continue;
        players++;
        check_player(c, name, reprise_value_at(header, i));
    }
    if (!players)
        BROKEN(c, "rule P1: the trailer names no players");
}

/* ---- rules P3 and P4: the frames of each client ---- */

static sender *sender_of(checker *c, int32_t client)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->senders[i].client == client)
            return &c->senders[i];
    }
    if (c->count == CLIENTS_MAX)
        return NULL;
    c->senders[c->count] = (sender){.client = client};
    return &c->senders[c->count++];
}

/* Bots send orders through the client of a player. */
static void add_lobby(checker *c)
{
    const reprise_value *lobby = c->replay->lobby;
    for (size_t i = 0; i < reprise_value_count(lobby); i++) {
        const reprise_value *client = reprise_value_at(lobby, i);
        const char *index = rp_get_text(client, "Index"), *bot = rp_get_text(client, "Bot");
        const char *state = rp_get_text(client, "State");
        bool named = strncmp(reprise_value_key(lobby, i), "Client@", strlen("Client@")) == 0;
        if (!named || !index || !is_number(index) || strlen(index) > 9 || (bot && *bot) ||
            (state && strcmp(state, "Disconnected") == 0))
            continue;
        int32_t number = 0;
        for (const char *p = index; *p; p++)
            number = *p == '-' ? 0 : number * 10 + (*p - '0');
        sender *s = sender_of(c, number);
        if (s)
            s->in_lobby = true;
    }
}

static void note_disconnect(checker *c, const ora_packet *packet)
{
    const ora_disconnect *row = &c->leaving;
    sender *s = c->started ? sender_of(c, row->client) : NULL;
    if (!s)
        return;
    s->left = true;
    s->left_now = row->frame == ORA_FRAME_NOW;
    s->end = ora_disconnect_end(row->frame, packet->length);
}

static void note_packet(checker *c, const ora_packet *packet)
{
    if (packet->kind == ORA_KIND_DISCONNECT)
        note_disconnect(c, packet);
    if (packet->kind != ORA_KIND_ORDERS || packet->frame <= 0)
        return;
    c->frame_last = RP_MAX(c->frame_last, (int64_t)packet->frame);
    sender *s = sender_of(c, packet->client);
    if (!s)
        return;
    if (!s->first)
        s->first = packet->frame;
    else if (packet->frame != s->last + 1 && !s->wrong)
        s->wrong = packet->frame;
    s->last = RP_MAX(s->last, (int64_t)packet->frame);
}

static reprise_status note_row(void *ctx, const rp_row *row, reprise_error *error)
{
    (void)error;
    checker *c = ctx;
    if (row->track == ORA_PACKETS)
        note_packet(c, row->data);
    else if (row->track == ORA_DISCONNECTS)
        c->leaving = *(const ora_disconnect *)row->data;
    else if (ora_is(&((const ora_order *)row->data)->order, "StartGame"))
        c->started = true;
    return REPRISE_OK;
}

static void check_frames(checker *c, const sender *s)
{
    if (s->wrong)
        BROKEN(c, "rule P3: client %d does not send one order packet per frame (frame %lld)",
               s->client, (long long)s->wrong);
    if (s->in_lobby && !s->first && !s->left)
        BROKEN(c, "rule P3: client %d of the lobby sends no orders, and the game waits for them",
               s->client);
    if (s->first > 1)
        BROKEN(c, "rule P3: the orders of client %d begin with frame %lld", s->client,
               (long long)s->first);
    if (!s->left && s->first && s->last + SLACK_FRAMES < c->frame_last)
        BROKEN(c, "rule P3: client %d sends nothing after frame %lld of %lld but does not leave",
               s->client, (long long)s->last, (long long)c->frame_last);
    if (s->left && !s->left_now && s->last >= s->end)
        BROKEN(c, "rule P4: client %d sends orders for frame %lld, but has left by frame %lld",
               s->client, (long long)s->last, (long long)s->end);
    if (s->left && !s->left_now && s->last + 1 < s->end)
        BROKEN(c, "rule P3: client %d sends nothing after frame %lld, but leaves by frame %lld",
               s->client, (long long)s->last, (long long)s->end);
}

reprise_status ora_playable(rp_replay *base, rp_doc *doc, reprise_value *broken,
                            reprise_error *error)
{
    ora_replay *replay = (ora_replay *)base;
    RP_TRY(ora_settle_dialect(replay, error));
    checker *c = rp_alloc_zero(base->context, 1, sizeof *c, error);
    if (!c)
        return error->status;
    *c = (checker){.replay = replay, .doc = doc, .broken = broken};
    check_trailer(c);
    if (replay->start_packet < 0)
        BROKEN(c, "rule P2: the match never starts: there is no StartGame");
    else if (replay->lobby_packet < 0)
        BROKEN(c, "rule P2: no SyncInfo precedes StartGame");
    add_lobby(c);
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_ORDERS | UINT64_C(1) << ORA_DISCONNECTS |
                                        UINT64_C(1) << ORA_PACKETS};
    reprise_status status = rp_each_row(base, selection, note_row, c, error);
    for (size_t i = 0; i < c->count && status == REPRISE_OK; i++)
        check_frames(c, &c->senders[i]);
    rp_free(base->context, c, sizeof *c);
    return status == REPRISE_OK ? doc->error->status : status;
}
