/* Floating-point numbers of 16 bits and fewer on the host, for programs that fill or read tensors. C++ only. Part of
 * opspec's simulator SDK. */
#ifndef OPSPEC_SDK_SMALL_FLOAT_H
#define OPSPEC_SDK_SMALL_FLOAT_H

#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <type_traits>

namespace op {

/* What the highest exponent of a format stands for. */
enum class SmallFloatTop {
    INFINITIES, /* infinities and NaNs, as of IEEE */
    ONE_NAN,    /* numbers, but for the last pattern, which is NaN */
    NUMBERS     /* numbers alone */
};

/* Patterns of sign, EXPONENT bits and FRACTION bits; conversions round to nearest with ties to even. What is too large
 * becomes infinity, of a format without infinities its largest number; NaN where there is none becomes 0. */
template <int EXPONENT, int FRACTION, SmallFloatTop TOP>
class SmallFloat {
public:
    static float ToFloat(uint16_t pattern)
    {
        const int exponent = (pattern >> FRACTION) & kExponents;
        const int fraction = pattern & kFractions;
        const float sign = (pattern & kSign) != 0 ? -1.0F : 1.0F;
        if (TOP == SmallFloatTop::INFINITIES && exponent == kExponents)
            return fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                                 : sign * std::numeric_limits<float>::infinity();
        if (TOP == SmallFloatTop::ONE_NAN && exponent == kExponents && fraction == kFractions)
            return std::numeric_limits<float>::quiet_NaN();
        const int mantissa = exponent == 0 ? fraction : fraction + (1 << FRACTION);
        return sign * std::ldexp(static_cast<float>(mantissa), (exponent == 0 ? 1 : exponent) - kBias - FRACTION);
    }

    static uint16_t FromFloat(float number)
    {
        const uint16_t sign = std::signbit(number) ? kSign : 0;
        if (std::isnan(number))
            return TOP == SmallFloatTop::NUMBERS ? 0 : static_cast<uint16_t>(sign | kNan);
        const float size = std::fabs(number);
        if (size == 0.0F)
            return sign;
        int exponent = 0;
        (void)std::frexp(size, &exponent); /* size is below two to that power, and at least half of it */
        exponent = exponent - 1 + kBias < 1 ? 1 : exponent - 1 + kBias;
        const float scaled = std::isinf(size) ? size : std::ldexp(size, kBias + FRACTION - exponent);
        if (std::isinf(size) || exponent > kExponents)
            return static_cast<uint16_t>(sign | kLargest);
        /* patterns follow on each other: a fraction that is rounded up to a whole one counts the exponent up */
        const int pattern = static_cast<int>(std::nearbyint(scaled)) + ((exponent - 1) << FRACTION);
        return static_cast<uint16_t>(sign | (pattern > kLargest ? kLargest : pattern));
    }

private:
    static constexpr int kExponents = (1 << EXPONENT) - 1;
    static constexpr int kFractions = (1 << FRACTION) - 1;
    static constexpr int kBias = (1 << (EXPONENT - 1)) - 1;
    static constexpr uint16_t kSign = static_cast<uint16_t>(1U << (EXPONENT + FRACTION));
    static constexpr int kTop = kExponents << FRACTION;
    static constexpr int kNan = TOP == SmallFloatTop::INFINITIES ? kTop | (1 << (FRACTION - 1)) : kTop | kFractions;
    /* what is too large: infinity, or the largest number */
    static constexpr int kLargest = TOP == SmallFloatTop::INFINITIES ? kTop
        : TOP == SmallFloatTop::ONE_NAN                              ? (kTop | kFractions) - 1
                                                                     : kTop | kFractions;
};

} // namespace op

/* A type of such numbers, held as its bits. */
#define OPSPEC_SMALL_FLOAT(name, bits_type, exponent, fraction, top)                                                   \
    namespace op {                                                                                                     \
    struct name {                                                                                                      \
        bits_type value;                                                                                               \
        struct FromBitsTag {};                                                                                         \
        static constexpr FromBitsTag FromBits() { return FromBitsTag(); }                                              \
        name() : value(0) {}                                                                                           \
        constexpr name(bits_type bits, FromBitsTag) : value(bits) {}                                                   \
        template <typename Number, typename = typename std::enable_if<std::is_arithmetic<Number>::value>::type>        \
        name(Number number)                                                                                            \
            : value(static_cast<bits_type>(                                                                            \
                  SmallFloat<exponent, fraction, SmallFloatTop::top>::FromFloat(static_cast<float>(number))))          \
        {                                                                                                              \
        }                                                                                                              \
        operator float() const { return SmallFloat<exponent, fraction, SmallFloatTop::top>::ToFloat(value); }          \
    };                                                                                                                 \
    inline std::ostream &operator<<(std::ostream &stream, const name &number)                                          \
    {                                                                                                                  \
        return stream << static_cast<float>(number);                                                                   \
    }                                                                                                                  \
    }

#endif
