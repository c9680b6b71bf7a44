/*
 * grammar_colour.c - colours as releases store them: bytes of hue, saturation and lightness up to
 * release-20190314, hexadecimal digits since.
 */
#include "openra.h"
#include "whole.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEX_RGB = 6, HEX_RGBA = 8, NEIGHBOURS = 3 };

/* One component of a colour, 0 to 1. `hue` is shifted by a third for red and for blue. */
static float part_of(float low, float high, float hue)
{
    hue -= floorf(hue);
    if (hue < 1 / 6.0f)
        return low + (high - low) * 6 * hue;
    if (hue < 0.5f)
        return high;
    return hue < 2 / 3.0f ? low + (high - low) * 6 * (2 / 3.0f - hue) : low;
}

/* As the game computed colours until 2019: components are truncated, not rounded. */
static uint32_t rgb_of_hsl(const uint32_t hsl[3])
{
    float h = (float)hsl[0] / 255, s = (float)hsl[1] / 255, l = (float)hsl[2] / 255;
    float high = l < 0.5f ? l * (1 + s) : l + s - l * s, low = 2 * l - high;
    uint32_t rgb = 0;
    for (int i = 1; i >= -1; i--) {
        float part = part_of(low, high, h + (float)i / 3);
        rgb = rgb << 8 | rp_whole_u32((double)fminf(fmaxf(part * 255, 0), 255));
    }
    return rgb;
}

static bool read_hsl(const char *text, uint32_t ret_hsl[3])
{
    for (size_t i = 0; i < 3; i++) {
        if (*text < '0' || *text > '9')
            return false;
        char *end;
        unsigned long byte = strtoul(text, &end, 10);
        if (byte > 255 || *end != (i < 2 ? ',' : '\0'))
            return false;
        ret_hsl[i] = (uint32_t)byte;
        text = end + 1;
    }
    return true;
}

ora_colour ora_colour_read(const char *text, uint32_t *ret_rgb)
{
    size_t digits = strspn(text, "0123456789ABCDEFabcdef");
    if (!text[digits] && (digits == HEX_RGB || digits == HEX_RGBA)) {
        char opaque[HEX_RGB + 1];
        snprintf(opaque, sizeof opaque, "%.6s", text);
        *ret_rgb = (uint32_t)strtoul(opaque, NULL, 16);
        return ORA_COLOUR_HEX;
    }
    uint32_t hsl[3] = {0};
    if (!read_hsl(text, hsl))
        return ORA_COLOUR_NONE;
    *ret_rgb = rgb_of_hsl(hsl);
    return ORA_COLOUR_HSL;
}

/* ---- and back ---- */

static unsigned distance(uint32_t a, uint32_t b)
{
    unsigned sum = 0;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        int d = (int)(a >> shift & 255) - (int)(b >> shift & 255);
        sum += (unsigned)(d * d);
    }
    return sum;
}

/* The textbook conversion, which the game's own arithmetic does not always invert. */
static void guess_hsl(uint32_t rgb, int ret_hsl[3])
{
    float r = (float)(rgb >> 16 & 255) / 255, g = (float)(rgb >> 8 & 255) / 255;
    float b = (float)(rgb & 255) / 255;
    float most = fmaxf(r, fmaxf(g, b)), least = fminf(r, fminf(g, b)), range = most - least;
    float l = (most + least) / 2, h = 0, s = 0;
    if (range > 0) {
        s = range / (l < 0.5f ? most + least : 2 - most - least);
        h = most == r ? (g - b) / range : most == g ? 2 + (b - r) / range : 4 + (r - g) / range;
        h /= 6;
        h -= floorf(h);
    }
    ret_hsl[0] = (int)lroundf(h * 255);
    ret_hsl[1] = (int)lroundf(s * 255);
    ret_hsl[2] = (int)lroundf(l * 255);
}

/* Searches the bytes near the estimate for those that the game shows closest to the colour. */
static void nearest_hsl(uint32_t rgb, uint32_t ret_hsl[3])
{
    int guess[3];
    unsigned best = UINT32_MAX;
    guess_hsl(rgb, guess);
    for (int h = -NEIGHBOURS; h <= NEIGHBOURS; h++) {
        for (int s = -NEIGHBOURS; s <= NEIGHBOURS; s++) {
            for (int l = -NEIGHBOURS; l <= NEIGHBOURS; l++) {
                const int near[3] = {guess[0] + h, guess[1] + s, guess[2] + l};
                uint32_t hsl[3];
                for (size_t i = 0; i < 3; i++)
                    hsl[i] = (uint32_t)RP_MAX(0, RP_MIN(near[i], 255));
                unsigned off = distance(rgb_of_hsl(hsl), rgb);
                if (off < best) {
                    best = off;
                    memcpy(ret_hsl, hsl, sizeof hsl);
                }
            }
        }
    }
}

bool ora_colour_convert(const ora_dialect *to, const char *text, char ret_text[ORA_COLOUR_SIZE])
{
    uint32_t rgb = 0, hsl[3] = {0};
    ora_colour form = ora_colour_read(text, &rgb);
    if (form == ORA_COLOUR_NONE || form == ora_colour_form(to))
        return false;
    if (form == ORA_COLOUR_HSL) {
        snprintf(ret_text, ORA_COLOUR_SIZE, "%06X", rgb);
    } else {
        nearest_hsl(rgb, hsl);
        snprintf(ret_text, ORA_COLOUR_SIZE, "%u,%u,%u", hsl[0], hsl[1], hsl[2]);
    }
    return true;
}
