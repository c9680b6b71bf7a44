/*
 * site.h - an archive as static files that any web host can serve:
 *
 *   index.html, archive.json       the page of the archive and its data
 *   r/NAME/                        the page of a replay, with its scene, timeline and picture
 *   compare/                       replays next to each other
 *   viewer.js, viewer.css          shared by the pages of replays
 *   licences.txt                   of what is bundled in viewer.js
 *
 * NAME is the start of the SHA-256 of the file, so links stay valid and nothing of a file's name
 * becomes a path.
 */
#ifndef CLI_SITE_H
#define CLI_SITE_H

#include "command.h"

typedef struct cli_site {
    cli_run *run;
    const char *operand, *catalog; /* as for cli_archive_open */
    const char *output;            /* the directory */
    const char *pages;             /* how many replays have a page: a number, "all", or NULL */
    const char *url;               /* where the site will be, or NULL */
    bool spoiler_free, force;
    uint64_t scene_max;
} cli_site;

/* Whether a directory is called "site", or has a site in it. */
bool cli_site_is(const char *directory);

/* Returns the exit code. */
int cli_site_write(const cli_site *site);

#endif
