/* Bytes copied and set within bounds. A destination that is too small, or that overlaps its source, is cleared. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "bounds.h"

errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count)
{
    if (destMax == 0 || destMax > BOUNDS_MEMORY_MAX)
        return ERANGE;
    if (dest == NULL || src == NULL)
        return bounds_clear(dest, destMax, EINVAL, EINVAL_AND_RESET);
    if (count > destMax)
        return bounds_clear(dest, destMax, ERANGE, ERANGE_AND_RESET);
    if (dest != src && bounds_overlap(dest, src, count))
        return bounds_clear(dest, destMax, EOVERLAP_AND_RESET, EOVERLAP_AND_RESET);
    memmove(dest, src, count);
    return EOK;
}

errno_t memmove_s(void *dest, size_t destMax, const void *src, size_t count)
{
    if (destMax == 0 || destMax > BOUNDS_MEMORY_MAX)
        return ERANGE;
    if (dest == NULL || src == NULL)
        return bounds_clear(dest, destMax, EINVAL, EINVAL_AND_RESET);
    if (count > destMax)
        return bounds_clear(dest, destMax, ERANGE, ERANGE_AND_RESET);
    memmove(dest, src, count);
    return EOK;
}

errno_t memset_s(void *dest, size_t destMax, int c, size_t count)
{
    if (destMax == 0 || destMax > BOUNDS_MEMORY_MAX)
        return ERANGE;
    if (dest == NULL)
        return EINVAL;
    memset(dest, c, count < destMax ? count : destMax);
    return count <= destMax ? EOK : ERANGE_AND_RESET;
}
