/* Sizes of data types, and numbers of 16 bits. */
#include <string.h>

#include "entry.h"

/* Types of less than a byte are stored one a byte at least. */
size_t aclDataTypeSize(aclDataType dataType)
{
    switch ((int)dataType) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
        return 1;
    case ACL_FLOAT16:
    case ACL_INT16:
    case ACL_UINT16:
    case ACL_BF16:
        return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
        return 4;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64:
        return 8;
    case ACL_COMPLEX128:
        return 16;
    default:
        return 0;
    }
}

float aclFloat16ToFloat(aclFloat16 value)
{
    const uint32_t sign = (uint32_t)(value & 0x8000u) << 16, exponent = value >> 10 & 0x1Fu, fraction = value & 0x3FFu;
    uint32_t bits = sign | (exponent + 112) << 23 | fraction << 13;
    if (exponent == 0x1F)
        bits = sign | 0x7F800000u | fraction << 13;
    float result;
    memcpy(&result, &bits, sizeof result);
    if (exponent == 0)
        result = (float)fraction * (sign != 0 ? -0x1p-24f : 0x1p-24f);
    return result;
}

/* Drops low bits of a number; what is dropped is rounded to the nearest, half to even. */
static uint32_t rounded(uint32_t number, uint32_t bits)
{
    const uint32_t half = 1u << (bits - 1), rest = number & ((half << 1) - 1), kept = number >> bits;
    return kept + (rest > half || (rest == half && (kept & 1u) != 0));
}

aclFloat16 aclFloatToFloat16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000u, size = bits & 0x7FFFFFFFu, exponent = size >> 23;
    if (size > 0x7F800000u)
        return (aclFloat16)(sign | 0x7E00u); /* not a number */
    if (size >= 0x477FF000u)
        return (aclFloat16)(sign | 0x7C00u); /* beyond the greatest: infinite */
    if (exponent > 112)
        return (aclFloat16)(sign | rounded(size - (112u << 23), 13));
    if (exponent < 102)
        return (aclFloat16)sign;
    return (aclFloat16)(sign | rounded((size & 0x7FFFFFu) | 0x800000u, 126 - exponent));
}
