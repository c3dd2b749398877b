/* A helper that forgets what it made: memory, a tensor, a scalar, an executor that never runs.
 *
 * links: new
 * calls: aclnnRelu 1
 * error: memory.leak 2
 * warning: object.leak 2
 * warning: executor.leak
 */
#include "aclnnop/aclnn_relu.h"
#include "acl/acl.h"

#include <cstdio>

static aclTensor *tensor()
{
    void *memory = nullptr;
    if (aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
        return nullptr;
    }
    const int64_t shape[1] = {16};
    const int64_t strides[1] = {1};
    return aclCreateTensor(shape, 1, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 1, memory);
}

int main()
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    float one = 1.0f;
    aclCreateScalar(&one, ACL_FLOAT);
    std::printf("%d\n", aclnnReluGetWorkspaceSize(tensor(), tensor(), &size, &executor));
    aclrtResetDevice(0);
    aclFinalize();
    return 0;
}
