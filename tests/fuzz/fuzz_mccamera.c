/* fuzz_mccamera.c - any bytes as a camera animation. */
#include "fuzz_orders.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format("mccamera", data, size);
}
