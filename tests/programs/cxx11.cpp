/* The oldest style: C++11, macros that return, a helper that makes a tensor of a host vector.
 *
 * links: old
 * built: g++ -std=c++11
 * calls: aclnnMul 1
 */
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_mul.h"

#define CHECK_RET(condition, result, ...)                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::printf(__VA_ARGS__);                                                                                  \
            return result;                                                                                             \
        }                                                                                                              \
    } while (0)

static int64_t sizeOf(const std::vector<int64_t> &shape)
{
    int64_t size = 1;
    for (int64_t dim : shape) {
        size *= dim;
    }
    return size;
}

template <typename T>
static int createTensor(const std::vector<T> &host, const std::vector<int64_t> &shape, aclDataType dtype, void **device,
                        aclTensor **tensor)
{
    const size_t size = static_cast<size_t>(sizeOf(shape)) * sizeof(T);
    int status = aclrtMalloc(device, size, ACL_MEM_MALLOC_HUGE_FIRST);
    CHECK_RET(status == ACL_SUCCESS, status, "aclrtMalloc: %d\n", status);
    status = aclrtMemcpy(*device, size, host.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
    CHECK_RET(status == ACL_SUCCESS, status, "aclrtMemcpy: %d\n", status);
    std::vector<int64_t> strides(shape.size(), 1);
    for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; i--) {
        strides[i] = shape[i + 1] * strides[i + 1];
    }
    *tensor = aclCreateTensor(shape.data(), shape.size(), dtype, strides.data(), 0, ACL_FORMAT_ND, shape.data(),
                              shape.size(), *device);
    return 0;
}

int main()
{
    aclrtStream stream = nullptr;
    CHECK_RET(aclInit(nullptr) == ACL_SUCCESS, 1, "aclInit\n");
    CHECK_RET(aclrtSetDevice(0) == ACL_SUCCESS, 1, "aclrtSetDevice\n");
    CHECK_RET(aclrtCreateStream(&stream) == ACL_SUCCESS, 1, "aclrtCreateStream\n");

    void *selfAddr = nullptr, *otherAddr = nullptr, *outAddr = nullptr, *workspace = nullptr;
    aclTensor *self = nullptr, *other = nullptr, *out = nullptr;
    const std::vector<int64_t> shape = {4, 1, 2}, row = {3, 2}, whole = {4, 3, 2};
    CHECK_RET(createTensor(std::vector<float>(8, 2.0f), shape, ACL_FLOAT, &selfAddr, &self) == 0, 1, "self\n");
    CHECK_RET(createTensor(std::vector<float>(6, 3.0f), row, ACL_FLOAT, &otherAddr, &other) == 0, 1, "other\n");
    CHECK_RET(createTensor(std::vector<float>(24, 0.0f), whole, ACL_FLOAT, &outAddr, &out) == 0, 1, "out\n");

    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    int status = aclnnMulGetWorkspaceSize(self, other, out, &size, &executor);
    CHECK_RET(status == ACL_SUCCESS, 1, "aclnnMulGetWorkspaceSize: %d, %s\n", status, aclGetRecentErrMsg());
    if (size > 0) {
        CHECK_RET(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS, 1, "workspace\n");
    }
    status = aclnnMul(workspace, size, executor, stream);
    CHECK_RET(status == ACL_SUCCESS, 1, "aclnnMul: %d\n", status);
    CHECK_RET(aclrtSynchronizeStream(stream) == ACL_SUCCESS, 1, "aclrtSynchronizeStream\n");
    std::vector<float> result(24);
    CHECK_RET(aclrtMemcpy(result.data(), 96, outAddr, 96, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS, 1, "result\n");

    aclDestroyTensor(self);
    aclDestroyTensor(other);
    aclDestroyTensor(out);
    aclrtFree(selfAddr);
    aclrtFree(otherAddr);
    aclrtFree(outAddr);
    if (workspace != nullptr) {
        aclrtFree(workspace);
    }
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
    return 0;
}
