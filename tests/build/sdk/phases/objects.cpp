// A host program in C++17 that owns what it creates, and makes a few mistakes on purpose when it is told to.
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_npu_format_cast.h"

namespace {

using Tensor = std::unique_ptr<aclTensor, aclnnStatus (*)(const aclTensor *)>;
using Scalar = std::unique_ptr<aclScalar, aclnnStatus (*)(const aclScalar *)>;

Tensor MakeTensor(const std::vector<int64_t> &shape, void *data)
{
    return Tensor(aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape.data(),
                      shape.size(), data),
        aclDestroyTensor);
}

aclTensor *leaked; // destroyed by no one

// Destroyed after main, and before anything is said of leaks.
struct Late {
    Tensor tensor{nullptr, aclDestroyTensor};
} late;

int Add(const Tensor &self, const Tensor &other, aclrtStream stream)
{
    float one = 1;
    Scalar alpha(aclCreateScalar(&one, ACL_FLOAT), aclDestroyScalar);
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    int status = aclnnAddGetWorkspaceSize(self.get(), other.get(), alpha.get(), self.get(), &size, &executor);
    if (status != 0) {
        return status;
    }
    void *workspace = nullptr;
    aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
    status = aclnnAdd(workspace, size, executor, stream);
    aclrtSynchronizeStream(stream);
    aclrtFree(workspace);
    return status;
}

// The dims that a format cast leads to; arrays of the library's are released with delete[].
void PrintCast(const Tensor &tensor)
{
    int64_t *dims = nullptr;
    uint64_t rank = 0;
    int format = 0;
    const int status = aclnnNpuFormatCastCalculateSizeAndFormat(tensor.get(), 29, ACL_FLOAT, &dims, &rank, &format);
    std::unique_ptr<int64_t[]> owned(dims);
    std::printf("cast %d: format %d, dims", status, format);
    for (uint64_t i = 0; i < rank; ++i) {
        std::printf(" %d", static_cast<int>(owned[i]));
    }
    std::printf("\n");
}

} // namespace

int main(int argc, char **argv)
{
    const bool wrong = argc > 1 && std::strcmp(argv[1], "wrong") == 0;
    aclrtStream stream = nullptr;
    void *data = nullptr;
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    aclrtMalloc(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    {
        Tensor self = MakeTensor({4, 4}, data), other = MakeTensor({wrong ? 3 : 1, 4}, data);
        std::printf("add %d\n", Add(self, other, stream));
        std::printf("add %d\n", Add(self, self, stream));
        PrintCast(self);
        late.tensor = MakeTensor({1}, data);
        if (wrong) {
            leaked = MakeTensor({2, 2}, data).release();
            aclDestroyTensor(other.get());
        }
    }
    aclrtFree(data);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
