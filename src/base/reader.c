/* reader.c - the cold functions of reader.h. */
#include "reader.h"

#include <stdarg.h>
#include <stdio.h>

const uint8_t rp_no_bytes[1];

void rp_fail(rp_reader *r, reprise_status status, const char *what, const char *format, ...)
{
    if (r->error->status == REPRISE_OK) {
        va_list args;
        va_start(args, format);
        vsnprintf(r->error->message, sizeof r->error->message, format, args);
        va_end(args);
        r->error->status = status;
        rp_error_place(r->error, r->stream, r->offset, what);
    }
    r->offset += rp_left(r);
    r->at = r->end;
}

static char *put_text(char *to, const char *text)
{
    while (*text)
        *to++ = *text++;
    return to;
}

static char *put_decimal(char *to, size_t number)
{
    char digits[20];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (count)
        *to++ = digits[--count];
    return to;
}

/* A layout is found by reading with each of them, so this is common and must be cheap. */
void rp_fail_short(rp_reader *r, size_t need, const char *what)
{
    if (r->error->status == REPRISE_OK) {
        char message[64], *end = put_text(message, "need ");
        end = put_decimal(end, need);
        end = put_text(end, " bytes, ");
        end = put_decimal(end, rp_left(r));
        *put_text(end, " left") = '\0';
        r->error->status = REPRISE_E_TRUNCATED;
        rp_text_copy(r->error->message, sizeof r->error->message, message);
        rp_error_place(r->error, r->stream, r->offset, what);
    }
    r->offset += rp_left(r);
    r->at = r->end;
}

uint32_t rp_leb32(rp_reader *r, const char *what)
{
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        uint8_t byte = rp_u8(r, what);
        if (!rp_ok(r))
            return 0;
        if (shift == 28 && byte > 0x0F)
            break;
        value |= (uint32_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80))
            return value;
    }
    rp_fail(r, REPRISE_E_CORRUPT, what, "variable-length number does not fit 32 bits");
    return 0;
}

static size_t believe(rp_reader *r, uint64_t count, size_t size_min, uint64_t max,
                      const char *limit, const char *what)
{
    if (!rp_ok(r))
        return 0;
    if (size_min && count > rp_left(r) / size_min) {
        rp_fail(r, REPRISE_E_CORRUPT, what, "%llu items cannot fit in %zu bytes",
                (unsigned long long)count, rp_left(r));
        return 0;
    }
    if (count > max) {
        rp_fail(r, REPRISE_E_LIMIT, what, "%llu items are over limit %s=%llu",
                (unsigned long long)count, limit, (unsigned long long)max);
        return 0;
    }
    return (size_t)count;
}

size_t rp_count(rp_reader *r, uint64_t count, size_t size_min, uint64_t max, const char *what)
{
    return believe(r, count, size_min, max, "items", what);
}

size_t rp_text_size(rp_reader *r, uint64_t size, uint64_t max, const char *what)
{
    return believe(r, size, 1, max, "string_bytes", what);
}
