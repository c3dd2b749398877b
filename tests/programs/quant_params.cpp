/* Quantisation parameters made on the host: three scales come back as sixteen, one as one.
 *
 * links: new
 * calls: aclnnTransQuantParam 2
 * says: 3 -> 16
 * says: 1 -> 1
 */
#include "aclnnop/aclnn_trans_quant_param.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        for (const std::vector<float> &scales : {std::vector<float>{1.0f, 0.5f, 0.25f}, std::vector<float>{2.0f}}) {
            uint64_t *made = nullptr, count = 0;
            CHECK(aclnnTransQuantParam(scales.data(), scales.size(), nullptr, 0, &made, &count));
            std::printf("%zu -> %llu\n", scales.size(), static_cast<unsigned long long>(count));
            host::Tensor scale({static_cast<int64_t>(count)}, ACL_UINT64, std::vector<uint64_t>(made, made + count));
            delete[] made;
        }
    });
}
