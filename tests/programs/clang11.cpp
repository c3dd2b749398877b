/* clang and C++11: the vendor's declarations of in-place operators, const as they have it, stand beside the header's.
 *
 * links: old
 * built: clang++ -std=c++11
 * calls: aclnnInplaceAdd 1
 */
#include <cstdio>

#include "acl/acl.h"
#include "aclnnop/level2/aclnn_add.h"

extern "C" {
aclnnStatus aclnnInplaceAddGetWorkspaceSize(const aclTensor *selfRef, const aclTensor *other, const aclScalar *alpha,
                                            uint64_t *workspaceSize, aclOpExecutor **executor);
ACLNN_API aclnnStatus aclnnInplaceAdd(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                      const aclrtStream stream);
}

int main()
{
    const int64_t length = 6, step = 1;
    int64_t once = 1;
    void *memory = nullptr, *workspace = nullptr;
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    int status = aclInit(nullptr);
    status |= aclrtSetDevice(0);
    status |= aclrtMalloc(&memory, 48, ACL_MEM_MALLOC_HUGE_ONLY);
    const aclTensor *self = aclCreateTensor(&length, 1, ACL_INT64, &step, 0, ACL_FORMAT_ND, &length, 1, memory);
    aclScalar *alpha = aclCreateScalar(&once, ACL_INT64);
    status |= aclnnInplaceAddGetWorkspaceSize(self, self, alpha, &size, &executor);
    if (size > 0) {
        status |= aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_ONLY);
    }
    status |= aclnnInplaceAdd(workspace, size, executor, nullptr); /* the default stream */
    status |= aclrtSynchronizeDevice();
    aclDestroyTensor(self);
    aclDestroyScalar(alpha);
    if (workspace != nullptr) {
        status |= aclrtFree(workspace);
    }
    status |= aclrtFree(memory);
    status |= aclrtResetDevice(0);
    status |= aclFinalize();
    return status == OK ? 0 : 1;
}
