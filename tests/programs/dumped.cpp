/* Tensors that are asked what they are, and handed to a dump: shapes, strides, formats and addresses are what they were
 * made with, arrays are the caller's.
 *
 * links: new
 * calls: none
 * says: (2, 3) steps (1, 2) from 4, dtype 0, format 2
 */
#include <array>

#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        const std::array<int64_t, 2> shape = {2, 3}, steps = {1, 2}, stored = {4, 4};
        host::Memory memory(host::elements({4, 4}) * sizeof(float));
        aclTensor *tensor = aclCreateTensor(shape.data(), 2, ACL_FLOAT, steps.data(), 4, ACL_FORMAT_ND, stored.data(), 2,
                                            memory.get());
        int64_t *dims = nullptr, *strides = nullptr, offset = 0;
        uint64_t rank = 0;
        aclFormat format = ACL_FORMAT_NCHW;
        aclDataType dtype = ACL_INT8;
        void *address = nullptr;
        CHECK(aclGetViewShape(tensor, &dims, &rank));
        CHECK(aclGetViewStrides(tensor, &strides, &rank));
        CHECK(aclGetViewOffset(tensor, &offset));
        CHECK(aclGetFormat(tensor, &format));
        CHECK(aclGetDataType(tensor, &dtype));
        CHECK(aclGetRawTensorAddr(tensor, &address));
        std::printf("(%d, %d) steps (%d, %d) from %d, dtype %d, format %d\n", int(dims[0]), int(dims[1]),
                    int(strides[0]), int(strides[1]), int(offset), int(dtype), int(format));
        delete[] dims;
        delete[] strides;
        if (address != memory.get()) {
            throw std::runtime_error("the address is another one");
        }
        std::array<aclTensor *, 1> all = {tensor};
        CHECK(aclDumpOpTensors("Mine", "mine_0", all.data(), 1, 0, stream));
        aclDestroyTensor(tensor);
    });
}
