/* C++14: every handle in a unique_ptr with the function that destroys it, generic lambdas around both phases.
 *
 * links: new
 * built: g++ -std=c++14
 * calls: aclnnRelu 1, aclnnSoftmax 1
 */
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_softmax.h"

template <typename T, typename Status>
struct Destroy {
    Status (*function)(T *);
    void operator()(std::remove_const_t<T> *handle) const { function(handle); }
};

using Tensor = std::unique_ptr<aclTensor, Destroy<const aclTensor, aclnnStatus>>;
using Stream = std::unique_ptr<void, Destroy<void, aclError>>;
using Block = std::unique_ptr<void, Destroy<void, aclError>>;

const auto need = [](auto status, const char *step) {
    if (status != 0) {
        throw std::runtime_error(step);
    }
};

auto block(size_t size)
{
    void *address = nullptr;
    if (size != 0) {
        need(aclrtMalloc(&address, size, ACL_MEM_MALLOC_NORMAL_ONLY), "aclrtMalloc");
    }
    return Block(address, {aclrtFree});
}

auto tensor(std::initializer_list<int64_t> shape, const Block &memory)
{
    std::vector<int64_t> strides(shape.size(), 1);
    for (size_t i = shape.size() - 1; i > 0; --i) {
        strides[i - 1] = strides[i] * shape.begin()[i];
    }
    return Tensor(aclCreateTensor(shape.begin(), shape.size(), ACL_FLOAT16, strides.data(), 0, ACL_FORMAT_ND,
                                  shape.begin(), shape.size(), memory.get()),
                  {aclDestroyTensor});
}

int main()
try {
    need(aclInit(nullptr), "aclInit");
    need(aclrtSetDevice(0), "aclrtSetDevice");
    {
        aclrtStream made = nullptr;
        need(aclrtCreateStream(&made), "aclrtCreateStream");
        const Stream stream(made, {aclrtDestroyStream});
        const auto in = block(64), out = block(64);
        const auto x = tensor({4, 8}, in), y = tensor({4, 8}, out);
        const auto run = [&](auto execute, auto plan) {
            uint64_t size = 0;
            aclOpExecutor *executor = nullptr;
            need(plan(&size, &executor), "the first phase");
            const auto workspace = block(size);
            need(execute(workspace.get(), size, executor, stream.get()), "the second phase");
            need(aclrtSynchronizeStream(stream.get()), "aclrtSynchronizeStream");
        };
        run(aclnnRelu, [&](auto... last) { return aclnnReluGetWorkspaceSize(x.get(), y.get(), last...); });
        run(aclnnSoftmax, [&](auto... last) { return aclnnSoftmaxGetWorkspaceSize(y.get(), -1, x.get(), last...); });
    }
    need(aclrtResetDevice(0), "aclrtResetDevice");
    need(aclFinalize(), "aclFinalize");
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s failed\n", error.what());
    return 1;
}
