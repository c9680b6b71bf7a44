/* zip_name.c - checks whether the name of an archive entry is safe to use as a path. */
#include <string.h>

#include "archive.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* C0, DEL, and C1 in UTF-8, which terminals may interpret. */
static bool is_control(const char *at)
{
    unsigned char c = (unsigned char)at[0], next = (unsigned char)at[1];
    return c < 0x20 || c == 0x7F || (c == 0xC2 && next >= 0x80 && next <= 0x9F);
}

static bool part_safe(const char *part, size_t size)
{
    return size > 0 && !(size == 1 && part[0] == '.') &&
           !(size == 2 && part[0] == '.' && part[1] == '.');
}

bool rp_zip_name_safe(const char *name)
{
    if (is_letter(name[0]) && name[1] == ':')
        return false;
    const char *part = name;
    for (const char *at = name;; at++) {
        if (*at == '/' || *at == '\0') {
            bool directory_end = *at == '\0' && at == part && at != name;
            if (!directory_end && !part_safe(part, (size_t)(at - part)))
                return false;
            if (*at == '\0')
                return true;
            part = at + 1;
        } else if (*at == '\\' || is_control(at)) {
            return false;
        }
    }
}
