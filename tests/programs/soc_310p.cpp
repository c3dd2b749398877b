/* A program of 310P: boxes that overlap are left out, by an operator that no other product has.
 *
 * links: old
 * soc: Ascend310P3
 * calls: aclnnNonMaxSuppression 1
 */
#include "aclnnop/aclnn_non_max_suppression.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        if (std::string(aclrtGetSocName()).find("310P") == std::string::npos) {
            throw std::runtime_error("this program is for another SoC");
        }
        host::Session session;
        host::Stream stream;
        host::Tensor boxes({1, 8, 4}, ACL_FLOAT), scores({1, 2, 8}, ACL_FLOAT), chosen({8, 3}, ACL_INT32);
        const int64_t most = 4;
        const float overlap = 0.5f, least = 0.1f;
        aclIntArray *count = aclCreateIntArray(&most, 1);
        aclFloatArray *iou = aclCreateFloatArray(&overlap, 1), *score = aclCreateFloatArray(&least, 1);
        RUN(aclnnNonMaxSuppression, stream, boxes.get(), scores.get(), count, iou, score, int32_t{0}, chosen.get());
        aclDestroyIntArray(count);
        aclDestroyFloatArray(iou);
        aclDestroyFloatArray(score);
    });
}
