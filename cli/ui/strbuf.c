/* strbuf.c - see strbuf.h. */
#include "strbuf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch/outfile.h"
#include "exitcode.h"

void *cli_memory(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    if (!memory) {
        static const char words[] = "reprise: out of memory\n";
        cli_outfile_abandon();
        cli_write(STDERR_FILENO, words, sizeof words - 1);
        _exit(CLI_FAILED);
    }
    return memory;
}

void cli_strbuf_free(cli_strbuf *text)
{
    free(text->data);
    *text = (cli_strbuf){0};
}

void cli_strbuf_clear(cli_strbuf *text)
{
    text->size = 0;
    if (text->data)
        text->data[0] = '\0';
}

const char *cli_strbuf_string(const cli_strbuf *text)
{
    return text->data ? text->data : "";
}

/* Makes room for `size` more bytes and the terminator. */
static void reserve(cli_strbuf *to, size_t size)
{
    size_t need = to->size + size + 1;
    if (need <= to->capacity)
        return;
    size_t capacity = to->capacity ? to->capacity * 2 : 256;
    to->capacity = capacity > need ? capacity : need;
    to->data = cli_memory(to->data, to->capacity);
}

void cli_put(cli_strbuf *to, const char *data, size_t size)
{
    reserve(to, size);
    if (size)
        memcpy(to->data + to->size, data, size);
    to->size += size;
    to->data[to->size] = '\0';
}

void cli_puts(cli_strbuf *to, const char *text)
{
    cli_put(to, text, strlen(text));
}

void cli_putc(cli_strbuf *to, char c)
{
    cli_put(to, &c, 1);
}

void cli_fill(cli_strbuf *to, char c, size_t count)
{
    reserve(to, count);
    memset(to->data + to->size, c, count);
    to->size += count;
    to->data[to->size] = '\0';
}

void cli_vprintf(cli_strbuf *to, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size < 0)
        return;
    reserve(to, (size_t)size);
    vsnprintf(to->data + to->size, (size_t)size + 1, format, args);
    to->size += (size_t)size;
}

void cli_printf(cli_strbuf *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_vprintf(to, format, args);
    va_end(args);
}

/* ---- UTF-8 ---- */

/* Decodes one character. Returns its length in bytes, or 0 if it is invalid. */
static size_t decode(const char *text, size_t size, uint32_t *ret_c)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80) {
        *ret_c = s[0];
        return 1;
    }
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || length > size)
        return 0;
    uint32_t c = s[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3F);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c < least[length] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
        return 0;
    *ret_c = c;
    return length;
}

typedef struct range {
    uint32_t first, last;
} range;

/* Combining and invisible characters. */
static const range zero_width[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},   {0x0610, 0x061A},   {0x064B, 0x065F},
    {0x06D6, 0x06DC}, {0x0900, 0x0902}, {0x093C, 0x093C},   {0x0941, 0x0948},   {0x094D, 0x094D},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},   {0x1160, 0x11FF},   {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x20D0, 0x20FF},   {0x302A, 0x302F},   {0x3099, 0x309A},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF},
};

