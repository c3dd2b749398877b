/* clang and C++20: an operator is a type with its two phases, and arguments are converted by overloads.
 *
 * links: new
 * built: clang++ -std=c++20
 * calls: aclnnAdd 1, aclnnInplaceMul 1, aclnnPermute 1
 */
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_permute.h"
#include "host.hpp"

template <auto Plan, auto Execute>
struct Operator {
    aclrtStream stream;

    template <typename... Arguments>
    void operator()(Arguments &&...arguments) const
    {
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        host::check(Plan(passed(arguments)..., &size, &executor), "the first phase");
        const host::Memory workspace(size);
        host::check(Execute(workspace.get(), size, executor, stream), "the second phase");
        host::check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
    }

private:
    static aclTensor *passed(const host::Tensor &tensor) { return tensor.get(); }
    template <typename T>
    static T passed(const T &value)
    {
        return value;
    }
};

using Add = Operator<aclnnAddGetWorkspaceSize, aclnnAdd>;
using InplaceMul = Operator<aclnnInplaceMulGetWorkspaceSize, aclnnInplaceMul>;
using Permute = Operator<aclnnPermuteGetWorkspaceSize, aclnnPermute>;

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        const host::Tensor x({2, 3}, ACL_BF16), y({3}, ACL_BF16), z({2, 3}, ACL_BF16), turned({3, 2}, ACL_BF16);
        float one = 1.0f;
        aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
        Add{stream}(x, y, alpha, z);
        aclDestroyScalar(alpha);
        InplaceMul{stream}(z, y);
        const std::vector<int64_t> order = {1, 0};
        aclIntArray *dims = aclCreateIntArray(order.data(), order.size());
        Permute{stream}(z, dims, turned);
        aclDestroyIntArray(dims);
    });
}
