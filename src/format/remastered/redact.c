/*
 * redact.c - finds and removes private data.
 *
 * The game wrote its structures as they were in memory, so old memory contents follow the end of
 * texts and fill reserved bytes and unused members of events.
 */
#include "private.h"

#include "write.h"

static bool removes(uint32_t removed, uint32_t what)
{
    return (removed & what) != 0;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i])
            return false;
    }
    return true;
}

/* ---- settings ---- */

enum { SCROLL_RATE = 4, NO_PROCESS_TIME = -1, RA_LEVELS = 7, TD_LEVELS = 6 };

/* Options of a fresh installation: sound on, centred picture, no keys, no windows. */
static void neutral_options(const cnc_game *game, uint8_t *to, size_t size)
{
    memset(to, 0, size);
    for (size_t i = 0; game->td && i < TD_LEVELS; i++)
        to[i] = 0x80;
    /* Three volumes of 1, then four levels of 1/2, as 16.16. */
    for (size_t i = 0; !game->td && i < RA_LEVELS; i++)
        to[4 * i + (i < 3 ? 2 : 1)] = i < 3 ? 1 : 0x80;
}

static const uint8_t *options_of(const cnc_header *h, size_t *ret_size)
{
    *ret_size = h->game->td ? sizeof h->td.options : sizeof h->scenario.options;
    return h->game->td ? h->td.options : h->scenario.options;
}

static bool has_options(const cnc_header *h)
{
    size_t size;
    const uint8_t *options = options_of(h, &size);
    uint8_t neutral[sizeof h->scenario.options];
    neutral_options(h->game, neutral, size);
    int32_t scroll = h->game->td ? h->td.scroll_rate : h->scenario.scroll_rate;
    return (!is_zero(options, size) && memcmp(options, neutral, size) != 0) ||
           (scroll && scroll != SCROLL_RATE);
}

/* ---- what stood in memory ---- */

typedef struct text_place {
    uint8_t *bytes;
    size_t size;
} text_place;

enum { TEXTS_MAX = CNC_NODES_MAX + 1 };

static size_t list_texts(cnc_header *h, text_place *list)
{
    size_t n = 0;
    if (h->game->td) {
        list[n++] = (text_place){h->td.player_name, sizeof h->td.player_name};
        return n;
    }
    for (int32_t i = 0; i < h->session.player_nodes && i < CNC_NODES_MAX; i++)
        list[n++] = (text_place){h->nodes[i].name, sizeof h->nodes[i].name};
    list[n++] = (text_place){h->scenario.scenario_name, sizeof h->scenario.scenario_name};
    return n;
}

/* Clears bytes, and counts the places that were not empty. */
static uint64_t clear_memory(cnc_header *h)
{
    text_place texts[TEXTS_MAX];
    uint64_t found = 0;
    size_t count = list_texts(h, texts);
    for (size_t i = 0; i < count; i++) {
        size_t used = cnc_text(texts[i].bytes, texts[i].size).size;
        found += !is_zero(texts[i].bytes + used, texts[i].size - used);
        memset(texts[i].bytes + used, 0, texts[i].size - used);
    }
    uint8_t *special = h->game->td ? h->td.special : h->scenario.special;
    size_t size = h->game->td ? sizeof h->td.special : sizeof h->scenario.special;
    size_t used = h->game->special_used;
    found += !is_zero(special + used, size - used);
    memset(special + used, 0, size - used);
    return found;
}

void cnc_scrub_header(cnc_header *h, uint32_t removed)
{
    size_t size = h->game->td ? sizeof h->td.options : sizeof h->scenario.options;
    if (removes(removed, RP_PRIVATE_IDS) && has_options(h)) {
        neutral_options(h->game, h->game->td ? h->td.options : h->scenario.options, size);
        *(h->game->td ? &h->td.scroll_rate : &h->scenario.scroll_rate) = SCROLL_RATE;
    }
    if (removes(removed, RP_PRIVATE_CONTENT))
        (void)clear_memory(h);
}

/* ---- the document ---- */

static void note_gone(rp_plan *plan, const char *what, const char *from, const char *to)
{
    reprise_value *one = rp_push_object(&plan->doc, plan->substitutions);
    rp_set_text(&plan->doc, one, "what", what);
    rp_set_text(&plan->doc, one, "from", from);
    rp_set(&plan->doc, one, "to", rp_new_text(&plan->doc, to));
}

