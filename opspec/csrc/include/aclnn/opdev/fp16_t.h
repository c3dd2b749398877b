/* Half-precision numbers on the host, for programs that fill or read tensors. C++ only. Part of opspec's simulator SDK. */
#ifndef OPSPEC_SDK_FP16_T_H
#define OPSPEC_SDK_FP16_T_H

#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>
#include <type_traits>

namespace op {

/* IEEE binary16, held as its bits. Arithmetic is that of float, rounded to nearest with ties to even. */
struct fp16_t {
    uint16_t val;

    fp16_t() : val(0) {}
    /* From any number: its value, not its bits. */
    template <typename Number, typename = typename std::enable_if<std::is_arithmetic<Number>::value>::type>
    fp16_t(Number number) : val(FromFloat(static_cast<float>(number)))
    {
    }
    /* From its bits. */
    struct from_bits_t {};
    static constexpr from_bits_t from_bits() { return from_bits_t(); }
    fp16_t(uint16_t bits, from_bits_t) : val(bits) {}

    float toFloat() const { return ToFloat(val); }
    template <typename Number, typename = typename std::enable_if<std::is_arithmetic<Number>::value>::type>
    operator Number() const
    {
        return static_cast<Number>(ToFloat(val));
    }

    fp16_t operator+(const fp16_t &other) const { return fp16_t(toFloat() + other.toFloat()); }
    fp16_t operator-(const fp16_t &other) const { return fp16_t(toFloat() - other.toFloat()); }
    fp16_t operator*(const fp16_t &other) const { return fp16_t(toFloat() * other.toFloat()); }
    fp16_t operator/(const fp16_t &other) const { return fp16_t(toFloat() / other.toFloat()); }
    fp16_t operator-() const { return fp16_t(static_cast<uint16_t>(val ^ 0x8000U), from_bits()); }
    fp16_t &operator+=(const fp16_t &other) { return *this = *this + other; }
    fp16_t &operator-=(const fp16_t &other) { return *this = *this - other; }
    fp16_t &operator*=(const fp16_t &other) { return *this = *this * other; }
    fp16_t &operator/=(const fp16_t &other) { return *this = *this / other; }
    bool operator==(const fp16_t &other) const { return toFloat() == other.toFloat(); }
    bool operator!=(const fp16_t &other) const { return toFloat() != other.toFloat(); }
    bool operator<(const fp16_t &other) const { return toFloat() < other.toFloat(); }
    bool operator<=(const fp16_t &other) const { return toFloat() <= other.toFloat(); }
    bool operator>(const fp16_t &other) const { return toFloat() > other.toFloat(); }
    bool operator>=(const fp16_t &other) const { return toFloat() >= other.toFloat(); }

    static float ToFloat(uint16_t half)
    {
        const uint32_t sign = static_cast<uint32_t>(half & 0x8000U) << 16;
        uint32_t exponent = (half >> 10) & 0x1FU;
        uint32_t fraction = half & 0x3FFU;
        if (exponent == 0 && fraction != 0) { /* subnormal: a float has room to normalise it */
            exponent = 1;
            while ((fraction & 0x400U) == 0) {
                fraction <<= 1;
                --exponent;
            }
            fraction &= 0x3FFU;
            return OfBits(sign | ((exponent + 112U) << 23) | (fraction << 13));
        }
        if (exponent == 0)
            return OfBits(sign);
        return OfBits(sign | ((exponent == 0x1FU ? 0xFFU : exponent + 112U) << 23) | (fraction << 13));
    }

    static uint16_t FromFloat(float number)
    {
        uint32_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        const uint32_t sign = (bits >> 16) & 0x8000U;
        bits &= 0x7FFFFFFFU;
        if (bits > 0x7F800000U) /* NaN */
            return static_cast<uint16_t>(sign | 0x7E00U);
        if (bits >= 0x47800000U) /* 65536 and more */
            return static_cast<uint16_t>(sign | 0x7C00U);
        if (bits < 0x33000000U) /* less than half of the smallest subnormal */
            return static_cast<uint16_t>(sign);
        const uint32_t exponent = bits >> 23;
        const uint32_t fraction = (bits & 0x7FFFFFU) | 0x800000U;
        const uint32_t dropped = exponent >= 113U ? 13U : 126U - exponent; /* bits of the fraction with no place */
        const uint32_t rest = fraction & ((1U << dropped) - 1U);
        uint32_t half = fraction >> dropped;
        half += rest > 1U << (dropped - 1U) || (rest == 1U << (dropped - 1U) && (half & 1U)) ? 1U : 0U;
        if (exponent >= 113U) /* the leading one counts as one step of the exponent */
            half += (exponent - 113U) << 10;
        return static_cast<uint16_t>(sign | half);
    }

private:
    static float OfBits(uint32_t bits)
    {
        float number;
        std::memcpy(&number, &bits, sizeof number);
        return number;
    }
};

inline std::ostream &operator<<(std::ostream &stream, const fp16_t &number) { return stream << number.toFloat(); }

} // namespace op

#endif
