/* A weight that is converted in place, as it lies or as a view that is turned: products take it as what it has become.
 *
 * links: old
 * calls: aclnnTransMatmulWeight 2, aclnnMatmulWeightNz 2
 */
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "host.hpp"

static void multiply(bool turned, aclrtStream stream)
{
    const int64_t m = 16, k = 48, n = 80;
    const std::vector<int64_t> dims = {k, n}, steps = turned ? std::vector<int64_t>{1, k} : std::vector<int64_t>{n, 1};
    const std::vector<int64_t> stored = turned ? std::vector<int64_t>{n, k} : dims;
    host::Tensor self({m, k}, ACL_BF16), out({m, n}, ACL_BF16);
    host::Memory memory(host::elements(dims) * sizeof(uint16_t));
    aclTensor *weight = aclCreateTensor(dims.data(), 2, ACL_BF16, steps.data(), 0, ACL_FORMAT_ND, stored.data(), 2,
                                        memory.get());
    RUN(aclnnTransMatmulWeight, stream, weight);
    RUN(aclnnMatmulWeightNz, stream, self.get(), weight, out.get(), int8_t{0});
    aclDestroyTensor(weight);
}

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        multiply(false, stream);
        multiply(true, stream);
    });
}
