/* A transposed view with an offset, getters that give out arrays, and halves converted on the host.
 *
 * links: new
 * calls: aclnnMatmul 1
 */
#include "aclnnop/aclnn_matmul.h"
#include "host.hpp"

#include <cstdlib>

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        std::vector<aclFloat16> halves(100, aclFloatToFloat16(0.5f));
        if (aclFloat16ToFloat(halves[0]) != 0.5f || aclDataTypeSize(ACL_FLOAT16) != 2) {
            throw std::runtime_error("a half is no half");
        }
        host::Memory memory(halves.size() * 2);
        CHECK(aclrtMemcpy(memory.get(), memory.size(), halves.data(), halves.size() * 2, ACL_MEMCPY_HOST_TO_DEVICE));
        /* the second to fifth column of a 10 x 10 matrix, transposed */
        const int64_t shape[2] = {4, 10};
        const int64_t strides[2] = {1, 10};
        const int64_t storage[1] = {100};
        aclTensor *view = aclCreateTensor(shape, 2, ACL_FLOAT16, strides, 1, ACL_FORMAT_ND, storage, 1, memory.get());
        host::Tensor other({10, 6}, ACL_FLOAT16);
        host::Tensor out({4, 6}, ACL_FLOAT16);
        RUN(aclnnMatmul, stream, view, other.get(), out.get(), int8_t{1});

        int64_t *dims = nullptr;
        int64_t *steps = nullptr;
        uint64_t rank = 0;
        uint64_t count = 0;
        int64_t offset = 0;
        aclDataType dtype = ACL_DT_UNDEFINED;
        aclFormat format = ACL_FORMAT_UNDEFINED;
        CHECK(aclGetViewShape(view, &dims, &rank));
        CHECK(aclGetViewStrides(view, &steps, &count));
        CHECK(aclGetViewOffset(view, &offset));
        CHECK(aclGetDataType(view, &dtype));
        CHECK(aclGetFormat(view, &format));
        const bool same = rank == 2 && count == 2 && dims[0] == 4 && dims[1] == 10 && steps[0] == 1 && steps[1] == 10 &&
                          offset == 1 && dtype == ACL_FLOAT16 && format == ACL_FORMAT_ND;
        delete[] dims;
        delete[] steps;
        aclDestroyTensor(view);
        if (!same) {
            throw std::runtime_error("the view is another one");
        }
    });
}
