/*
 * fuzz_file.c - any bytes as a whole file. Each target compiles this with FUZZ_FORMAT set to the
 * format the bytes are read as, whatever its probe says; the target "replay" leaves it out.
 */
#include "fuzz_file.h"

#ifndef FUZZ_FORMAT
#define FUZZ_FORMAT NULL
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_whole_file(FUZZ_FORMAT, data, size);
}
