/* Text formatted within bounds. */
#include <stdarg.h>
#include <stdio.h>

#include "bounds.h"

/* Text that does not fit makes the destination empty. */
int vsprintf_s(char *strDest, size_t destMax, const char *format, va_list arguments)
{
    if (strDest == NULL || format == NULL || destMax == 0 || destMax > BOUNDS_STRING_MAX)
        return -1;
    const int size = vsnprintf(strDest, destMax, format, arguments);
    if (size >= 0 && (size_t)size < destMax)
        return size;
    strDest[0] = '\0';
    return -1;
}

/* At most count characters and a NUL; text that is cut short is left, and -1 says so. */
int vsnprintf_s(char *strDest, size_t destMax, size_t count, const char *format, va_list arguments)
{
    if (strDest == NULL || format == NULL || destMax == 0 || destMax > BOUNDS_STRING_MAX)
        return -1;
    const size_t room = count < destMax ? count + 1 : destMax;
    const int size = vsnprintf(strDest, room, format, arguments);
    if (size >= 0 && (size_t)size < room)
        return size;
    if (size < 0 || count >= destMax)
        strDest[0] = '\0'; /* beyond the destination, not only beyond count */
    return -1;
}

int sprintf_s(char *strDest, size_t destMax, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int size = vsprintf_s(strDest, destMax, format, arguments);
    va_end(arguments);
    return size;
}

int snprintf_s(char *strDest, size_t destMax, size_t count, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf_s(strDest, destMax, count, format, arguments);
    va_end(arguments);
    return size;
}
