/*
 * read_dialect.c - finds out in which of the eight dialects orders are stored.
 *
 * A file declares its protocol, or at least a version that contains a date. Forks use numbers of
 * their own, so the declared dialect is tried on the packets. If it fails, the dialect with the
 * fewest failing packets is used.
 */
#include "miniyaml.h"
#include "openra.h"

/* Field bits accumulate: each dialect has those of the one before it. */
#define EARLY   .flags_size = 1, .subject_always = true, .any_handshake = true
#define PACKED  .subcell_size = 1, .cell = ORA_CELL_PACKED, .typed_target = true
#define GROUPED PACKED, .known = 0x1FF, .flags_size = 2, .defeat = true

const ora_dialect ora_dialects[ORA_DIALECT_COUNT] = {
    {.name = "a", .release = 20171111, EARLY, .known = 0x3F, .cell = ORA_CELL_XY},
    {.name = "b",
     .release = 20181220,
     EARLY,
     .known = 0x7D,
     .subcell_size = 4,
     .cell = ORA_CELL_XY_LAYER,
     .typed_target = true},
    {.name = "c", .release = 20190801, EARLY, .known = 0x7D, PACKED},
    {.name = "p8", .protocol = 8, .release = 20200301, .known = 0xFD, .flags_size = 1, PACKED},
    {.name = "p9", .protocol = 9, .release = 20201101, .known = 0xFF, .flags_size = 1, PACKED},
    {.name = "p11", .protocol = 11, .release = 20221001, GROUPED},
    {.name = "p20", .protocol = 20, .release = 20240101, GROUPED, .generation = true},
    {.name = "p21",
     .protocol = 21,
     .release = INT32_MAX,
     GROUPED,
     .generation = true,
     .terrain = true},
};

enum {
    PROTOCOL_NEWEST = 21,
    HANDSHAKE_PACKETS = 64,     /* searched for handshakes */
    PREFIX_BYTES = 256 << 10,   /* on which opening tries the dialect */
    FAILURES_COUNTED = 1 << 16, /* with more failures, no dialect is better than another */
};

const ora_dialect *ora_dialect_find(const char *name)
{
    for (size_t i = 0; i < ORA_DIALECT_COUNT; i++) {
        if (strcmp(ora_dialects[i].name, name) == 0)
            return &ora_dialects[i];
    }
    return NULL;
}

/* ---- what the file declares ---- */

static const ora_dialect *by_protocol(int64_t protocol)
{
    const ora_dialect *found = NULL;
    for (size_t i = 0; i < ORA_DIALECT_COUNT; i++) {
        if (ora_dialects[i].protocol && ora_dialects[i].protocol <= protocol)
            found = &ora_dialects[i];
    }
    return found;
}

/* The first eight digits of a version as a date: "release-20200202". */
static const ora_dialect *by_version(const char *version)
{
    int date = 0, digits = 0;
    for (const char *p = version; p && *p && digits < 8; p++) {
        if (*p >= '0' && *p <= '9') {
            date = date * 10 + (*p - '0');
            digits++;
        }
    }
    if (digits < 8)
        return NULL;
    for (size_t i = 0; i < ORA_DIALECT_COUNT; i++) {
        if (date < ora_dialects[i].release)
            return &ora_dialects[i];
    }
    return NULL;
}

static const char *keep_value(ora_replay *replay, const rp_yaml_node *node, reprise_error *error)
{
    size_t size;
    const char *text = rp_yaml_text(&replay->base.arena, node, &size, error);
    return text ? rp_arena_text(&replay->base.arena, text, size, error) : NULL;
}

/* Keeps everything before damage in the text. */
static void read_handshake(ora_replay *replay, const rp_text *text, reprise_error *error)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_yaml yaml = rp_yaml_of(text->data, text->size, "handshake", &damage);
    rp_yaml_node node;
    while (rp_yaml_next(&yaml, &node)) {
        if (node.depth != 1 || !node.value)
            continue;
        if (rp_yaml_is(&node, "OrdersProtocol"))
            replay->protocol = rp_yaml_int(&node, replay->protocol);
        else if (rp_yaml_is(&node, "Version") && !replay->version)
            replay->version = keep_value(replay, &node, error);
        else if (rp_yaml_is(&node, "Mod") && !replay->mod)
            replay->mod = keep_value(replay, &node, error);
        else if (rp_yaml_is(&node, "Password"))
            replay->passwords++;
    }
}

