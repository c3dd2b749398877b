/* A whole host program, as C11 and as C++17: adds two tensors; its output is the status of every step that failed. */
#include <stdio.h>
#include <stdlib.h>

#include "acl/acl.h"
#include HEADER

#define DO(call)                                                                                                       \
    do {                                                                                                               \
        const int status = (call);                                                                                     \
        if (status != 0)                                                                                               \
            printf("%s: %d\n", #call, status);                                                                         \
    } while (0)

static aclTensor *tensor(const int64_t *shape, void **memory)
{
    const int64_t strides[] = {shape[1], 1};
    DO(aclrtMalloc(memory, (size_t)(shape[0] * shape[1]) * 4, ACL_MEM_MALLOC_HUGE_FIRST));
    return aclCreateTensor(shape, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 2, *memory);
}

int main(void)
{
    const int64_t shape[] = {4, 2};
    void *memory[3] = {NULL, NULL, NULL}, *workspace = NULL;
    float one = 1, values[8] = {0};
    uint64_t size = 0;
    aclrtStream stream = NULL;
    aclOpExecutor *executor = NULL;
    DO(aclInit(NULL));
    DO(aclrtSetDevice(0));
    DO(aclrtCreateStream(&stream));
    aclTensor *self = tensor(shape, &memory[0]), *other = tensor(shape, &memory[1]), *out = tensor(shape, &memory[2]);
    aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
    for (int i = 0; i < 2; ++i)
        DO(aclrtMemcpy(memory[i], sizeof values, values, sizeof values, ACL_MEMCPY_HOST_TO_DEVICE));
    DO(aclnnAddGetWorkspaceSize(self, other, alpha, out, &size, &executor));
    if (size > 0)
        DO(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
    DO(aclnnAdd(workspace, size, executor, stream));
    DO(aclrtSynchronizeStream(stream));
    DO(aclrtMemcpy(values, sizeof values, memory[2], sizeof values, ACL_MEMCPY_DEVICE_TO_HOST));
    DO(aclDestroyTensor(self));
    DO(aclDestroyTensor(other));
    DO(aclDestroyTensor(out));
    DO(aclDestroyScalar(alpha));
    for (int i = 0; i < 3; ++i)
        DO(aclrtFree(memory[i]));
    if (workspace != NULL)
        DO(aclrtFree(workspace));
    DO(aclrtDestroyStream(stream));
    DO(aclrtResetDevice(0));
    DO(aclFinalize());
    printf("soc %s\n", aclrtGetSocName());
    return 0;
}
