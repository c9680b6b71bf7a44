/* summary.c - a Minecraft scene or camera animation in one line. */
#include "summary.h"
#include "camera.h"
#include "mcreplay.h"

static const rp_summary_column columns[] = {
    {.name = "entities",
     .type = RP_SUMMARY_INT,
     .path = "entity_count",
     .doc = "number of entities; none for a world alone"},
    {.name = "length",
     .type = RP_SUMMARY_SECONDS,
     .path = "duration",
     .doc = "length of the recording"},
    {.name = "players",
     .type = RP_SUMMARY_LIST,
     .make = rp_summary_players,
     .doc = "names of the players among the entities"},
    {.name = "kind",
     .type = RP_SUMMARY_TEXT,
     .path = "kind",
     .extra = true,
     .doc = "scene, or world alone"},
    {.name = "version",
     .type = RP_SUMMARY_TEXT,
     .path = "version",
     .extra = true,
     .doc = "version of the exporter's format"},
};

const rp_summary mc_summary = {.columns = columns, .count = RP_COUNT(columns)};

static const rp_summary_column camera_columns[] = {
    {.name = "name", .type = RP_SUMMARY_TEXT, .path = "name", .doc = "name of the camera"},
    {.name = "frames", .type = RP_SUMMARY_INT, .path = "frames", .doc = "number of frames"},
    {.name = "length",
     .type = RP_SUMMARY_SECONDS,
     .path = "duration",
     .doc = "length of the animation"},
};

const rp_summary mc_camera_summary = {.columns = camera_columns, .count = RP_COUNT(camera_columns)};
