/*
 * fuzz_mcvcap.c - a world: world.dat with its frames, sections, palettes and changes.
 */
#include "fuzz_mcreplay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nusemtl world\nf 1 2 3 4\n";
    entry entries[] = {{.name = "world.dat", .data = data, .size = size},
                       {.name = "mesh/stone.obj", .data = cube, .size = sizeof cube - 1}};
    fuzz_archive(entries, RP_COUNT(entries));
    return 0;
}
