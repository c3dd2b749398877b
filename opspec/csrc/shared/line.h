/* A line of text that grows: first in a buffer of its own, then on the heap. Without memory it stays cut off. */
#ifndef OPSPEC_LINE_H
#define OPSPEC_LINE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *data; /* always ends with a NUL */
    size_t size;
    size_t room; /* bytes behind data, the NUL's included */
    char start[1024];
} opspec_line;

void opspec_line_begin(opspec_line *text);
void opspec_line_end(opspec_line *text); /* frees it */
bool opspec_line_reserve(opspec_line *text, size_t more); /* room for more bytes and a NUL; false: no memory */
void opspec_line_add(opspec_line *text, const char *bytes, size_t size);
void opspec_line_puts(opspec_line *text, const char *string);
void opspec_line_printf(opspec_line *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void opspec_line_vprintf(opspec_line *text, const char *format, va_list values) __attribute__((format(printf, 2, 0)));
void opspec_line_json(opspec_line *text, const char *string); /* a JSON string, quotes included; NULL: null */
/* All of it with one write, and more only when the first one was cut short; false: it could not be written. */
bool opspec_line_write(const opspec_line *text, int descriptor);

/* One line on standard error, about opspec itself. */
void opspec_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
