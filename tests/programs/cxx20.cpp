/* C++20: spans of host values, a concept for what can be copied to a device, ranges that make them.
 *
 * links: new
 * built: g++ -std=c++20
 * calls: aclnnGeluV2 2, aclnnReduceSum 1
 * says: 12 values
 */
#include <algorithm>
#include <concepts>
#include <ranges>
#include <span>

#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "host.hpp"

template <typename T>
concept Element = std::is_arithmetic_v<T> && std::is_trivially_copyable_v<T>;

template <Element T>
constexpr aclDataType dtype_of = std::same_as<T, float> ? ACL_FLOAT : std::same_as<T, double> ? ACL_DOUBLE : ACL_INT32;

template <Element T>
host::Tensor on_device(std::span<const T> values, std::vector<int64_t> shape)
{
    return host::Tensor(std::move(shape), dtype_of<T>, std::vector<T>(values.begin(), values.end()));
}

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        std::vector<float> values;
        std::ranges::copy(std::views::iota(0, 12) | std::views::transform([](int i) { return 0.5f * float(i); }),
                          std::back_inserter(values));
        host::Tensor x = on_device<float>(values, {3, 4}), y({3, 4}, ACL_FLOAT), sum({4}, ACL_FLOAT);
        for (int64_t approximate : {0, 1}) {
            RUN(aclnnGeluV2, stream, x.get(), approximate, y.get());
        }
        const int64_t axis = 0;
        aclIntArray *dims = aclCreateIntArray(&axis, 1);
        RUN(aclnnReduceSum, stream, y.get(), dims, false, ACL_FLOAT, sum.get());
        aclDestroyIntArray(dims);
        std::printf("%zu values\n", y.read<float>().size());
    });
}