/* East Asian wide and full-width characters, and emoji. */
static const range double_width[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
    {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},
    {0x26C4, 0x26C5},   {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},
    {0x26F2, 0x26F5},   {0x26FA, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274E},   {0x2753, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F7E0, 0x1F7EB}, {0x1F900, 0x1F9FF},
    {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

static bool in_ranges(const range *ranges, size_t count, uint32_t c)
{
    for (size_t i = 0; i < count && c >= ranges[i].first; i++) {
        if (c <= ranges[i].last)
            return true;
    }
    return false;
}

static size_t char_width(uint32_t c)
{
    if (c < 0x300)
        return 1;
    if (in_ranges(zero_width, CLI_COUNT(zero_width), c))
        return 0;
    return in_ranges(double_width, CLI_COUNT(double_width), c) ? 2 : 1;
}

/* Control characters and those that reverse the writing direction. */
static bool dangerous(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

void cli_put_shown(cli_strbuf *to, const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        uint32_t c = 0;
        size_t length = decode(text + at, size - at, &c);
        if (!length) {
            cli_printf(to, "\\x%02x", (unsigned char)text[at]);
            length = 1;
        } else if (c == '\n') {
            cli_puts(to, "\\n");
        } else if (c == '\t') {
            cli_putc(to, ' ');
        } else if (dangerous(c)) {
            cli_printf(to, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
        } else {
            cli_put(to, text + at, length);
        }
        at += length;
    }
}

void cli_put_cut(cli_strbuf *to, const char *text, size_t size, size_t columns)
{
    size_t at = 0, width = 0;
    while (at < size && width < columns) {
        uint32_t c = 0;
        size_t length = decode(text + at, size - at, &c);
        width += length ? char_width(c) : 1;
        at += length ? length : 1;
    }
    cli_put_shown(to, text, at);
    if (at < size)
        cli_puts(to, "...");
}

void cli_put_json(cli_strbuf *to, const char *text, size_t size)
{
    cli_putc(to, '"');
    for (size_t at = 0; at < size;) {
        uint32_t c = 0;
        size_t length = decode(text + at, size - at, &c);
        if (!length) {
            cli_puts(to, "\xEF\xBF\xBD");
            length = 1;
        } else if (c == '"' || c == '\\') {
            cli_printf(to, "\\%c", (int)c);
        } else if (c == '\n') {
            cli_puts(to, "\\n");
        } else if (c < 0x20) {
            cli_printf(to, "\\u%04x", c);
        } else {
            cli_put(to, text + at, length);
        }
        at += length;
    }
    cli_putc(to, '"');
}

/* Length of the colour sequence at the start of `text`, 0 if there is none. */
static size_t escape_size(const char *text, size_t size)
{
    if (size < 2 || text[0] != '\033' || text[1] != '[')
        return 0;
    size_t digits = 2;
    while (digits < size && (text[digits] == ';' || (text[digits] >= '0' && text[digits] <= '9')))
        digits++;
    return digits < size && text[digits] == 'm' ? digits + 1 : 0;
}

/* A character that continues after the end of the text. */
static bool cut_character(const char *text, size_t size)
{
    unsigned char c = (unsigned char)text[0];
    size_t length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    for (size_t i = 1; i < size; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return false;
    }
    return size < length;
}

size_t cli_put_safe(cli_strbuf *to, const char *text, size_t size, bool colours, bool last)
{
    for (size_t at = 0; at < size;) {
        uint32_t c = 0;
        size_t left = size - at, length = decode(text + at, left, &c);
        size_t colour = colours && c == '\033' ? escape_size(text + at, left) : 0;
        if (!length && !last && cut_character(text + at, left))
            return at;
        if (!length)
            cli_printf(to, "\\x%02x", (unsigned char)text[at]);
        else if (dangerous(c) && c != '\n' && c != '\t' && !colour)
            cli_printf(to, "\\u%04x", c);
        else
            cli_put(to, text + at, colour ? colour : length);
        at += colour ? colour : length ? length : 1;
    }
    return size;
}

size_t cli_width(const char *text, size_t size)
{
    size_t width = 0;
    for (size_t at = 0; at < size;) {
        size_t escape = escape_size(text + at, size - at);
        if (escape) {
            at += escape;
            continue;
        }
        uint32_t c = 0;
        size_t length = decode(text + at, size - at, &c);
        width += length ? char_width(c) : 1;
        at += length ? length : 1;
    }
    return width;
}

void cli_put_wrapped(cli_strbuf *to, const char *text, size_t size, size_t indent, size_t width)
{
    size_t column = indent;
    for (size_t at = 0; at < size;) {
        if (text[at] == '\n') {
            cli_putc(to, '\n');
            cli_fill(to, ' ', indent);
            column = indent;
            at++;
            continue;
        }
        size_t spaces = 0;
        while (at + spaces < size && text[at + spaces] == ' ')
            spaces++;
        size_t word = 0;
        while (at + spaces + word < size && !strchr(" \n", text[at + spaces + word]))
            word++;
        size_t columns = cli_width(text + at + spaces, word);
        if (column > indent && column + spaces + columns > width) {
            cli_putc(to, '\n');
            cli_fill(to, ' ', indent);
            column = indent;
            at += spaces;
            spaces = 0;
        }
        cli_put(to, text + at, spaces + word);
        column += spaces + columns;
        at += spaces + word;
    }
}

/* The bytes of a character or of an escape sequence. */
static size_t unit_size(const char *text, size_t size)
{
    size_t escape = escape_size(text, size);
    uint32_t c = 0;
    size_t length = escape ? escape : decode(text, size, &c);
    return length ? length : 1;
}

/* How much of a line fits into a row: all, up to a space, or as much as can be. */
static size_t row_size(const char *text, size_t size, size_t room)
{
    size_t column = 0, at = 0, space = 0, lead = 0;
    while (lead < size && text[lead] == ' ')
        lead++;
    while (at < size) {
        size_t unit = unit_size(text + at, size - at), columns = cli_width(text + at, unit);
        if (column + columns > room)
            break;
        if (text[at] == ' ' && at > lead)
            space = at;
        column += columns;
        at += unit;
    }
    if (at == size || text[at] == ' ')
        return at;
    return space ? space : at ? at : size;
}

static void put_rows(cli_strbuf *to, const char *text, size_t size, size_t width, size_t rows_max)
{
    enum { HANGING = 4, DOTS = 3 };
    size_t indent = 0, row = 1;
    while (indent < size && text[indent] == ' ')
        indent++;
    indent = indent + HANGING < width / 2 ? indent + HANGING : width / 2;
    for (size_t left = 0;; row++, left = indent) {
        size_t n = row_size(text, size, width - left);
        if (rows_max && row == rows_max && n < size) {
            cli_put(to, text, row_size(text, size, width - left - DOTS));
            cli_puts(to, "...");
            return;
        }
        cli_put(to, text, n);
        for (; n < size && text[n] == ' '; n++)
            continue;
        text += n;
        size -= n;
        if (!size)
            return;
        cli_putc(to, '\n');
        cli_fill(to, ' ', indent);
    }
}

void cli_put_fitted(cli_strbuf *to, const char *text, size_t size, size_t width, size_t rows_max)
{
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        put_rows(to, text + at, length, width, rows_max);
        if (end)
            cli_putc(to, '\n');
        at += length + (end != NULL);
    }
}

/* ---- numbers for people ---- */

void cli_put_size(cli_strbuf *to, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 10240) {
        cli_printf(to, "%llu B", (unsigned long long)bytes);
        return;
    }
    double value = (double)bytes / 1024;
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < CLI_COUNT(units)) {
        value /= 1024;
        unit++;
    }
    cli_printf(to, value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

void cli_put_duration(cli_strbuf *to, double seconds)
{
    if (!(fabs(seconds) < 1e12)) {
        cli_put_real(to, seconds, false);
        return;
    }
    long long ms = llround(fabs(seconds) * 1000);
    if (seconds < 0 && ms)
        cli_putc(to, '-');
    long long minutes = ms / 60000;
    if (minutes >= 60)
        cli_printf(to, "%lld:%02lld", minutes / 60, minutes % 60);
    else
        cli_printf(to, "%lld", minutes);
    cli_printf(to, ":%02lld.%03lld", ms / 1000 % 60, ms % 1000);
}

void cli_put_real(cli_strbuf *to, double value, bool fixed)
{
    double size = fabs(value);
    bool tiny = size > 0 && size < 0.0005;
    if (!isfinite(value) || size >= 1e12 || (tiny && !fixed)) {
        cli_printf(to, "%.3g", value);
        return;
    }
    /* Avoid -0.000 in columns of numbers. */
    cli_printf(to, "%.3f", tiny ? 0 : value);
    if (fixed)
        return;
    while (to->data[to->size - 1] == '0')
        to->size--;
    if (to->data[to->size - 1] == '.')
        to->size--;
    to->data[to->size] = '\0';
}
