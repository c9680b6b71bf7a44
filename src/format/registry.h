/* registry.h - one line per format; everything else finds them through rp_formats. */
#ifndef RP_REGISTRY_H
#define RP_REGISTRY_H

#include "format.h"

extern const rp_format cs2kz_format;
extern const rp_format mcreplay_format, mccamera_format;
extern const rp_format rumble_format;
extern const rp_format openra_format;
extern const rp_format remastered_format;
extern const rp_format icrep_format, icsave_format, icproof_format;

#endif
