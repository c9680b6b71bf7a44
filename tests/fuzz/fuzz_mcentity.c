/*
 * fuzz_mcentity.c - an entity: XML, animation text and the meshes inside.
 */
#include "fuzz_mcreplay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    entry entries[] = {{.name = "meta.json", .data = fuzz_meta, .size = sizeof fuzz_meta - 1},
                       {.name = "entities/e.xml", .data = data, .size = size}};
    fuzz_archive(entries, RP_COUNT(entries));
    return 0;
}
