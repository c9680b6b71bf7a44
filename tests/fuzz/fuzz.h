/* fuzz.h - what every fuzz target defines, and libFuzzer or replay_main.c calls. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
