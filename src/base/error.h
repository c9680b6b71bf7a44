/*
 * error.h - filling in the caller's reprise_error.
 *
 * The first failure wins: setting an error that is already set changes nothing. Callers may prefix
 * the path (rp_error_at) but never replace the message.
 */
#ifndef RP_ERROR_H
#define RP_ERROR_H

#include "reprise/reprise.h"

/* Returns on failure. The callee has already set the error. */
#define RP_TRY(expression)                            \
    do {                                              \
        reprise_status rp_try_status_ = (expression); \
        if (rp_try_status_ != REPRISE_OK)             \
            return rp_try_status_;                    \
    } while (0)

/* Sets status and message. Returns error->status: the first failure, if one was already set. */
reprise_status rp_error_set(reprise_error *error, reprise_status status, const char *format, ...)
    REPRISE_PRINTF(3, 4);

/* Names the place of an error that was just set and has none yet; no-op without an error. */
void rp_error_place(reprise_error *error, const char *stream, uint64_t offset, const char *path);

/* Puts "prefix" before the path: frames[12] + entries[3] gives frames[12].entries[3]. */
void rp_error_at(reprise_error *error, const char *format, ...) REPRISE_PRINTF(2, 3);

/* Suggests the next step, unless there is a hint already. */
void rp_error_hint(reprise_error *error, const char *format, ...) REPRISE_PRINTF(2, 3);
/* The same for steps that programs have their own words for, such as an option of a command. */
void rp_error_advise(reprise_error *error, reprise_hint advice);

void rp_error_clear(reprise_error *error);

/* Copies text, truncated between UTF-8 characters to fit `size`. Always terminated. */
void rp_text_copy(char *to, size_t size, const char *from);

#endif
