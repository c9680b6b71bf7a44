/* consumer.c - hands the columns of a track to other code. Usage: consumer FILE TRACK */
#include <reprise/reprise.h>
#include <stdio.h>

/* Stands for any consumer of Arrow memory: these are exactly the buffers of an ArrowArray. */
static void consume(const reprise_array *a, int depth)
{
    static const char *const formats[] = {"b", "c", "s", "i", "l", "C",  "S",  "I",  "L",
                                          "f", "g", "u", "z", "w", "+l", "+w", "+s", "+ud"};
    printf("%*s%s %s: %zu values, %zu null%s\n", 2 * depth, "", a->name, formats[a->type],
           a->length, a->null_count, a->name_count ? ", with names" : "");
    for (size_t i = 0; i < a->child_count; i++)
        consume(a->children[i], depth + 1);
}

int main(int argc, char **argv)
{
    reprise_replay *replay = NULL;
    reprise_batches *batches = NULL;
    const reprise_batch *batch = NULL;
    reprise_error error;
    reprise_status status = REPRISE_E_USAGE;
    if (argc == 3)
        status = reprise_open_file(argv[1], NULL, &replay, &error);
    if (status == REPRISE_OK)
        status = reprise_batches_open(replay, (size_t)reprise_track_find(replay, argv[2]), NULL,
                                      &batches, &error);
    while (status == REPRISE_OK &&
           (status = reprise_batches_next(batches, &batch, &error)) == REPRISE_OK)
        for (size_t i = 0; i < batch->column_count; i++)
            consume(batch->columns[i], 0);
    reprise_batches_close(batches);
    reprise_close(replay);
    if (status != REPRISE_END)
        fprintf(stderr, "consumer: %s\n", reprise_status_name(status));
    return status != REPRISE_END;
}
