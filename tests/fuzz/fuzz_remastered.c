/* fuzz_remastered.c - any bytes as a recording of Red Alert or Tiberian Dawn. */
#include "fuzz_orders.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format("remastered", data, size);
}