static void replace_name(rp_plan *plan, reprise_value *object, const char *key, size_t number)
{
    size_t size = 0;
    const char *name = reprise_value_text(rp_get(object, key), &size);
    reprise_value *to = size ? rp_new_format(&plan->doc, "Player %zu", number) : NULL;
    const char *text = reprise_value_text(to, NULL);
    if (!text || strcmp(name, text) == 0)
        return;
    note_gone(plan, "player name", name, text);
    rp_replace(&plan->doc, object, key, to);
}

void cnc_clean_document(rp_plan *plan)
{
    reprise_value *header = plan->header, *players = rp_get(header, "players");
    uint32_t remove = plan->edit.remove;
    if (removes(remove, RP_PRIVATE_NAMES) && rp_get(header, "player_name"))
        replace_name(plan, header, "player_name", 1);
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        reprise_value *player = players->as.list.items[i].value;
        if (removes(remove, RP_PRIVATE_NAMES))
            replace_name(plan, player, "name", i + 1);
        if (removes(remove, RP_PRIVATE_ADDRESSES))
            rp_replace(&plan->doc, player, "address",
                       rp_new_text(&plan->doc, "00000000000000000000"));
        if (removes(remove, RP_PRIVATE_IDS))
            rp_replace(&plan->doc, player, "process_time", rp_new_int(&plan->doc, NO_PROCESS_TIME));
    }
}

/* ---- rows ---- */

/* Unused bytes of an event are old memory contents, which may be anything. */
reprise_status cnc_edit_rows(rp_plan *plan, rp_batch *batch, reprise_error *error)
{
    for (size_t i = 0; i < batch->count; i++) {
        rp_row *row = &batch->rows[i];
        if (row->track != CNC_EVENT_ROWS)
            continue;
        cnc_event *copy = rp_arena_alloc(&plan->scratch, sizeof *copy, error);
        if (!copy)
            return error->status;
        *copy = *(const cnc_event *)row->data;
        copy->raw = (rp_text){0};
        if (removes(plan->edit.remove, RP_PRIVATE_CONTENT))
            copy->pointer = 0;
        row->data = copy;
    }
    return REPRISE_OK;
}

/* ---- what is private, by value ---- */

static bool is_name(rp_text name)
{
    return name.size && !rp_is_substitute(name.data, name.size, "Player");
}

reprise_status cnc_private_header(rp_replay *base, rp_private *found, reprise_error *error)
{
    const cnc_header *h = &((const cnc_replay *)base)->header;
    uint64_t names = 0, addresses = 0, times = 0;
    for (int32_t i = 0; !h->game->td && i < h->session.player_nodes; i++) {
        const cnc_ra_node *node = &h->nodes[i];
        names += is_name(cnc_text(node->name, sizeof node->name));
        addresses += !is_zero(node->address, sizeof node->address);
        times += node->process_time != NO_PROCESS_TIME;
    }
    if (h->game->td)
        names = is_name(cnc_text(h->td.player_name, sizeof h->td.player_name));
    rp_private_add(found, RP_PRIVATE_NAMES, "player names", names);
    rp_private_add(found, RP_PRIVATE_ADDRESSES, "network addresses", addresses);
    rp_private_add(found, RP_PRIVATE_IDS, "speed of computers", times);
    rp_private_add(found, RP_PRIVATE_IDS, "sound, screen and key settings", has_options(h));
    cnc_header *copy = rp_alloc(base->context, sizeof *copy, error);
    if (!copy)
        return error->status;
    *copy = *h;
    rp_private_add(found, RP_PRIVATE_CONTENT, "stray memory of the game", clear_memory(copy));
    rp_free(base->context, copy, sizeof *copy);
    rp_text scenario = h->game->td
                           ? (rp_text){0}
                           : cnc_text(h->scenario.scenario_name, sizeof h->scenario.scenario_name);
    rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "name of the scenario",
                            "content, not people, as far as a program can tell", false,
                            scenario.size > 0);
    return error->status;
}

void cnc_private_row(const rp_replay *base, const rp_row *row, rp_private *found)
{
    const cnc_game *game = ((const cnc_replay *)base)->header.game;
    const cnc_event *event = row->data;
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_writer clean;
    if (row->track != CNC_EVENT_ROWS || !event->raw.data)
        return;
    cnc_event copy = *event;
    copy.pointer = 0;
    rp_writer_init(&clean, base->context, SIZE_MAX / 2, &ignored);
    cnc_event_write(&clean, game, (uint32_t)row->index, &copy);
    rp_private_add(found, RP_PRIVATE_CONTENT, "events with stray memory",
                   rp_writer_ok(&clean) && (clean.size != event->raw.size ||
                                            memcmp(clean.data, event->raw.data, clean.size) != 0));
    rp_writer_free(&clean);
}
