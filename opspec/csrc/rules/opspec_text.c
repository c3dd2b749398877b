/* Text in a buffer of fixed size. See opspec_text.h. */
#include "opspec_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void opspec_put_bytes(opspec_out *out, const char *bytes, size_t count)
{
    if (out->length < out->size)
        memcpy(out->data + out->length, bytes, count < out->size - out->length ? count : out->size - out->length);
    out->length += count;
}

void opspec_put(opspec_out *out, const char *text) { opspec_put_bytes(out, text, strlen(text)); }

void opspec_put_int(opspec_out *out, opspec_int value)
{
    char digits[48];
    size_t place = sizeof digits;
    const bool negative = value < 0;
    do {
        const int digit = (int)(value % 10);
        digits[--place] = (char)('0' + (digit < 0 ? -digit : digit));
        value /= 10;
    } while (value != 0);
    if (negative)
        digits[--place] = '-';
    opspec_put_bytes(out, digits + place, sizeof digits - place);
}

/* The shortest digits that read back as the same value; the power of ten of the first one. Whatever the locale puts
 * between them is left out. */
static int digits_of(double value, char digits[24])
{
    char text[64];
    int precision = 0;
    do
        (void)snprintf(text, sizeof text, "%.*e", precision++, value);
    while (precision < 17 && strtod(text, NULL) != value);
    size_t count = 0;
    const char *at = text;
    for (; *at != 'e' && *at != '\0'; at++)
        if (*at >= '0' && *at <= '9')
            digits[count++] = *at;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    return *at == 'e' ? (int)strtol(at + 1, NULL, 10) : 0;
}

static void put_exponent(opspec_out *out, const char *digits, int power)
{
    opspec_put_bytes(out, digits, 1);
    if (digits[1] != '\0') {
        opspec_put(out, ".");
        opspec_put(out, digits + 1);
    }
    opspec_put(out, power < 0 ? "e-" : "e+");
    power = power < 0 ? -power : power;
    if (power < 10)
        opspec_put(out, "0");
    opspec_put_int(out, power);
}

void opspec_put_real(opspec_out *out, double value)
{
    char digits[24];
    if (value != value) {
        opspec_put(out, "nan");
        return;
    }
    if (value < 0 || (value == 0 && 1 / value < 0)) {
        opspec_put(out, "-");
        value = -value;
    }
    if (value > 1.7976931348623157e308) {
        opspec_put(out, "inf");
        return;
    }
    const int power = digits_of(value, digits), count = (int)strlen(digits);
    if (power < -4 || power >= 16) {
        put_exponent(out, digits, power);
        return;
    }
    if (power < 0)
        opspec_put(out, "0.");
    for (int i = -1; i > power; i--)
        opspec_put(out, "0");
    for (int i = 0; i < count || i <= power; i++) {
        opspec_put_bytes(out, i < count ? digits + i : "0", 1);
        if (i == power)
            opspec_put(out, count > i + 1 ? "." : ".0");
    }
}

void opspec_put_number(opspec_out *out, opspec_number value)
{
    if (value.kind == OPSPEC_REAL)
        opspec_put_real(out, value.as.real);
    else
        opspec_put_int(out, value.kind == OPSPEC_BIG ? (opspec_int)value.as.big : value.as.whole);
}

size_t opspec_character(const char *text, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (size == 0)
        return 0;
    if (bytes[0] < 0x80)
        return 1;
    const size_t count = bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4;
    if (bytes[0] < 0xC2 || bytes[0] > 0xF4 || size < count)
        return 0;
    for (size_t i = 1; i < count; i++)
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    /* neither longer than it need be, nor half of a pair, nor beyond the last character */
    const bool below = (bytes[0] == 0xE0 && bytes[1] < 0xA0) || (bytes[0] == 0xF0 && bytes[1] < 0x90);
    const bool above = (bytes[0] == 0xED && bytes[1] > 0x9F) || (bytes[0] == 0xF4 && bytes[1] > 0x8F);
    return below || above ? 0 : count;
}

size_t opspec_put_end(opspec_out *out)
{
    if (out->size == 0)
        return out->length;
    size_t end = out->length < out->size ? out->length : out->size - 1;
    for (size_t back = 1; out->length >= out->size && back <= 4 && back <= end; back++) {
        if (((unsigned char)out->data[end - back] & 0xC0) == 0x80)
            continue;
        if (opspec_character(out->data + end - back, back) != back)
            end -= back;
        break;
    }
    out->data[end] = '\0';
    return out->length;
}

const char *opspec_named(const opspec_name *names, int64_t number)
{
    while (names->name != NULL && names->number != number)
        names++;
    return names->name;
}

void opspec_put_named(opspec_out *out, const opspec_name *names, int64_t number)
{
    const char *name = opspec_named(names, number);
    if (name != NULL)
        opspec_put(out, name);
    else
        opspec_put_int(out, number);
}
