// A host program as it is written for a device: a product of two matrices. It has two faults on purpose: the second
// matrix was meant to be transposed, and one piece of memory is not freed.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_matmul.h"

struct Matrix {
    std::vector<int64_t> shape, strides;
    void *memory = nullptr;
    aclTensor *tensor = nullptr;

    Matrix(int64_t rows, int64_t columns) : shape{rows, columns}, strides{columns, 1}
    {
        aclrtMalloc(&memory, static_cast<size_t>(rows * columns) * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
        tensor = aclCreateTensor(shape.data(), 2, ACL_FLOAT, strides.data(), 0, ACL_FORMAT_ND, shape.data(), 2, memory);
    }
    ~Matrix() { aclDestroyTensor(tensor); }
};

int main()
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    {
        Matrix a(16, 32), b(64, 32), product(16, 64);
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        const int status = aclnnMatmulGetWorkspaceSize(a.tensor, b.tensor, product.tensor, 1, &size, &executor);
        if (status == ACL_SUCCESS) {
            void *workspace = nullptr;
            if (size > 0) {
                aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
            }
            aclnnMatmul(workspace, size, executor, stream);
            aclrtSynchronizeStream(stream);
            aclrtFree(workspace);
        } else {
            std::printf("no product: %d\n", status);
        }
        aclrtFree(a.memory);
        aclrtFree(product.memory);
    }
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
    return 0;
}
