/* voices.c - see voices.h. */
#include "voices.h"

#include <stdlib.h>
#include <string.h>

/* All voices together; hours of speech. */
enum { VOICES_BYTES_MAX = 64 << 20 };

static void read_part(reprise_replay *replay, const char *part, size_t room, cli_strbuf *to)
{
    for (size_t i = 0; part && i < reprise_blob_count(replay); i++) {
        const reprise_blob *blob = reprise_blob_at(replay, i);
        if (strcmp(blob->name, part) != 0 || blob->size > room)
            continue;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_sink sink = cli_strbuf_sink(to);
        if (reprise_blob_read(replay, i, &sink, &error) != REPRISE_OK)
            cli_strbuf_clear(to); /* show the match without it */
        return;
    }
}

void cli_voices_read(reprise_replay *replay, const reprise_scene *scene, cli_voices *ret_voices)
{
    const reprise_value *list = reprise_value_get(reprise_scene_timeline(scene), "voices");
    cli_voices voices = {.count = reprise_value_count(list)};
    size_t size = 0;
    if (voices.count) {
        voices.items = cli_memory(NULL, voices.count * sizeof *voices.items);
        memset(voices.items, 0, voices.count * sizeof *voices.items);
    }
    for (size_t i = 0; i < voices.count; i++) {
        const reprise_value *part = reprise_value_get(reprise_value_at(list, i), "part");
        read_part(replay, reprise_value_text(part, NULL), VOICES_BYTES_MAX - size,
                  &voices.items[i]);
        size += voices.items[i].size;
    }
    *ret_voices = voices;
}

void cli_voices_free(cli_voices *voices)
{
    for (size_t i = 0; i < voices->count; i++)
        cli_strbuf_free(&voices->items[i]);
    free(voices->items);
    *voices = (cli_voices){0};
}
