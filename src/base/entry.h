/*
 * entry.h - argument checks at the start of every public function.
 *
 * Calls start with a clean error, so one reprise_error can be reused in a loop over many files. It
 * may be NULL. A missing argument is a usage error, never a crash.
 */
#ifndef RP_ENTRY_H
#define RP_ENTRY_H

#include "error.h"

/* First line of a public function that can fail. `given`: no required argument is missing. */
#define RP_ENTER(error, given)                        \
    reprise_error rp_unwanted_error_;                 \
    (error) = rp_enter((error), &rp_unwanted_error_); \
    if (!(given))                                     \
    return rp_error_set((error), REPRISE_E_USAGE, "%s: a required argument is NULL", __func__)

static inline reprise_error *rp_enter(reprise_error *error, reprise_error *unwanted)
{
    error = error ? error : unwanted;
    rp_error_clear(error);
    return error;
}

/*
 * Copies an options struct over the defaults in `to`. Both begin with struct_size; a caller
 * compiled against an older header has a shorter struct and gets the defaults for the rest.
 */
reprise_status rp_take_options(void *to, size_t size, const void *from, reprise_error *error);
/*
 * Copies a result struct of `size` bytes to the caller's, as far as that reaches. The caller has
 * set its struct_size, which stays.
 */
reprise_status rp_give_struct(void *to, const void *from, size_t size, reprise_error *error);

#endif
