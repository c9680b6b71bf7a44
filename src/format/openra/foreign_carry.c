/*
 * foreign_carry.c - everything of an OpenRA match that is not an order, as texts that accompany an
 * import: the lobby up to the start, the trailer, the frames of each client, disconnects and sums.
 * foreign_write.c makes a replay of them again.
 *
 * Passwords, account ids and addresses are left out: an Iron Curtain replay holds none, and the
 * game does not need them to play.
 */
#include "foreign_carry.h"

#include "miniyaml.h"

enum { CLIENTS_MAX = 256, LOBBY_BYTES_MAX = 16 << 20, NAME_MAX_SIZE = 64 };

typedef struct carrier {
    ora_replay *replay;
    rp_foreign *foreign;
    bool started;
    size_t lobby_count, lobby_bytes;
    struct {
        int32_t client, first, last;
    } clients[CLIENTS_MAX];
    size_t client_count;
    ora_disconnect leaving; /* of the packet whose row follows */
    size_t left_count;
    rp_writer left, sums, text;
    int32_t sum_frame;   /* the frame whose first sum was written last */
    rp_writer sum_first; /* and that sum */
    rp_arena arena;
    reprise_error *error;
} carrier;

/* Letters only: the name becomes part of a path. */
static bool is_word(const rp_text *name)
{
    for (size_t i = 0; i < name->size; i++) {
        char c = (char)(name->data[i] | 0x20);
        if (c < 'a' || c > 'z')
            return false;
    }
    return name->size && name->size <= NAME_MAX_SIZE;
}

/* Copies MiniYAML without account ids and addresses. */
static void put_discreet(rp_writer *w, const rp_text *text)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "text", &damage);
    rp_yaml_node node;
    size_t copied = 0;
    while (rp_yaml_next(&yaml, &node)) {
        if (node.value && ora_key_privacy(&node) & (RP_PRIVATE_IDS | RP_PRIVATE_ADDRESSES))
            rp_yaml_splice(w, &yaml, &node, "", 0, &copied);
    }
    rp_put(w, text->data + copied, text->size - copied);
}

/* Carried texts must be UTF-8 without NUL bytes. */
static reprise_status add_text(carrier *c, const char *path, const void *text, size_t size)
{
    rp_doc doc = {.arena = &c->arena, .error = c->error};
    const reprise_value *value = rp_new_text_n(&doc, text, size);
    const char *clean = reprise_value_text(value, &size);
    RP_TRY(c->error->status);
    return memchr(clean, 0, size) ? REPRISE_OK
                                  : rp_foreign_add_text(c->foreign, path, clean, size, c->error);
}

static reprise_status carry_lobby(carrier *c, const ora_order *order)
{
    bool yaml = ora_yaml_of(&order->order) != ORA_YAML_NONE;
    if (order->frame || c->started || !is_word(&order->order) ||
        c->lobby_bytes + order->item.size > LOBBY_BYTES_MAX)
        return REPRISE_OK;
    rp_arena_reset(&c->arena);
    rp_writer_clear(&c->text);
    if (yaml)
        put_discreet(&c->text, &order->item);
    else
        rp_put(&c->text, order->item.data, order->item.size);
    const char *path = rp_arena_format(&c->arena, c->error, ORA_CARRIED_LOBBY "%04zu.%d.%.*s.yaml",
                                       c->lobby_count++, order->client, (int)order->order.size,
                                       order->order.data);
    RP_TRY(c->error->status);
    c->lobby_bytes += order->item.size;
    c->started = ora_is(&order->order, "StartGame");
    return add_text(c, path, c->text.data, c->text.size);
}

static void note_orders(carrier *c, const ora_packet *packet)
{
    size_t i = 0;
    while (i < c->client_count && c->clients[i].client != packet->client)
        i++;
    if (packet->frame <= 0 || i == CLIENTS_MAX)
        return;
    if (i == c->client_count) {
        c->clients[i].client = packet->client;
        c->clients[i].first = packet->frame;
        c->client_count++;
    }
    c->clients[i].last = RP_MAX(c->clients[i].last, packet->frame);
}

/* Stores the first frame without orders, whichever protocol the file has. */
static void note_disconnect(carrier *c, const ora_packet *packet)
{
    if (!c->started)
        return;
    rp_put_format(&c->left, "Disconnect@%zu:\n\tClient: %d\n\tFrame: %lld\n", c->left_count++,
                  c->leaving.client, (long long)ora_disconnect_end(packet->frame, packet->length));
}

