/* Text in a buffer of fixed size, of which the whole length is known in the end: what messages and JSON are made of.
 * Of the run time only: programs have no use for it. */
#ifndef OPSPEC_TEXT_H
#define OPSPEC_TEXT_H

#include "opspec_rules.h"

typedef struct {
    char *data;
    size_t size;
    size_t length; /* of all that was put, whether or not there was room */
} opspec_out;

void opspec_put_bytes(opspec_out *out, const char *bytes, size_t count);
void opspec_put(opspec_out *out, const char *text);
void opspec_put_int(opspec_out *out, opspec_int value);
/* The shortest decimal that reads back as the same double, as Python writes it: 1.0, 1e-05, nan, -inf. */
void opspec_put_real(opspec_out *out, double value);
void opspec_put_number(opspec_out *out, opspec_number value);
/* The length of the UTF-8 character at the start of a text, 0 when there is none. */
size_t opspec_character(const char *text, size_t size);
/* End the text with a NUL, behind the last character that has room as a whole; the length of all of it. */
size_t opspec_put_end(opspec_out *out);

/* The name of a number, NULL when it has none. */
const char *opspec_named(const opspec_name *names, int64_t number);
/* A name of the vocabulary, or the number where there is none. */
void opspec_put_named(opspec_out *out, const opspec_name *names, int64_t number);

#endif
