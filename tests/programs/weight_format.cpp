/* Weights in private formats: their sizes by the helpers, the conversions, and a product with the result.
 *
 * links: new
 * calls: aclnnNpuFormatCast 1, aclnnTransMatmulWeight 1, aclnnNpuFormatCastCalculateSizeAndFormat 1, aclnnCalculateMatmulWeightSizeV2 1, aclnnMatmulWeightNz 1
 */
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "host.hpp"

#include <cstdlib>

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor weight({64, 96}, ACL_FLOAT16);
        int64_t *storage = nullptr;
        uint64_t rank = 0;
        int format = 0;
        CHECK(aclnnNpuFormatCastCalculateSizeAndFormat(weight.get(), ACL_FORMAT_FRACTAL_NZ, ACL_FLOAT16, &storage, &rank,
                                                       &format));
        const std::vector<int64_t> shape(storage, storage + rank);
        delete[] storage;
        if (shape != std::vector<int64_t>{6, 4, 16, 16} || format != ACL_FORMAT_FRACTAL_NZ) {
            throw std::runtime_error("the fractal shape is another one");
        }
        host::Memory memory(host::elements(shape) * 2);
        const std::vector<int64_t> view = weight.shape();
        const int64_t strides[2] = {view[1], 1};
        aclTensor *cast = aclCreateTensor(view.data(), view.size(), ACL_FLOAT16, strides, 0,
                                          static_cast<aclFormat>(format), shape.data(), shape.size(), memory.get());
        RUN(aclnnNpuFormatCast, stream, weight.get(), cast);
        aclDestroyTensor(cast);

        uint64_t count = 0;
        aclIntArray *dims = aclCreateIntArray(view.data(), view.size());
        CHECK(aclnnCalculateMatmulWeightSizeV2(dims, ACL_FLOAT16, &count));
        aclDestroyIntArray(dims);
        host::Memory room(count * 2);
        aclTensor *kept = aclCreateTensor(view.data(), view.size(), ACL_FLOAT16, strides, 0, ACL_FORMAT_ND, view.data(),
                                          view.size(), room.get());
        RUN(aclnnTransMatmulWeight, stream, kept);
        aclFormat label = ACL_FORMAT_ND;
        CHECK(aclGetFormat(kept, &label));
        CHECK(aclGetStorageShape(kept, &storage, &rank));
        if (label != ACL_FORMAT_FRACTAL_NZ || std::vector<int64_t>(storage, storage + rank) != shape) {
            throw std::runtime_error("the handle does not say what the weight has become");
        }
        delete[] storage;
        host::Tensor self({32, 64}, ACL_FLOAT16), out({32, 96}, ACL_FLOAT16);
        RUN(aclnnMatmulWeightNz, stream, self.get(), kept, out.get(), int8_t{0});
        aclDestroyTensor(kept);
        std::printf("%llu elements\n", static_cast<unsigned long long>(count));
    });
}
