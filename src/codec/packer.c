/* packer.c - see packer.h. */
#include "packer.h"

reprise_status rp_packer_level(const rp_levels *levels, int asked, int *ret_level,
                               reprise_error *error)
{
    switch (asked) {
    case REPRISE_LEVEL_DEFAULT:
    case REPRISE_LEVEL_BALANCED:
        *ret_level = levels->balanced;
        return REPRISE_OK;
    case REPRISE_LEVEL_FASTEST:
        *ret_level = levels->fastest;
        return REPRISE_OK;
    case REPRISE_LEVEL_COMPACT:
        *ret_level = levels->compact;
        return REPRISE_OK;
    default:
        if (asked < 0 || asked > levels->max)
            return rp_error_set(error, REPRISE_E_USAGE, "level %d is out of range (0-%d)", asked,
                                levels->max);
        *ret_level = asked;
        return REPRISE_OK;
    }
}
