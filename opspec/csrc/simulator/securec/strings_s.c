/* Strings copied and put behind each other within bounds. A destination that is too small becomes empty. */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include <errno.h>

#include "bounds.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Puts a number of characters and a NUL at a place of a destination. */
static errno_t put(char *dest, size_t destMax, size_t place, const char *src, size_t size)
{
    if (size >= destMax - place)
        return bounds_empty(dest, ERANGE, ERANGE_AND_RESET);
    if (dest != src && bounds_overlap(dest + place, src, size + 1))
        return bounds_empty(dest, EOVERLAP_AND_RESET, EOVERLAP_AND_RESET);
    memmove(dest + place, src, size);
    dest[place + size] = '\0';
    return EOK;
}

/* Of a source never more is read than fits, and a byte. */
static errno_t copy(char *dest, size_t destMax, const char *src, size_t most)
{
    if (destMax == 0 || destMax > BOUNDS_STRING_MAX)
        return ERANGE;
    if (dest == NULL || src == NULL)
        return bounds_empty(dest, EINVAL, EINVAL_AND_RESET);
    return put(dest, destMax, 0, src, strnlen(src, smaller(most, destMax)));
}

static errno_t append(char *dest, size_t destMax, const char *src, size_t most)
{
    if (destMax == 0 || destMax > BOUNDS_STRING_MAX)
        return ERANGE;
    if (dest == NULL || src == NULL)
        return bounds_empty(dest, EINVAL, EINVAL_AND_RESET);
    const size_t place = strnlen(dest, destMax);
    if (place == destMax)
        return bounds_empty(dest, EINVAL, EINVAL_AND_RESET);
    return put(dest, destMax, place, src, strnlen(src, smaller(most, destMax - place)));
}

errno_t strcpy_s(char *strDest, size_t destMax, const char *strSrc)
{
    return copy(strDest, destMax, strSrc, BOUNDS_STRING_MAX);
}

errno_t strncpy_s(char *strDest, size_t destMax, const char *strSrc, size_t count)
{
    return copy(strDest, destMax, strSrc, count);
}

errno_t strcat_s(char *strDest, size_t destMax, const char *strSrc)
{
    return append(strDest, destMax, strSrc, BOUNDS_STRING_MAX);
}

errno_t strncat_s(char *strDest, size_t destMax, const char *strSrc, size_t count)
{
    return append(strDest, destMax, strSrc, count);
}
