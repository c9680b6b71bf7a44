/* utf8.h - validates, decodes and encodes UTF-8. */
#ifndef RP_UTF8_H
#define RP_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns how many leading bytes are well-formed UTF-8 (no surrogates, no overlong forms). */
size_t rp_utf8_valid(const char *text, size_t size);

/*
 * Returns the length of the invalid sequence at the start of `text`: all bytes that could start one
 * character, so that a truncated character is replaced by one U+FFFD, as other readers do.
 */
size_t rp_utf8_invalid_size(const char *text, size_t size);

/* Returns the first character of valid UTF-8 text and its length in bytes. */
uint32_t rp_utf8_next(const char *text, size_t *ret_size);

/* Writes one character and returns its length in bytes, at most 4. */
size_t rp_utf8_put(char *to, uint32_t character);

#endif
