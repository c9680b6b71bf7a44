/*
 * scene.h - show replays: glTF scenes, timelines, plots, pages.
 *
 * A scene is a replay made visible: moving geometry (glTF) and a timeline of everything else that
 * has a time axis (markers, plots, tables). Opening a scene reads the replay once; everything after
 * that only writes. Geometry and keys are kept in temporary files, so memory stays bounded. Do not
 * read from a replay while its scene is open.
 *
 *     reprise_scene_open(replay, NULL, &scene, &error);
 *     reprise_scene_write(scene, REPRISE_SCENE_GLB, &sink, &error);
 *     reprise_scene_close(scene);
 *
 * The rules of reprise.h hold here too.
 */
#ifndef REPRISE_SCENE_H
#define REPRISE_SCENE_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct reprise_scene reprise_scene;

/* Initialise with REPRISE_SCENE_INIT; bounds are inclusive. */
typedef struct reprise_scene_options {
    size_t struct_size;
    uint64_t tracks;  /* what to show, bit per track; 0 means all */
    double time_from; /* seconds of the recording; a scene that is cut starts at 0 again */
    double time_to;
    int64_t index_from; /* frame or tick */
    int64_t index_to;
    double samples_per_s; /* 0: keys at the times of the recording */
    bool exact;           /* keep every key */
    double tolerance_m;   /* largest error of interpolated positions, in metres */
    double tolerance_deg; /* largest error of interpolated rotations, in degrees */
    const char *name;     /* name of the replay; NULL: its format */
    bool keep_points;     /* keep all points of long series: see reprise_scene_series */
    const char *notice;   /* a warning to put in the timeline, such as why it is incomplete */
} reprise_scene_options;
#define REPRISE_SCENE_INIT                                                                         \
    {                                                                                              \
        sizeof(reprise_scene_options), 0, -1e300, 1e300, INT64_MIN, INT64_MAX, 0.0, false, 0.0001, \
            0.01, NULL, false, NULL                                                                \
    }

/*
 * A damaged replay is shown up to the damage: see reprise_scene_damage. A format with nothing to
 * show is REPRISE_E_UNSUPPORTED.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_scene_open(reprise_replay *replay,
                                                               const reprise_scene_options *options,
                                                               reprise_scene **ret_scene,
                                                               reprise_error *error);
REPRISE_API void reprise_scene_close(reprise_scene *scene);

/* Counts: nodes, keys before and after reduction, duration. Schema: docs/json/export.schema.json.
 */
REPRISE_API const reprise_value *reprise_scene_about(const reprise_scene *scene);
/* Why the scene ends before the recording does, or NULL. */
REPRISE_API const reprise_error *reprise_scene_damage(const reprise_scene *scene);
/* The timeline as a document. Schema: docs/json/timeline.schema.json. */
REPRISE_API const reprise_value *reprise_scene_timeline(const reprise_scene *scene);

typedef enum reprise_scene_form {
    REPRISE_SCENE_GLB,      /* glTF 2.0, binary, static bytes first */
    REPRISE_SCENE_GLTF,     /* the same as JSON text with the bytes embedded */
    REPRISE_SCENE_TIMELINE, /* the timeline as JSON */
} reprise_scene_form;
REPRISE_MUST_USE REPRISE_API reprise_status reprise_scene_write(reprise_scene *scene,
                                                                reprise_scene_form form,
                                                                const reprise_sink *sink,
                                                                reprise_error *error);

/*
 * The timeline reduces a very long series to the extremes of a few thousand intervals. In a scene
 * opened with keep_points such a series has a member "full": "plots/PLOT/SERIES", and this writes
 * all its points as JSON: name, player, t and v, as in the timeline. REPRISE_E_USAGE: there is no
 * such series, or it was not reduced.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_scene_series(reprise_scene *scene,
                                                                 const char *plot, size_t series,
                                                                 const reprise_sink *sink,
                                                                 reprise_error *error);

typedef enum reprise_theme {
    REPRISE_THEME_AUTO, /* follows the reader's screen */
    REPRISE_THEME_LIGHT,
    REPRISE_THEME_DARK,
} reprise_theme;
/* Initialise with REPRISE_PLOT_INIT. */
typedef struct reprise_plot_options {
    size_t struct_size;
    const char *const *plots; /* ids, as in the timeline */
    size_t plot_count;
    uint64_t players;   /* bit per player; 0 means all */
    uint32_t width_px;  /* of the picture */
    uint32_t height_px; /* of one plot */
    reprise_theme theme;
    bool side; /* draw a path from the side: height over distance travelled */
} reprise_plot_options;
#define REPRISE_PLOT_INIT                                                             \
    {                                                                                 \
        sizeof(reprise_plot_options), NULL, 0, 0, 960, 320, REPRISE_THEME_AUTO, false \
    }
/*
 * Draws plots as one SVG picture, one below the other on a common time axis. A plot that the replay
 * does not have is REPRISE_E_USAGE; *ret_empty is set if a plot has no values.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_scene_plot(reprise_scene *scene,
                                                               const reprise_plot_options *options,
                                                               const reprise_sink *sink,
                                                               bool *ret_empty,
                                                               reprise_error *error);

/*
 * Compares two runs of the same course by place: where the second run gained or lost time. Adds the
 * plot "gap" to the scene `a`, which also owns the document; its members are described in
 * docs/json/page.schema.json. REPRISE_E_USAGE: the runs are of different maps, courses or modes;
 * REPRISE_E_UNSUPPORTED: one of them is not a complete run.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_scene_compare(reprise_scene *a, const reprise_scene *b,
                      const reprise_value **ret_comparison, reprise_error *error);

/* What a map of OpenRA says about itself; texts are cut to fit. */
typedef struct reprise_map_about {
    char uid[48]; /* by which replays name the map */
    char title[160];
    char mod[48];
    uint32_t width, height; /* in cells */
    uint32_t spawn_points;
    bool has_picture; /* of its own; otherwise the ground is coloured by kinds of tiles */
} reprise_map_about;
/*
 * Reads a map of OpenRA (.oramap) from memory and writes its ground as a GLB, one cell per metre,
 * as scenery for scenes of its matches. A NULL sink only describes the map. REPRISE_E_UNSUPPORTED:
 * the bytes are an archive, but not of a map.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_map_scenery(const void *data, size_t size,
                                                                const reprise_sink *sink,
                                                                reprise_map_about *ret_about,
                                                                reprise_error *error);

/* The description of a page with one or more scenes: docs/json/page.schema.json. */
typedef struct reprise_page_replay {
    const char *label;
    double offset;        /* seconds by which it is shifted against the others */
    bool has_scene;       /* there is a scene.glb next to its timeline.json */
    reprise_scene *scene; /* the first is compared with each other one; NULL: not compared */
} reprise_page_replay;
/*
 * Files are named by position: 0/timeline.json, 0/scene.glb, 1/timeline.json ... `scenery` is the
 * name of a GLB file that is shown around all replays, or NULL.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_page_write(const reprise_page_replay *replays,
                                                               size_t count, const char *scenery,
                                                               const reprise_sink *sink,
                                                               reprise_error *error);

#ifdef __cplusplus
}
#endif
#endif
