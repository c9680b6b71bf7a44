/* openra_names.h - what units and buildings of OpenRA's mods are called in the game. */
#ifndef CLI_OPENRA_NAMES_H
#define CLI_OPENRA_NAMES_H

/* The name of "apwr" in the mod "ra": "Advanced Power Plant". NULL if it is not known. */
const char *cli_openra_name(const char *mod, const char *id);

#endif
