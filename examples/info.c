/*
 * info.c - says what a replay is and which tables it holds.
 *
 *     cc info.c $(pkg-config --cflags --libs reprise) -o info
 *     ./info match.replay
 */
#include <stdio.h>

#include <reprise/reprise.h>

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: info FILE\n");
        return 2;
    }
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_open_file(argv[1], NULL, &replay, &error) != REPRISE_OK) {
        char text[REPRISE_ERROR_TEXT_MAX];
        fprintf(stderr, "info: %s\n", reprise_error_text(&error, argv[1], text, sizeof text));
        return 1;
    }
    printf("%s, layout %s\n", reprise_format(replay), reprise_layout(replay));
    for (size_t track = 0; track < reprise_track_count(replay); track++)
        printf("  %-12s %3zu columns  %s\n", reprise_track_name(replay, track),
               reprise_column_count(replay, track), reprise_track_doc(replay, track));
    reprise_close(replay);
    return 0;
}
