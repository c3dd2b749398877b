/* What the functions with bounds share. */
#ifndef OPSPEC_SECUREC_BOUNDS_H
#define OPSPEC_SECUREC_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "securec.h"

#define BOUNDS_MEMORY_MAX ((size_t)0x7FFFFFFF)
#define BOUNDS_STRING_MAX ((size_t)0x7FFFFFFF)

/* The destination was cleared: the plain code and 128. */
enum { EINVAL_AND_RESET = 150, ERANGE_AND_RESET = 162, EOVERLAP_AND_RESET = 182 };

/* Clears a destination, and says so; what is null cannot be cleared. */
static inline errno_t bounds_clear(void *dest, size_t size, errno_t kept, errno_t cleared)
{
    if (dest == NULL)
        return kept;
    memset(dest, 0, size);
    return cleared;
}

/* The same of a string, of which the first byte is enough. */
static inline errno_t bounds_empty(char *dest, errno_t kept, errno_t cleared)
{
    return bounds_clear(dest, 1, kept, cleared);
}

static inline bool bounds_overlap(const void *one, const void *other, size_t size)
{
    const uintptr_t a = (uintptr_t)one, b = (uintptr_t)other;
    return size > 0 && a < b + size && b < a + size;
}

#endif