static reprise_status find_handshakes(ora_replay *replay, reprise_error *error)
{
    ora_cursor cursor;
    reprise_status status = ora_cursor_open(&cursor, replay, error);
    ora_wire packet;
    for (unsigned i = 0; status == REPRISE_OK && i < HANDSHAKE_PACKETS; i++) {
        status = ora_cursor_next(&cursor, &packet, error);
        if (status != REPRISE_OK || rp_peek(&packet.payload) != ORA_HANDSHAKE)
            continue;
        reprise_error ignored = REPRISE_ERROR_INIT;
        ora_order order = {0};
        uint64_t present = 0;
        packet.payload.error = &ignored;
        ora_order_read(&packet.payload, &ora_dialects[0], NULL, &order, &present);
        if (rp_ok(&packet.payload) && ora_yaml_of(&order.order) == ORA_YAML_HANDSHAKE)
            read_handshake(replay, &order.item, error);
    }
    ora_cursor_free(&cursor);
    return status == REPRISE_END ? error->status : status;
}

/* ---- trying it out ---- */

/* `failure` is clear before and after the call. */
static bool packet_fails(ora_wire *packet, const ora_dialect *dialect, reprise_error *failure)
{
    packet->payload.error = failure;
    while (rp_left(&packet->payload)) {
        ora_order order;
        uint64_t present = 0;
        ora_order_read(&packet->payload, dialect, NULL, &order, &present);
        if (failure->status != REPRISE_OK) {
            rp_error_clear(failure);
            return true;
        }
    }
    return false;
}

/* Counts failing packets in the first `bytes` of the stream; stops above `most`. */
static reprise_status count_failures(const ora_replay *replay, const ora_dialect *dialect,
                                     uint64_t bytes, uint32_t most, uint32_t *ret_failures,
                                     reprise_error *error)
{
    ora_cursor cursor;
    reprise_status status = ora_cursor_open(&cursor, replay, error);
    reprise_error failure = REPRISE_ERROR_INIT;
    uint32_t failures = 0;
    ora_wire packet;
    while (status == REPRISE_OK && failures <= most && cursor.window.offset < bytes) {
        status = ora_cursor_next(&cursor, &packet, error);
        if (status != REPRISE_OK)
            break;
        int first = rp_peek(&packet.payload);
        if (first == ORA_HANDSHAKE || first == ORA_FIELDS)
            failures += packet_fails(&packet, dialect, &failure);
    }
    ora_cursor_free(&cursor);
    if (status != REPRISE_OK && status != REPRISE_END)
        return status;
    *ret_failures = failures;
    return REPRISE_OK;
}

static void take(ora_replay *replay, const ora_dialect *dialect, const char *by, bool settled)
{
    replay->dialect = dialect;
    replay->dialect_by = by;
    replay->settled = settled;
}

/* The fewest failures win; of equal ones, the newest dialect. */
static reprise_status try_all(ora_replay *replay, reprise_error *error)
{
    uint32_t least = FAILURES_COUNTED;
    const ora_dialect *best = &ora_dialects[ORA_DIALECT_COUNT - 1];
    for (size_t i = ORA_DIALECT_COUNT; i-- > 0;) {
        uint32_t failures;
        RP_TRY(count_failures(replay, &ora_dialects[i], UINT64_MAX, least, &failures, error));
        if (failures >= least)
            continue;
        least = failures;
        best = &ora_dialects[i];
    }
    take(replay, best, "trial", true);
    return REPRISE_OK;
}

reprise_status ora_choose_dialect(ora_replay *replay, reprise_error *error)
{
    RP_TRY(find_handshakes(replay, error));
    const char *layout = replay->base.forced_layout;
    if (layout && ora_dialect_find(layout)) {
        take(replay, ora_dialect_find(layout), "forced", true);
        return REPRISE_OK;
    }
    take(replay, by_protocol(replay->protocol), "declared", false);
    if (replay->protocol > PROTOCOL_NEWEST)
        rp_note(&replay->base.findings, ORA_FINDING(PROTOCOL_NEWER), "file", 0, "OrdersProtocol",
                "protocol %lld is newer than %d and is read as protocol %d",
                (long long)replay->protocol, PROTOCOL_NEWEST, PROTOCOL_NEWEST);
    if (!replay->dialect)
        take(replay, by_version(replay->version), "version", false);
    if (!replay->dialect)
        return try_all(replay, error);
    uint32_t failures;
    RP_TRY(count_failures(replay, replay->dialect, PREFIX_BYTES, 0, &failures, error));
    if (failures)
        return try_all(replay, error);
    replay->settled = replay->stream_size <= PREFIX_BYTES;
    return REPRISE_OK;
}

reprise_status ora_settle_dialect(ora_replay *replay, reprise_error *error)
{
    if (replay->settled)
        return REPRISE_OK;
    uint32_t failures;
    RP_TRY(count_failures(replay, replay->dialect, UINT64_MAX, 0, &failures, error));
    replay->settled = true;
    if (failures)
        RP_TRY(try_all(replay, error));
    ora_set_layout(replay);
    return REPRISE_OK;
}
