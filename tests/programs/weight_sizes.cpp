/* What the functions beside operators compute: sizes of weights, with batches and groups, and parameters of quantisation
 * that are padded. The weight of a convolution says afterwards how it is laid out.
 *
 * links: new
 * soc: Ascend310P3
 * calls: aclnnCalculateConvolutionWeightSize 5, aclnnCalculateMatmulWeightSize 1, aclnnCalculateMatmulWeightSizeV2 2, aclnnTransConvolutionWeight 1
 * says: 16384 16384 4608 9216
 * says: 262144 442368 147456
 * says: 33 x 2 x 16 x 16
 */
#include "aclnnop/aclnn_trans_convolution_weight.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "host.hpp"

#include <initializer_list>

namespace {

uint64_t convolution(std::initializer_list<int64_t> dims, int64_t groups)
{
    uint64_t size = 0;
    aclIntArray *shape = aclCreateIntArray(dims.begin(), dims.size());
    CHECK(aclnnCalculateConvolutionWeightSize(shape, false, groups, ACL_FLOAT16, &size));
    aclDestroyIntArray(shape);
    return size;
}

template <typename Function, typename... Rest>
uint64_t matmul(Function function, std::initializer_list<int64_t> dims, Rest... rest)
{
    uint64_t size = 0;
    aclIntArray *shape = aclCreateIntArray(dims.begin(), dims.size());
    CHECK(function(shape, rest..., &size));
    aclDestroyIntArray(shape);
    return size;
}

} // namespace

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        /* groups of (1, 1) channels fill a block sixteen at a time, of (16, 16) they have one each */
        std::printf("%llu %llu %llu %llu\n", static_cast<unsigned long long>(convolution({2, 4, 8, 8}, 1)),
                    static_cast<unsigned long long>(convolution({4, 4, 8, 8}, 2)),
                    static_cast<unsigned long long>(convolution({32, 1, 3, 3}, 32)),
                    static_cast<unsigned long long>(convolution({64, 16, 3, 3}, 4)));
        std::printf("%llu %llu %llu\n",
                    static_cast<unsigned long long>(matmul(aclnnCalculateMatmulWeightSize, {510, 510})),
                    static_cast<unsigned long long>(matmul(aclnnCalculateMatmulWeightSizeV2, {3, 510, 270}, ACL_INT8)),
                    static_cast<unsigned long long>(matmul(aclnnCalculateMatmulWeightSizeV2, {510, 270}, ACL_INT8)));

        const std::vector<int64_t> dims = {20, 40, 1, 11}, steps = {440, 11, 11, 1};
        host::Tensor weight(dims, ACL_FLOAT16, ACL_FORMAT_NCHW);
        host::Memory room(convolution({20, 40, 1, 11}, 1) * 2);
        aclTensor *out = aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT16, steps.data(), 0, ACL_FORMAT_NCHW,
                                         dims.data(), dims.size(), room.get());
        RUN(aclnnTransConvolutionWeight, stream, weight.get(), false, int64_t{1}, out);
        int64_t *storage = nullptr;
        uint64_t rank = 0;
        CHECK(aclGetStorageShape(out, &storage, &rank));
        for (uint64_t i = 0; i < rank; i++) {
            std::printf("%s%lld", i == 0 ? "" : " x ", static_cast<long long>(storage[i]));
        }
        std::printf("\n");
        delete[] storage;
        aclDestroyTensor(out);
    });
}
