/* error.c - see error.h. Nothing here allocates. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rp_text_copy(char *to, size_t size, const char *from)
{
    size_t n = strlen(from);
    if (n >= size) {
        n = size - 1;
        while (n > 0 && ((unsigned char)from[n] & 0xC0) == 0x80)
            n--;
    }
    memcpy(to, from, n);
    to[n] = '\0';
}

reprise_status rp_error_set(reprise_error *error, reprise_status status, const char *format, ...)
{
    if (error->status != REPRISE_OK)
        return error->status;
    error->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return status;
}

void rp_error_place(reprise_error *error, const char *stream, uint64_t offset, const char *path)
{
    if (error->status == REPRISE_OK || error->stream[0] || error->path[0])
        return;
    error->offset = offset;
    rp_text_copy(error->stream, sizeof error->stream, stream);
    rp_text_copy(error->path, sizeof error->path, path);
}

void rp_error_at(reprise_error *error, const char *format, ...)
{
    if (error->status == REPRISE_OK)
        return;
    char prefix[sizeof error->path];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(prefix, sizeof prefix, format, args);
    va_end(args);
    size_t used = n < 0 ? 0 : (size_t)n;
    if (used >= sizeof prefix)
        used = sizeof prefix - 1;
    if (used + 1 < sizeof prefix && error->path[0] && error->path[0] != '[')
        prefix[used++] = '.';
    size_t rest = strlen(error->path);
    if (rest > sizeof prefix - 1 - used)
        rest = sizeof prefix - 1 - used;
    memcpy(prefix + used, error->path, rest);
    prefix[used + rest] = '\0';
    memcpy(error->path, prefix, used + rest + 1);
}

void rp_error_hint(reprise_error *error, const char *format, ...)
{
    if (error->hint[0])
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(error->hint, sizeof error->hint, format, args);
    va_end(args);
}

void rp_error_advise(reprise_error *error, reprise_hint advice)
{
    static const char *const texts[] = {
        [REPRISE_HINT_NONE] = "",
        [REPRISE_HINT_FORMATS] = "reprise_formats lists them",
        [REPRISE_HINT_FORMAT] = "set the format in the options",
        [REPRISE_HINT_RECOVER] = "recovering keeps everything complete",
        [REPRISE_HINT_REPLACE] = "set `replace` to overwrite it",
        [REPRISE_HINT_LOSSY] = "set `lossy` to write it anyway",
        [REPRISE_HINT_CONVERT] = "convert them to one layout first",
        [REPRISE_HINT_ZIP] = "the layout zip compresses them",
        [REPRISE_HINT_MARKERS] = "the track markers lists them",
        [REPRISE_HINT_PARTS] = "the track parts still has the entities",
        [REPRISE_HINT_OFFSET] = "give the offset of the second recording",
        [REPRISE_HINT_PRIVATE] = "remove more kinds of private data",
        [REPRISE_HINT_KEEP] = "keep this kind of private data",
        [REPRISE_HINT_CONSENT] = "set `allow_guarded` to extract it",
        [REPRISE_HINT_SMALLER] = "choose a shorter range, fewer samples or a larger tolerance",
        [REPRISE_HINT_MAP] = "give the map",
        [REPRISE_HINT_RULES] = "give the installed rules",
    };
    if (error->hint[0])
        return;
    error->advice = advice;
    rp_text_copy(error->hint, sizeof error->hint, texts[advice]);
}

void rp_error_clear(reprise_error *error)
{
    /* Clearing only the first byte of each text keeps calls per row cheap. */
    error->status = REPRISE_OK;
    error->cause = 0;
    error->offset = 0;
    error->advice = REPRISE_HINT_NONE;
    error->stream[0] = error->path[0] = error->message[0] = error->hint[0] = '\0';
}

const char *reprise_status_name(reprise_status status)
{
    switch (status) {
    case REPRISE_OK:
        return "ok";
    case REPRISE_END:
        return "end";
    case REPRISE_E_IO:
        return "io";
    case REPRISE_E_NOMEM:
        return "no-memory";
    case REPRISE_E_LIMIT:
        return "limit";
    case REPRISE_E_CANCELLED:
        return "cancelled";
    case REPRISE_E_UNRECOGNIZED:
        return "unrecognized";
    case REPRISE_E_AMBIGUOUS:
        return "ambiguous";
    case REPRISE_E_UNSUPPORTED:
        return "unsupported";
    case REPRISE_E_TRUNCATED:
        return "truncated";
    case REPRISE_E_CORRUPT:
        return "corrupt";
    case REPRISE_E_CHECKSUM:
        return "checksum";
    case REPRISE_E_SIGNATURE:
        return "signature";
    case REPRISE_E_LOSSY:
        return "lossy";
    case REPRISE_E_USAGE:
        return "usage";
    }
    return "unknown";
}

const char *reprise_error_text(const reprise_error *error, const char *name, char *to, size_t size)
{
    if (!error || !to || !size)
        return "";
    char place[96] = "";
    if (error->stream[0])
        snprintf(place, sizeof place, "%s+0x%llx: ", error->stream,
                 (unsigned long long)error->offset);
    snprintf(to, size, "%s: %s%s%s%s%s%s", name, place, error->path, error->path[0] ? ": " : "",
             error->message, error->hint[0] ? "; " : "", error->hint);
    return to;
}
