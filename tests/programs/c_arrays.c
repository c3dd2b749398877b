/* C11 with clang: arrays and strings by _Generic, cleanup in the order of labels.
 *
 * links: new
 * built: clang -std=c11
 * calls: aclnnReduceSum 1
 */
#include <stdint.h>
#include <stdio.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_reduce_sum.h"

#define SIZE_OF(array) (sizeof(array) / sizeof((array)[0]))
#define ARRAY(values)                                                                                                  \
    _Generic((values), int64_t *: aclCreateIntArray, const int64_t *: aclCreateIntArray)(values, SIZE_OF(values))

static aclTensor *tensor(const int64_t *dims, const int64_t *strides, uint64_t rank, void *memory)
{
    return aclCreateTensor(dims, rank, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, rank, memory);
}

int main(void)
{
    static const int64_t dims[] = {4, 8}, steps[] = {8, 1}, left[] = {4}, step[] = {1}, last[] = {-1};
    int failed = 1;
    aclrtStream stream = NULL;
    void *in = NULL, *out = NULL, *workspace = NULL;
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    if (aclInit(NULL) != ACL_SUCCESS)
        return failed;
    if (aclrtSetDevice(0) != ACL_SUCCESS)
        goto finalize;
    if (aclrtCreateStream(&stream) != ACL_SUCCESS)
        goto reset;
    if (aclrtMalloc(&in, 128, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS)
        goto stream;
    if (aclrtMalloc(&out, 16, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS)
        goto in;
    aclTensor *self = tensor(dims, steps, 2, in), *sum = tensor(left, step, 1, out);
    aclIntArray *axes = ARRAY(last);
    if (aclnnReduceSumGetWorkspaceSize(self, axes, false, ACL_FLOAT, sum, &size, &executor) != ACL_SUCCESS)
        goto objects;
    if (size > 0 && aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS)
        goto objects;
    if (aclnnReduceSum(workspace, size, executor, stream) == ACL_SUCCESS)
        failed = aclrtSynchronizeStream(stream) != ACL_SUCCESS;
    if (workspace != NULL)
        (void)aclrtFree(workspace);
objects:
    (void)aclDestroyTensor(self);
    (void)aclDestroyTensor(sum);
    (void)aclDestroyIntArray(axes);
    (void)aclrtFree(out);
in:
    (void)aclrtFree(in);
stream:
    (void)aclrtDestroyStream(stream);
reset:
    (void)aclrtResetDevice(0);
finalize:
    (void)aclFinalize();
    return failed;
}
