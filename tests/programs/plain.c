/* C11, without helpers: the device side in one function, released in reverse order behind labels.
 *
 * links: old
 * calls: aclnnRelu 1
 */
#include <stdio.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_relu.h"

enum { COUNT = 24 };

static int relu(aclrtStream stream, float *values)
{
    const int64_t shape[] = {2, 3, 4};
    const int64_t strides[] = {12, 4, 1};
    const size_t bytes = COUNT * sizeof(float);
    void *x = NULL;
    void *y = NULL;
    void *workspace = NULL;
    aclTensor *in = NULL;
    aclTensor *out = NULL;
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    int status = aclrtMalloc(&x, bytes, ACL_MEM_MALLOC_NORMAL_ONLY);
    if (status != 0) {
        return status;
    }
    status = aclrtMalloc(&y, bytes, ACL_MEM_MALLOC_NORMAL_ONLY);
    if (status != 0) {
        goto free_x;
    }
    status = aclrtMemcpy(x, bytes, values, bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    if (status != 0) {
        goto free_y;
    }
    in = aclCreateTensor(shape, 3, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 3, x);
    out = aclCreateTensor(shape, 3, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 3, y);
    status = in == NULL || out == NULL ? 1 : aclnnReluGetWorkspaceSize(in, out, &size, &executor);
    if (status == 0 && size > 0) {
        status = aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_NORMAL_ONLY);
    }
    if (status == 0) {
        status = aclnnRelu(workspace, size, executor, stream);
    }
    if (status == 0) {
        status = aclrtSynchronizeStream(stream);
    }
    if (status == 0) {
        status = aclrtMemcpy(values, bytes, y, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    }
    if (workspace != NULL) {
        aclrtFree(workspace);
    }
    if (in != NULL) {
        aclDestroyTensor(in);
    }
    if (out != NULL) {
        aclDestroyTensor(out);
    }
free_y:
    aclrtFree(y);
free_x:
    aclrtFree(x);
    return status;
}

int main(void)
{
    float *values = calloc(COUNT, sizeof *values);
    aclrtStream stream = NULL;
    int status = values == NULL ? 1 : aclInit(NULL);
    if (status == 0) {
        status = aclrtSetDevice(0);
    }
    if (status == 0) {
        status = aclrtCreateStream(&stream);
    }
    if (status == 0) {
        status = relu(stream, values);
        aclrtDestroyStream(stream);
    }
    aclrtResetDevice(0);
    aclFinalize();
    free(values);
    printf("status %d\n", status);
    return status != 0;
}
