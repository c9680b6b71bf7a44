/* consumer.c - reads a track as an Arrow stream. Usage: consumer FILE TRACK */
#include <inttypes.h>
#include <reprise/arrow.h>
#include <stdio.h>

/* All that a consumer needs is in the schema and the array; it does not know about replays. */
static void consume(const struct ArrowSchema *type, const struct ArrowArray *values, int depth)
{
    printf("%*s%s %s: %" PRId64 " values, %" PRId64 " null%s\n", 2 * depth, "", type->name,
           type->format, values->length, values->null_count,
           type->dictionary ? ", with names" : "");
    for (int64_t i = 0; i < type->n_children; i++)
        consume(type->children[i], values->children[i], depth + 1);
}

int main(int argc, char **argv)
{
    reprise_replay *replay = NULL;
    struct ArrowArrayStream stream = {0};
    struct ArrowSchema schema = {0};
    struct ArrowArray batch = {0};
    if (argc != 3 || reprise_open_file(argv[1], NULL, &replay, NULL) != REPRISE_OK)
        return 1;
    size_t track = (size_t)reprise_track_find(replay, argv[2]);
    int failed = reprise_arrow_stream(replay, track, NULL, &stream, NULL) != REPRISE_OK;
    reprise_close(replay); /* the stream keeps it open */
    if (failed || (failed = stream.get_schema(&stream, &schema)) != 0)
        goto end;
    while ((failed = stream.get_next(&stream, &batch)) == 0 && batch.release) {
        consume(&schema, &batch, 0);
        batch.release(&batch);
    }
    schema.release(&schema);
end:
    if (stream.release)
        stream.release(&stream);
    return failed != 0;
}
