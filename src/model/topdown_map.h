/*
 * topdown_map.h - a match seen from above: the ground with a camera over it, and orders on it as
 * arrows from where a unit was to where it was sent, or as rings where only the target is known.
 * One cell is one metre; x goes east and z goes south.
 *
 * Orders are told twice: as nodes that are seen for a moment, for programs that open a scene, and
 * as columns of the timeline, for the viewer's page.
 */
#ifndef RP_TOPDOWN_MAP_H
#define RP_TOPDOWN_MAP_H

#include "timeline.h"
#include "transient_nodes.h"

enum { RP_TOPDOWN_MAP_PLAYERS = 64, RP_TOPDOWN_MAP_CELLS_MAX = 1024 };

typedef struct rp_order_columns {
    rp_vector t, x, z, x2, z2; /* float */
    rp_vector player;          /* int16_t */
    rp_vector kind;            /* uint32_t */
} rp_order_columns;

typedef struct rp_commander {
    const char *name;
    int32_t paint;                    /* material plus one; 0: not yet */
    rp_transient_nodes arrows, rings; /* their names are set once they are used */
} rp_commander;

typedef struct rp_topdown_map {
    rp_scene *scene;
    rp_timeline *timeline;
    rp_commander commanders[RP_TOPDOWN_MAP_PLAYERS];
    rp_commander nobody;
    size_t count;
    rp_order_columns arrows, pings;
    double width, height; /* cells, as far as anything went */
    rp_heat *targets;
} rp_topdown_map;

void rp_topdown_map_init(rp_topdown_map *over, rp_scene *scene, rp_timeline *timeline);
void rp_topdown_map_free(rp_topdown_map *over);

/*
 * The next player, also among the timeline's; the name must outlive it. `color` is the game's own,
 * #rrggbb, or NULL. False: there are too many.
 */
bool rp_topdown_map_meet(rp_topdown_map *over, const char *name, const char *color);
/* The material in the colour of a player, or of nobody. */
int32_t rp_topdown_map_paint(rp_topdown_map *over, int64_t player);
/* Makes the ground as large as this at least. False: this is on no map. */
bool rp_topdown_map_reach(rp_topdown_map *over, double x, double z);

typedef struct rp_pointed {
    int64_t player;
    uint32_t kind; /* the family's number of the order */
    bool arrow;    /* it is known where it began */
    double x, z, x2, z2;
} rp_pointed;
/* An order, now. */
void rp_topdown_map_point(rp_topdown_map *over, const rp_pointed *pointed);

/* Ground, cameras and columns, once everything was told. `kinds` are the names of orders. */
void rp_topdown_map_end(rp_topdown_map *over, const char *const *kinds, size_t kind_count);

#endif
