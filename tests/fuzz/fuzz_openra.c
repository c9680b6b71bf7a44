/* fuzz_openra.c - any bytes as an OpenRA replay, whatever its probe would say. */
#include "fuzz_orders.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format("openra", data, size);
}