/* A client that sends the same sum as the first client of the frame needs no line. */
static void carry_sum(carrier *c, const ora_sync *sync)
{
    const ora_hash *hashes = sync->hashes.items;
    if (!sync->hashes.count)
        return;
    rp_writer_clear(&c->text);
    for (size_t i = 0; i < sync->hashes.count; i++)
        rp_put_format(&c->text, "%s%d", i ? "," : "", hashes[i].value);
    rp_put_format(&c->text, " %llx", (unsigned long long)sync->defeat);
    bool first = sync->frame != c->sum_frame;
    if (!first && c->text.size == c->sum_first.size &&
        memcmp(c->text.data, c->sum_first.data, c->text.size) == 0)
        return;
    if (first) {
        rp_put_format(&c->sums, "\t%d: ", sync->frame);
        c->sum_frame = sync->frame;
        rp_writer_clear(&c->sum_first);
        rp_put(&c->sum_first, c->text.data, c->text.size);
    } else {
        rp_put_format(&c->sums, "\t%d@%d: ", sync->frame, sync->client);
    }
    rp_put(&c->sums, c->text.data, c->text.size);
    rp_put_u8(&c->sums, '\n');
}

static reprise_status carry_row(void *ctx, const rp_row *row, reprise_error *error)
{
    carrier *c = ctx;
    if (row->track == ORA_ORDERS)
        return carry_lobby(c, row->data);
    if (row->track == ORA_SYNCS)
        carry_sum(c, row->data);
    if (row->track == ORA_DISCONNECTS)
        c->leaving = *(const ora_disconnect *)row->data;
    if (row->track == ORA_PACKETS) {
        const ora_packet *packet = row->data;
        if (packet->kind == ORA_KIND_ORDERS)
            note_orders(c, packet);
        else if (packet->kind == ORA_KIND_DISCONNECT)
            note_disconnect(c, packet);
    }
    return error->status;
}

static reprise_status add_match(carrier *c)
{
    const ora_replay *replay = c->replay;
    rp_writer *w = &c->text;
    rp_writer_clear(w);
    rp_put_format(w, "Match:\n\tDialect: %s\n\tTickMs: %u\n\tTicksPerFrame: %u\n\tLatency: %u\n",
                  replay->dialect->name, replay->tick_ms, replay->interval, replay->latency);
    rp_put_format(w, "\tFrames: %d\n", replay->frame_last);
    for (size_t i = 0; i < c->client_count; i++)
        rp_put_format(w, "Client@%d:\n\tFirst: %d\n\tLast: %d\n", c->clients[i].client,
                      c->clients[i].first, c->clients[i].last);
    rp_put(w, c->left.data, c->left.size);
    RP_TRY(c->error->status);
    RP_TRY(rp_foreign_add_text(c->foreign, ORA_CARRIED_MATCH, w->data, w->size, c->error));
    if (c->sums.size) {
        rp_writer_clear(w);
        rp_put_text(w, "Sync:\n");
        rp_put(w, c->sums.data, c->sums.size);
        RP_TRY(c->error->status);
        RP_TRY(rp_foreign_add_text(c->foreign, ORA_CARRIED_SYNC, w->data, w->size, c->error));
    }
    if (!replay->metadata.data)
        return REPRISE_OK;
    rp_writer_clear(w);
    put_discreet(w, &replay->metadata);
    RP_TRY(c->error->status);
    return add_text(c, ORA_CARRIED_TRAILER, w->data, w->size);
}

reprise_status ora_carry(ora_replay *replay, rp_foreign *foreign, reprise_error *error)
{
    carrier c = {.replay = replay, .foreign = foreign, .error = error};
    rp_writer *const writers[] = {&c.left, &c.sums, &c.text, &c.sum_first};
    for (size_t i = 0; i < RP_COUNT(writers); i++)
        rp_writer_init(writers[i], replay->base.context, UINT32_MAX, error);
    rp_arena_init(&c.arena, replay->base.context);
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_ORDERS | UINT64_C(1) << ORA_SYNCS |
                                        UINT64_C(1) << ORA_DISCONNECTS |
                                        UINT64_C(1) << ORA_PACKETS};
    reprise_status status = rp_each_row(&replay->base, selection, carry_row, &c, error);
    if (status == REPRISE_OK)
        status = add_match(&c);
    rp_arena_free(&c.arena);
    for (size_t i = 0; i < RP_COUNT(writers); i++)
        rp_writer_free(writers[i]);
    return status;
}
