/*
 * record_rumble.c - makes a new RUMBLE replay: one player walking in a circle for two seconds.
 *
 * usage: record_rumble FILE
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <reprise/reprise.h>

static const char metadata[] = "{\"Title\": \"A walk\", \"Scene\": \"Gym\", \"TargetFPS\": 50,"
                               " \"Players\": [{\"ActorId\": 1, \"MasterId\": \"0000000000000001\","
                               " \"Name\": \"Walker\", \"WasHost\": true}], \"Structures\": []}";

static void check(reprise_status status, const reprise_error *error)
{
    if (status == REPRISE_OK)
        return;
    char text[REPRISE_ERROR_TEXT_MAX];
    fprintf(stderr, "%s\n", reprise_error_text(error, "record", text, sizeof text));
    exit(1);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.path = argv[1];
    reprise_writer *writer = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    check(reprise_writer_begin("rumble", metadata, &options, NULL, &writer, &error), &error);
    int frames = reprise_writer_track(writer, "frames");
    int players = reprise_writer_track(writer, "players");
    int x = reprise_writer_column(writer, players, "rig_pos_x");
    int z = reprise_writer_column(writer, players, "rig_pos_z");
    int active = reprise_writer_column(writer, players, "active");
    for (int i = 0; i < 100; i++) {
        double time = i / 50.0, angle = time * 3.14159265;
        check(reprise_writer_row(writer, frames, 0, time, &error), &error);
        check(reprise_writer_row(writer, players, 0, time, &error), &error);
        check(reprise_writer_set_double(writer, x, 2 * cos(angle), &error), &error);
        check(reprise_writer_set_double(writer, z, 2 * sin(angle), &error), &error);
        check(reprise_writer_set_int(writer, active, 1, &error), &error);
        check(reprise_writer_step(writer, &error), &error);
    }
    check(reprise_writer_end(writer, &error), &error);
    reprise_writer_close(writer);
    printf("%s: 100 frames\n", argv[1]);
    return 0;
}
