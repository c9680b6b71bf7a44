/* heading.h - a replay in one line: who plays, where, and how it ended. */
#ifndef RP_HEADING_H
#define RP_HEADING_H

#include "timeline.h"

/*
 * Sets `title` of the timeline's source, from what `info` says about the content; a replay that
 * says nothing about itself has the name of its file. Sets `result` if the recording states one.
 */
void rp_heading_set(rp_timeline *timeline, const reprise_value *info, const char *file_name);

#endif
