/* export.h - what the sandbox must know of 'reprise export'. */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "command.h"

/* Whether a run of export writes a site: an option of sites or the name of the output says so. */
bool cli_export_is_site(const cli_run *run);

#endif
