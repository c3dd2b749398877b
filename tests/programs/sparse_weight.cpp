/* A weight with two of every four elements, packed on the host: dense values, their places, and the dims of both.
 *
 * links: new
 * calls: aclnnTransSparse4to2Para 1
 * says: 2 x 2 x 16 x 32, 2 x 2 x 16 x 8
 */
#include "aclnnop/aclnn_sparse4to2quant_matmul_weight_nz.h"
#include "host.hpp"

static std::string joined(const int64_t *dims, uint64_t count)
{
    std::string text;
    for (uint64_t i = 0; i < count; i++) {
        text += (i == 0 ? "" : " x ") + std::to_string(dims[i]);
    }
    return text;
}

int main()
{
    return host::guarded([] {
        host::Session session;
        const std::vector<int64_t> shape = {20, 72};
        const std::vector<int8_t> weight(host::elements(shape));
        aclIntArray *dims = aclCreateIntArray(shape.data(), shape.size());
        int8_t *dense = nullptr;
        uint8_t *places = nullptr;
        int64_t *dense_dims = nullptr, *places_dims = nullptr;
        uint64_t dense_rank = 0, places_rank = 0;
        CHECK(aclnnTransSparse4to2Para(weight.data(), dims, &dense, &dense_dims, &dense_rank, &places, &places_dims,
                                       &places_rank));
        aclDestroyIntArray(dims);
        std::printf("%s, %s\n", joined(dense_dims, dense_rank).c_str(), joined(places_dims, places_rank).c_str());
        delete[] dense;
        delete[] places;
        delete[] dense_dims;
        delete[] places_dims;
    });
}
