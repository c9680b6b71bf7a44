/* units.h - units of measurement, for values whose names do not say them. */
#ifndef CLI_UNITS_H
#define CLI_UNITS_H

/* "m/s" for "top_speed" of a Minecraft camera; NULL if the value is a count or names its unit. */
const char *cli_unit_of(const char *format, const char *key);

#endif
