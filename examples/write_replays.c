/* write_replays.c - makes a RUMBLE and a CS2KZ replay. Usage: write_replays RUMBLE CS2KZ */
#include <reprise/write.h>
#include <stdio.h>

/* 100 steps in which a column counts up. CS2KZ numbers its ticks, RUMBLE has a row per frame. */
static int record(const char *path, const char *format, const reprise_value *metadata,
                  const char *track, const char *column)
{
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.path = path;
    reprise_writer *w = NULL;
    reprise_error error;
    bool ok = reprise_writer_begin(format, metadata, &options, NULL, &w, &error) == REPRISE_OK;
    int frames = reprise_writer_track(w, "frames"), rows = reprise_writer_track(w, track);
    int x = reprise_writer_column(w, rows, column);
    int tick = reprise_writer_column(w, rows, "server_tick");
    for (int i = 0; i < 100 && ok; i++)
        ok = (frames < 0 || reprise_writer_row(w, frames, 0, i / 64.0, &error) == REPRISE_OK) &&
             reprise_writer_row(w, rows, 0, i / 64.0, &error) == REPRISE_OK &&
             (tick < 0 || reprise_writer_set_int(w, tick, i, &error) == REPRISE_OK) &&
             reprise_writer_set_double(w, x, 0.25 * (i + 1), &error) == REPRISE_OK &&
             reprise_writer_step(w, &error) == REPRISE_OK;
    if (!ok || reprise_writer_end(w, &error) != REPRISE_OK)
        fprintf(stderr, "%s: %s\n", path, error.message);
    reprise_writer_close(w);
    return error.status != REPRISE_OK;
}

int main(int argc, char **argv)
{
    reprise_document *document = NULL;
    if (argc != 3 || reprise_document_new(&document, NULL) != REPRISE_OK)
        return 2;
    reprise_value *metadata = reprise_value_new_object(document);
    reprise_value_set_int(document, metadata, "ScenePropCount", 1);
    int failed = record(argv[1], "rumble", metadata, "props", "pos_x") ||
                 record(argv[2], "cs2kz", NULL, "ticks", "pre_origin_x");
    reprise_document_free(document);
    return failed;
}
