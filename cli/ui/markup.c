/* markup.c - see markup.h. */
#include "markup.h"

#include <string.h>

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Bytes of a colour that begins after "<": #RGB, #RGBA, #RRGGBB or #RRGGBBAA; 0 if there is none.
 */
static size_t colour_size(const char *text, size_t size)
{
    size_t n = 1;
    if (!size || *text != '#')
        return 0;
    while (n < size && is_hex(text[n]))
        n++;
    return n == 4 || n == 5 || n == 7 || n == 9 ? n : 0;
}

/* Bytes of a tag's name and value that begin after "<" or "</"; 0 if the game knows no such tag. */
static size_t name_size(const char *text, size_t size)
{
    static const char *const names[] = {"color", "b",    "i",    "u",   "s",   "size",
                                        "alpha", "mark", "font", "sub", "sup", "gradient"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t n = strlen(names[i]);
        if (n > size || strncmp(text, names[i], n) != 0)
            continue;
        if (n < size && text[n] == '=') {
            while (n < size && text[n] != '>' && text[n] != '<')
                n++;
        }
        if (n < size && text[n] == '>')
            return n;
    }
    return 0;
}

/* Bytes of the markup that the text begins with, or 0. */
static size_t markup_size(const char *text, size_t size)
{
    if (size > 2 && memcmp(text, "\xC2\xA7", 2) == 0 && (unsigned char)text[2] < 0x80)
        return 3;
    if (size < 3 || *text != '<')
        return 0;
    size_t start = text[1] == '/' ? 2 : 1;
    size_t n = colour_size(text + start, size - start);
    if (!n)
        n = name_size(text + start, size - start);
    return n && start + n < size && text[start + n] == '>' ? start + n + 1 : 0;
}

void cli_put_plain(cli_strbuf *to, const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t skipped = markup_size(text + at, size - at);
        if (!skipped)
            cli_put(to, text + at, 1);
        at += skipped ? skipped : 1;
    }
}
