/*
 * fuzz_mclooks.c - a material of an entity.
 */
#include "fuzz_mcreplay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char entity[] =
        "<entity class='minecraft:player' name='Steve'><model rig-type='multipart'><part name='a'>"
        "<mesh>v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n</mesh></part></model>"
        "<anim>1 0 0 0;1 0 0 0;</anim></entity>";
    entry entries[] = {{.name = "meta.json", .data = fuzz_meta, .size = sizeof fuzz_meta - 1},
                       {.name = "mat/m.json", .data = data, .size = size},
                       {.name = "entities/e.xml", .data = entity, .size = sizeof entity - 1}};
    fuzz_archive(entries, RP_COUNT(entries));
    return 0;
}
