/* Lines of text and JSON strings. */
#define _POSIX_C_SOURCE 200809L
#include "line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opspec_text.h"

void opspec_line_begin(opspec_line *text)
{
    text->data = text->start;
    text->size = 0;
    text->room = sizeof text->start;
    text->start[0] = '\0';
}

void opspec_line_end(opspec_line *text)
{
    if (text->data != text->start)
        free(text->data);
    opspec_line_begin(text);
}

bool opspec_line_reserve(opspec_line *text, size_t more)
{
    if (more < text->room - text->size)
        return true;
    const size_t room = text->size + more + 1 > text->room * 2 ? text->size + more + 1 : text->room * 2;
    char *data = more < (size_t)-1 / 4 ? malloc(room) : NULL;
    if (data == NULL)
        return false;
    memcpy(data, text->data, text->size + 1);
    if (text->data != text->start)
        free(text->data);
    text->data = data;
    text->room = room;
    return true;
}

void opspec_line_add(opspec_line *text, const char *bytes, size_t size)
{
    if (!opspec_line_reserve(text, size))
        size = text->room - text->size - 1;
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void opspec_line_puts(opspec_line *text, const char *string) { opspec_line_add(text, string, strlen(string)); }

void opspec_line_vprintf(opspec_line *text, const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    const size_t left = text->room - text->size;
    const int size = vsnprintf(text->data + text->size, left, format, values);
    if (size >= 0 && (size_t)size >= left && opspec_line_reserve(text, (size_t)size))
        vsnprintf(text->data + text->size, text->room - text->size, format, again);
    va_end(again);
    if (size > 0)
        text->size = (size_t)size < text->room - text->size ? text->size + (size_t)size : text->room - 1;
    text->data[text->size] = '\0';
}

void opspec_line_printf(opspec_line *text, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    opspec_line_vprintf(text, format, values);
    va_end(values);
}

void opspec_line_json(opspec_line *text, const char *string)
{
    if (string == NULL) {
        opspec_line_puts(text, "null");
        return;
    }
    opspec_line_puts(text, "\"");
    const char *end = string + strlen(string);
    for (const char *at = string; at < end;) {
        const size_t size = opspec_character(at, (size_t)(end - at));
        if (size == 0)
            opspec_line_puts(text, "\\ufffd");
        else if (*at == '"' || *at == '\\')
            opspec_line_printf(text, "\\%c", *at);
        else if ((unsigned char)*at < 0x20 || *at == 0x7F)
            opspec_line_printf(text, "\\u%04x", (unsigned)*at);
        else
            opspec_line_add(text, at, size);
        at += size == 0 ? 1 : size;
    }
    opspec_line_puts(text, "\"");
}

bool opspec_line_write(const opspec_line *text, int descriptor)
{
    for (size_t done = 0; done < text->size;) {
        const ssize_t written = write(descriptor, text->data + done, text->size - done);
        if (written > 0)
            done += (size_t)written;
        else if (written == 0 || errno != EINTR)
            return false;
    }
    return true;
}

void opspec_complain(const char *format, ...)
{
    opspec_line line;
    va_list values;
    opspec_line_begin(&line);
    opspec_line_puts(&line, "opspec: ");
    va_start(values, format);
    opspec_line_vprintf(&line, format, values);
    va_end(values);
    opspec_line_puts(&line, "\n");
    (void)opspec_line_write(&line, STDERR_FILENO);
    opspec_line_end(&line);
}
