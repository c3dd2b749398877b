/* Calls functions of one phase as a host program does. */
#include <stdio.h>
#include <stdlib.h>

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"

int main(void)
{
    extern void _ZdaPv(void *) __attribute__((weak)); /* delete[] */
    const int64_t dims[] = {510, 510};
    uint64_t elements = 0, rank = 0;
    int64_t *shape = NULL;
    int format = 0;
    aclIntArray *array = aclCreateIntArray(dims, 2);
    aclTensor *tensor = aclCreateTensor(dims, 2, ACL_FLOAT16, NULL, 0, ACL_FORMAT_ND, dims, 2, NULL);
    if (aclnnCalculateMatmulWeightSize(array, &elements) != 0)
        return 1;
    if (aclnnNpuFormatCastCalculateSizeAndFormat(tensor, 29, 1, &shape, &rank, &format) != 0)
        return 1;
    printf("%llu %llu\n", (unsigned long long)elements, (unsigned long long)rank);
    _ZdaPv != NULL ? _ZdaPv(shape) : free(shape);
    return aclDestroyIntArray(array) + aclDestroyTensor(tensor);
}
