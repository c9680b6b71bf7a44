/* utf8.c - see utf8.h. */
#include "utf8.h"

#include <string.h>

/* Returns the length of the sequence at p, or 0 if it is not well-formed within `left` bytes. */
static size_t sequence(const uint8_t *p, size_t left)
{
    uint8_t first = p[0], low = 0x80, high = 0xBF;
    size_t n;
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF) {
        n = 2;
    } else if (first >= 0xE0 && first <= 0xEF) {
        n = 3;
        if (first == 0xE0)
            low = 0xA0;
        if (first == 0xED)
            high = 0x9F;
    } else if (first >= 0xF0 && first <= 0xF4) {
        n = 4;
        if (first == 0xF0)
            low = 0x90;
        if (first == 0xF4)
            high = 0x8F;
    } else {
        return 0;
    }
    if (left < n || p[1] < low || p[1] > high)
        return 0;
    for (size_t i = 2; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    }
    return n;
}

static bool all_ascii(const uint8_t *eight)
{
    uint64_t bytes;
    memcpy(&bytes, eight, sizeof bytes);
    return !(bytes & UINT64_C(0x8080808080808080));
}

size_t rp_utf8_valid(const char *text, size_t size)
{
    const uint8_t *p = (const uint8_t *)text;
    size_t i = 0;
    while (i < size) {
        /* Checks eight ASCII characters at a time: nearly all text is ASCII. */
        if (size - i >= 8) {
            if (all_ascii(p + i)) {
                i += 8;
                continue;
            }
        } else if (size >= 8 && all_ascii(p + size - 8)) {
            return size;
        }
        size_t n = sequence(p + i, size - i);
        if (!n)
            break;
        i += n;
    }
    return i;
}

size_t rp_utf8_invalid_size(const char *text, size_t size)
{
    size_t n = 1;
    while (n < 3 && n < size) {
        char probe[4] = {'\x80', '\x80', '\x80', '\x80'};
        memcpy(probe, text, n + 1);
        if (rp_utf8_valid(probe, sizeof probe) <= n + 1)
            break;
        n++;
    }
    return n;
}

uint32_t rp_utf8_next(const char *text, size_t *ret_size)
{
    const uint8_t *p = (const uint8_t *)text;
    if (p[0] < 0x80) {
        *ret_size = 1;
        return p[0];
    }
    if (p[0] < 0xE0) {
        *ret_size = 2;
        return (uint32_t)(p[0] & 0x1F) << 6 | (p[1] & 0x3F);
    }
    if (p[0] < 0xF0) {
        *ret_size = 3;
        return (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 | (p[2] & 0x3F);
    }
    *ret_size = 4;
    return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3F) << 12 |
           (uint32_t)(p[2] & 0x3F) << 6 | (p[3] & 0x3F);
}

size_t rp_utf8_put(char *to, uint32_t c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xC0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xE0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 0x3F));
        to[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    to[0] = (char)(0xF0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 0x3F));
    to[2] = (char)(0x80 | (c >> 6 & 0x3F));
    to[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}
