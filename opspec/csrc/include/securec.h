/* The bounds-checked functions that libc_sec.so exports. Part of opspec's simulator SDK.
 *
 * They return EOK or a number other than 0, and write nothing past the room that they are told of. */
#ifndef OPSPEC_SDK_SECUREC_H
#define OPSPEC_SDK_SECUREC_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef EOK
#define EOK 0
#endif

typedef int errno_t;

errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count);
errno_t memmove_s(void *dest, size_t destMax, const void *src, size_t count);
errno_t memset_s(void *dest, size_t destMax, int c, size_t count);
errno_t strcpy_s(char *strDest, size_t destMax, const char *strSrc);
errno_t strncpy_s(char *strDest, size_t destMax, const char *strSrc, size_t count);
errno_t strcat_s(char *strDest, size_t destMax, const char *strSrc);
errno_t strncat_s(char *strDest, size_t destMax, const char *strSrc, size_t count);

/* The length of what was written, or -1. */
int sprintf_s(char *strDest, size_t destMax, const char *format, ...) __attribute__((format(printf, 3, 4)));
int snprintf_s(char *strDest, size_t destMax, size_t count, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int vsprintf_s(char *strDest, size_t destMax, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int vsnprintf_s(char *strDest, size_t destMax, size_t count, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

#ifdef __cplusplus
}
#endif

#endif
