/*
 * timeline.h - everything about a match that has a time axis and is not geometry: players,
 * chapters, markers, bands, plots, tables, heat maps. It becomes one document (timeline.json), from
 * which the viewer and the plots are drawn.
 *
 * Small sections are added to the document (`root`) directly. Long ones are collected in columns
 * here and bounded: a series keeps at most RP_SERIES_MAX buckets, however many points it gets.
 */
#ifndef RP_TIMELINE_H
#define RP_TIMELINE_H

#include "scene.h"

enum { RP_SERIES_MAX = 8192, RP_SERIES_POINTS_MAX = 1 << 22 };

typedef struct rp_point {
    float time, value;
} rp_point;

/* Points, or buckets of points with their start and their lowest, highest and last value. */
typedef struct rp_series {
    const char *name;
    int32_t player; /* -1: none */
    float *time, *low, *high, *last;
    size_t count, capacity;
    double bucket_s; /* 0: points */
    uint64_t points;
    rp_vector all; /* rp_point, if the timeline keeps them */
    bool lost;     /* too many points to keep all */
} rp_series;

typedef struct rp_plot {
    const char *id, *title, *unit, *kind; /* kind: line step bars lanes stack */
    double low, high;                     /* of the y axis; both 0: automatic */
    rp_series **series;
    size_t series_count, series_capacity;
} rp_plot;

typedef enum rp_cell_kind { RP_CELL_F32, RP_CELL_I32, RP_CELL_TEXT } rp_cell_kind;

typedef struct rp_table_column {
    const char *id, *title, *unit; /* unit may be NULL */
    rp_cell_kind kind;
} rp_table_column;

enum { RP_TABLE_COLUMNS_MAX = 16, RP_TABLE_ROWS_MAX = 100000, RP_MARKERS_MAX = 50000 };

typedef struct rp_cell {
    double number;
    const char *text;
    size_t size;
} rp_cell;

typedef struct rp_table {
    const char *id, *title, *time; /* time: the column to seek by, or NULL */
    const char *nested, *key;      /* table and key of rows that belong to a row, or NULL */
    const rp_table_column *columns;
    size_t column_count;
    rp_vector cells; /* float, int32_t or uint32_t (number of a text), four bytes each */
    rp_dictionary texts[RP_TABLE_COLUMNS_MAX];
    size_t rows, left_out;
} rp_table;

typedef struct rp_marker {
    float time;
    uint32_t kind, text;
    int16_t player;
    uint8_t weight; /* importance, 1 to 5 */
} rp_marker;

/*
 * Counts per square of ground. Squares grow until everything fits: as many as can be told apart,
 * and large enough that what happens in one place is counted together.
 */
enum { RP_HEAT_SIDE = 64 };
typedef struct rp_heat {
    const char *id, *title;
    double square_m;
    uint32_t counts[RP_HEAT_SIDE * RP_HEAT_SIDE];
    uint64_t total;
} rp_heat;

/* Activity per second. Times of high activity become bands. */
enum { RP_ACTIVITY_SECONDS_MAX = 1 << 18 };
typedef struct rp_activity {
    const char *kind, *unit; /* unit of the weights, such as "damage" */
    int32_t player;          /* -1: all */
    rp_vector seconds;       /* float */
} rp_activity;

/* A text about a player that changes over time, shown beside plots. */
typedef struct rp_caption {
    int32_t player;
    rp_vector times;   /* float */
    rp_vector numbers; /* uint32_t: of texts */
    rp_dictionary texts;
} rp_caption;

/* A path seen from above, in metres of the scene. When it is full, every second point is dropped.
 */
enum { RP_PATH_POINTS_MAX = 8192 };
typedef struct rp_path_point {
    float x, z;
    float speed; /* in the unit of the plot of that name */
    bool leap;   /* not connected to the previous point */
    float y;     /* height */
} rp_path_point;
typedef struct rp_path {
    const char *name;
    int32_t player;   /* -1: none */
    rp_vector points; /* rp_path_point */
    size_t every, skipped;
    bool leap; /* of a point that was left out */
} rp_path;

/* A run over a course, tick by tick of its timer: what runs are compared by. */
typedef struct rp_course_step {
    rp_vec3 position; /* metres of the scene */
    float time;       /* in the scene */
    uint32_t tick;    /* of the timer; rising */
    bool lands;       /* on the ground again */
    bool leaps;       /* teleported: not connected to the previous step */
} rp_course_step;
typedef struct rp_course {
    const char *map, *name, *mode; /* equal for comparable runs */
    const char *runner;
    double tick_s;   /* 0: not a run */
    rp_vector steps; /* rp_course_step */
} rp_course;

