/* A program of 950: it asks which SoC it runs on, and calls what only that one has.
 *
 * links: new
 * soc: Ascend950PR_9599
 * calls: aclnnApplyAdam 1, aclnnNormalFloatFloat 1
 * says: Ascend950PR_9599
 */
#include "aclnnop/aclnn_apply_adam.h"
#include "aclnnop/aclnn_normal_out.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        const std::string soc = aclrtGetSocName();
        std::printf("%s\n", soc.c_str());
        if (soc.rfind("Ascend950", 0) != 0) {
            throw std::runtime_error("this program is for another SoC");
        }
        host::Tensor var({4, 8}, ACL_FLOAT), m({4, 8}, ACL_FLOAT), v({4, 8}, ACL_FLOAT), grad({4, 8}, ACL_FLOAT);
        std::vector<host::Tensor> numbers;
        for (int i = 0; i < 6; i++) {
            numbers.emplace_back(std::vector<int64_t>{1}, ACL_FLOAT, std::vector<float>{0.5f});
        }
        RUN(aclnnNormalFloatFloat, stream, 0.0f, 1.0f, int64_t{7}, int64_t{0}, grad.get());
        RUN(aclnnApplyAdam, stream, var.get(), m.get(), v.get(), numbers[0].get(), numbers[1].get(), numbers[2].get(),
            numbers[3].get(), numbers[4].get(), numbers[5].get(), grad.get(), false, true);
    });
}
