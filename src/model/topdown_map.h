/*
 * topdown_map.h - a scene of a match seen from above: the ground, a camera over it, and orders as
 * arrows from a unit to its target, or as rings if only the target is known. One cell is one metre;
 * x points east and z points south.
 *
 * Orders are stored twice: as transient nodes for programs that open the scene, and as columns of
 * the timeline for the viewer.
 */
#ifndef RP_TOPDOWN_MAP_H
#define RP_TOPDOWN_MAP_H

#include "timeline.h"
#include "transient_nodes.h"

enum { RP_TOPDOWN_MAP_PLAYERS = 64, RP_TOPDOWN_MAP_CELLS_MAX = 1024 };
/* Squares of heat maps: two cells, because orders for one place are spread over some. */
enum { RP_MAP_HEAT_M = 2 };

typedef struct rp_order_columns {
    rp_vector t, x, z, x2, z2; /* float */
    rp_vector player;          /* int16_t */
    rp_vector kind;            /* uint32_t */
} rp_order_columns;

typedef struct rp_commander {
    const char *name;
    int32_t paint;                    /* material plus one; 0: not created yet */
    rp_transient_nodes arrows, rings; /* named on first use */
} rp_commander;

typedef struct rp_topdown_map {
    rp_scene *scene;
    rp_timeline *timeline;
    rp_commander commanders[RP_TOPDOWN_MAP_PLAYERS];
    rp_commander nobody;
    size_t count;
    rp_order_columns arrows, pings;
    double width, height; /* cells that anything reached */
    rp_heat *targets;
} rp_topdown_map;

void rp_topdown_map_init(rp_topdown_map *over, rp_scene *scene, rp_timeline *timeline);
void rp_topdown_map_free(rp_topdown_map *over);

/*
 * Adds a player, also to the timeline. The name must outlive the map. `color` is the game's colour,
 * #rrggbb, or NULL. Returns the player in the timeline, or NULL if there are too many.
 */
reprise_value *rp_topdown_map_add_player(rp_topdown_map *over, const char *name, const char *color);
/* Returns the material in the colour of a player; grey for an unknown one. */
int32_t rp_topdown_map_paint(rp_topdown_map *over, int64_t player);
/* Extends the ground to this point. Returns false if it cannot be on a map. */
bool rp_topdown_map_extend(rp_topdown_map *over, double x, double z);

typedef struct rp_map_order {
    int64_t player;
    uint32_t kind; /* index into the names passed to rp_topdown_map_end */
    bool arrow;    /* x, z is known as the start */
    double x, z, x2, z2;
} rp_map_order;
/* Adds an order at the current time. */
void rp_topdown_map_add_order(rp_topdown_map *over, const rp_map_order *pointed);

/* Adds ground, cameras and columns at the end. `kinds` are the names of orders. */
void rp_topdown_map_end(rp_topdown_map *over, const char *const *kinds, size_t kind_count);

#endif
