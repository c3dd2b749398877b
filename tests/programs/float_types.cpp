/* Host values of every narrow type: what is written to a tensor comes back as it was, and rounds as the type does.
 *
 * links: new
 * calls: aclnnRelu 2
 * says: 0.333252 0.333984 0.34375
 */
#include "aclnn/opdev/bfloat16.h"
#include "aclnn/opdev/float4_e2m1.h"
#include "aclnn/opdev/float8_e4m3fn.h"
#include "aclnn/opdev/fp16_t.h"
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

template <typename T>
constexpr aclDataType dtype_of = ACL_FLOAT;
template <>
constexpr aclDataType dtype_of<op::fp16_t> = ACL_FLOAT16;
template <>
constexpr aclDataType dtype_of<op::bfloat16> = ACL_BF16;
template <>
constexpr aclDataType dtype_of<op::Float8E4M3FN> = ACL_FLOAT8_E4M3FN;

template <typename T>
float there_and_back(float value, aclrtStream stream)
{
    const std::vector<T> values(16, T(value));
    host::Tensor x({16}, dtype_of<T>, values), y({16}, dtype_of<T>);
    if constexpr (sizeof(T) == 2) {
        RUN(aclnnRelu, stream, x.get(), y.get());
    }
    return static_cast<float>(x.read<T>().back());
}

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        const float third = 1.0f / 3.0f;
        std::printf("%g %g %g\n", there_and_back<op::fp16_t>(third, stream), there_and_back<op::bfloat16>(third, stream),
                    there_and_back<op::Float8E4M3FN>(third, stream));
        if (static_cast<float>(op::Float4E2M1(100)) != 6.0f || static_cast<float>(op::bfloat16(-0.5)) != -0.5f) {
            throw std::runtime_error("a number is another one");
        }
    });
}