typedef struct rp_timeline {
    rp_context *context;
    rp_arena arena;
    rp_doc doc;
    reprise_value *root;
    /* sections of `root` that formats add to */
    reprise_value *glyphs, *source, *players, *chapters, *hud, *cameras, *labels, *voices,
        *warnings, *info, *facts;
    rp_vector plots;  /* rp_plot * */
    rp_vector tables; /* rp_table * */
    rp_vector heats;  /* rp_heat * */
    rp_vector paths;  /* rp_path *, for the plot `path` */
    rp_vector markers;
    rp_vector bands;      /* rp_band */
    rp_vector activities; /* rp_activity * */
    rp_vector words;      /* rp_caption * */
    rp_vector highlights; /* rp_highlight; see highlights.h */
    size_t markers_left_out;
    rp_dictionary marker_kinds, marker_texts;
    rp_course course;
    bool keep_points;       /* series also keep all their points */
    const char *clock_unit; /* "frame", "tick" */
    rp_vector clock;        /* float */
} rp_timeline;

void rp_timeline_init(rp_timeline *timeline, rp_context *context, reprise_error *error);
void rp_timeline_free(rp_timeline *timeline);

/* Adds the time of the next frame or tick. */
void rp_timeline_clock(rp_timeline *timeline, float time);

rp_plot *rp_timeline_plot(rp_timeline *timeline, const char *id, const char *title,
                          const char *unit, const char *kind, double low, double high);
rp_series *rp_plot_series(rp_timeline *timeline, rp_plot *plot, const char *name, int32_t player);
/* NaN ends the line. */
void rp_series_add(rp_timeline *timeline, rp_series *series, double time, double value);

void rp_timeline_marker(rp_timeline *timeline, double time, const char *kind, int32_t player,
                        unsigned weight, const char *text);

/*
 * A highlighted span of time. Without any bands or activities, spans with many markers are shown.
 */
typedef struct rp_band {
    float from, to, level; /* level: 0 to 1 */
    const char *kind, *text;
    int32_t player; /* -1: all */
} rp_band;
enum { RP_BANDS_MAX = 8192 };
void rp_timeline_band(rp_timeline *timeline, const rp_band *band);

rp_activity *rp_timeline_activity(rp_timeline *timeline, const char *kind, const char *unit,
                                  int32_t player);
void rp_activity_add(rp_timeline *timeline, rp_activity *activity, double time, double weight);

rp_caption *rp_timeline_caption(rp_timeline *timeline, int32_t player);
/* Sets the text from `time` on, in time order. A text equal to the last one is ignored. */
void rp_caption_set(rp_timeline *timeline, rp_caption *words, double time, const char *text);

/* `columns` is not copied and must be constant. */
rp_table *rp_timeline_table(rp_timeline *timeline, const char *id, const char *title,
                            const char *time, const rp_table_column *columns, size_t count);
void rp_table_row(rp_timeline *timeline, rp_table *table, const rp_cell *cells);

/* Squares are `least_m` wide or wider. */
rp_heat *rp_timeline_heat(rp_timeline *timeline, const char *id, const char *title, double least_m);
void rp_heat_add(rp_heat *heat, double x, double z);
void rp_heat_add_many(rp_heat *heat, double x, double z, uint32_t count);

rp_path *rp_timeline_path(rp_timeline *timeline, const char *name, int32_t player);
void rp_path_add(rp_timeline *timeline, rp_path *path, const rp_path_point *position);

/* Ignores ticks that do not advance the timer. */
void rp_course_add(rp_timeline *timeline, const rp_course_step *step);

/* Arrows, pings and strokes on a map, each visible for `life` seconds. */
typedef struct rp_glyphs {
    const char *id, *shape; /* shape: arrow, ping, stroke */
    double life;
    size_t count;
    const float *t, *x, *z, *x2, *z2;
    const int16_t *player;
    const uint32_t *kind; /* index into `kinds` */
    const char *const *kinds;
    size_t kind_count;
} rp_glyphs;
/* Copies the glyphs into the document. Adds nothing if there are none. */
void rp_timeline_glyphs(rp_timeline *timeline, const rp_glyphs *glyphs);

/*
 * Moves a plot after all others that were added so far, or removes one that has no points.
 */
void rp_timeline_plot_last(rp_timeline *timeline, rp_plot *plot, bool keep);
/* Removes all plots. */
void rp_timeline_drop_plots(rp_timeline *timeline);

/* "win", "loss" or "draw", for the words of all families; NULL for other words, and for NULL. */
const char *rp_outcome(const char *word);
/* Sets how the match ended for a player, if the recording says so in a known word. */
void rp_timeline_outcome(rp_timeline *timeline, reprise_value *player, const char *word);
/* Adds a total of a player over the complete recording; `stats` has the same number. */
void rp_timeline_total(rp_timeline *timeline, reprise_value *player, const char *label,
                       const char *format, ...) REPRISE_PRINTF(4, 5);

/* Returns a copy of a text, in the arena, without tags in angle brackets. */
const char *rp_timeline_plain(rp_timeline *timeline, const char *text, size_t size);

/* Appends a plot to a list, as in the document. */
void rp_timeline_push_plot(rp_timeline *timeline, reprise_value *list, const rp_plot *plot);

/* Whether a series has buckets in the document but all its points are available. */
bool rp_series_is_longer(const rp_series *series);
/* Returns all points of a series in the form of the document, without adding it there. */
reprise_value *rp_timeline_series(rp_timeline *timeline, const rp_series *series);

/* Adds everything collected to the document. */
reprise_status rp_timeline_end(rp_timeline *timeline);

#endif
