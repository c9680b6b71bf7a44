/* utf8.h - is this text, and what are its characters. */
#ifndef RP_UTF8_H
#define RP_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many leading bytes are well-formed UTF-8 (no surrogates, no overlong forms). */
size_t rp_utf8_valid(const char *text, size_t size);

/* The character at the start of valid UTF-8 and its length in bytes. */
uint32_t rp_utf8_next(const char *text, size_t *ret_size);

/* Writes one character (at most 4 bytes) and returns how many. */
size_t rp_utf8_put(char *to, uint32_t character);

#endif
