/* units.c - see units.h. */
#include "units.h"

#include <stdbool.h>
#include <string.h>

#include "strbuf.h"

/* A key that begins with * is the end of names. The first that fits counts. */
typedef struct unit {
    const char *format, *key, *unit;
} unit;

/* Positions of Counter-Strike are in its own units, 1/16 of a foot, which players write as u. */
static const unit units[] = {
    {"rumble", "arm_span", "m"},
    {"rumble", "length", "m"},
    {"rumble", "*distance", "m"},
    {"rumble", "speed_max", "m/s"},
    {"rumble", "speed_mean", "m/s"},
    {"rumble", "time_active", "s"},
    {"rumble", "*pos", "m"},
    {"cs2kz", "*origin", "u"},
    {"cs2kz", "*velocity", "u/s"},
    {"cs2kz", "bad_angles", NULL}, /* seconds, or a part of the time */
    {"cs2kz", "*angles", "deg"},
    {"cs2kz", "*_duck_speed", NULL}, /* a rate without a unit */
    {"cs2kz", "*speed", "u/s"},
    {"cs2kz", "*distance", "u"},
    {"cs2kz", "max_height", "u"},
    {"cs2kz", "*edge", "u"},
    {"cs2kz", "*gain", "u/s"},
    {"cs2kz", "air_loss", "u/s"},
    {"cs2kz", "loss", "u/s"},
    {"cs2kz", "width", "deg"},
    {"cs2kz", "airtime", "s"},
    {"cs2kz", "sync_duration", "s"},
    {"cs2kz", "section", "s"},
    {"cs2kz", "latency", "s"},
    {"cs2kz", "framerate", "1/s"},
    {"mcreplay", "pos", "m"},
    {"mccamera", "pos", "m"},
    {"mccamera", "distance", "m"},
    {"mccamera", "top_speed", "m/s"},
    {"mccamera", "*fov", "deg"},
    {"mccamera", "pitch", "rad"},
    {"mccamera", "yaw", "rad"},
    {"mccamera", "roll", "rad"},
    {"icrep", "pos", "1/1024 cells"},
    {"icsave", "pos", "1/1024 cells"},
    {"openra", "*pos", "1/1024 cells"},
};

static bool is_called(const char *key, const char *pattern)
{
    if (pattern[0] != '*')
        return strcmp(key, pattern) == 0;
    size_t size = strlen(key), end = strlen(pattern + 1);
    return size >= end && strcmp(key + size - end, pattern + 1) == 0;
}

const char *cli_unit_of(const char *format, const char *key)
{
    for (size_t i = 0; i < CLI_COUNT(units); i++) {
        if (strcmp(units[i].format, format) == 0 && is_called(key, units[i].key))
            return units[i].unit;
    }
    return NULL;
}
