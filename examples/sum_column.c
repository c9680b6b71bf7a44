/* sum_column.c - sums a column over many files. Usage: sum_column TRACK COLUMN FILE... */
#include <reprise/reprise.h>
#include <stdio.h>

/* Null values count as 0. */
static double sum_of(const reprise_array *column)
{
    double sum = 0;
    for (size_t i = 0; i < column->length; i++)
        sum += reprise_array_double(column, i);
    return sum;
}

int main(int argc, char **argv)
{
    double sum = 0;
    unsigned long long rows = 0;
    for (int i = 3; i < argc; i++) {
        reprise_replay *replay = NULL;
        reprise_batches *batches = NULL;
        const reprise_batch *batch = NULL;
        reprise_batch_options options = REPRISE_BATCH_INIT;
        options.columns = (const char *const *)&argv[2];
        options.column_count = 1;
        if (reprise_open_file(argv[i], NULL, &replay, NULL) != REPRISE_OK)
            continue;
        size_t track = (size_t)reprise_track_find(replay, argv[1]);
        if (reprise_batches_open(replay, track, &options, &batches, NULL) == REPRISE_OK)
            while (reprise_batches_next(batches, &batch, NULL) == REPRISE_OK) {
                sum += sum_of(batch->columns[0]);
                rows += batch->row_count;
            }
        reprise_batches_close(batches);
        reprise_close(replay);
    }
    printf("%llu rows, sum %.2f\n", rows, sum);
    return rows == 0;
}
