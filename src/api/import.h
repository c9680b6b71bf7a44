/* import.h - imports into a sink, without a file. */
#ifndef RP_IMPORT_H
#define RP_IMPORT_H

#include "handle.h"
#include "reprise/ironcurtain/live.h"
#include "sink.h"

reprise_status rp_import(reprise_replay *handle, const reprise_ic_import_options *options,
                         int level, rp_sink *sink, rp_doc *doc, reprise_value *report,
                         reprise_error *error);

#endif
