/* entry.c - see entry.h. */
#include "entry.h"

#include <string.h>

#include "checked.h"

reprise_status rp_take_options(void *to, size_t size, const void *from, reprise_error *error)
{
    if (!from)
        return REPRISE_OK;
    size_t given;
    memcpy(&given, from, sizeof given);
    if (given < sizeof given)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "struct_size of the options is %zu: initialise them before use", given);
    memcpy(to, from, RP_MIN(given, size));
    return REPRISE_OK;
}

reprise_status rp_give_struct(void *to, const void *from, size_t size, reprise_error *error)
{
    size_t room;
    memcpy(&room, to, sizeof room);
    if (room < sizeof room)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "struct_size of the result is %zu: initialise it before use", room);
    memcpy((char *)to + sizeof room, (const char *)from + sizeof room,
           RP_MIN(room, size) - sizeof room);
    return REPRISE_OK;
}
