/* read.h - the state of a decoder; shared by read.c and read_seek.c. */
#ifndef REMASTERED_READ_H
#define REMASTERED_READ_H

#include "remastered.h"

typedef struct cnc_decoder {
    rp_decoder base;
    cnc_cursor cursor;
    cnc_record record;
    bool players_done;
    cnc_object selected[CNC_SELECTED_MAX];
    cnc_selection selection;
    bool selection_changed;
    cnc_team teams[CNC_TEAM_HOUSES];
    uint32_t teams_changed; /* bit per house */
    cnc_event *events;
    uint64_t *event_present;
    size_t event_capacity;
    cnc_player players[CNC_NODES_MAX];
} cnc_decoder;

/* Checks the next record and leaves the states alone. REPRISE_END after the last. */
reprise_status cnc_pass(cnc_decoder *d, reprise_error *error);
/* The same, and reads it into the states. */
reprise_status cnc_step(cnc_decoder *d, reprise_error *error);

#endif
