/* An operator of another product: the first phase refuses it, the program says why and ends in order.
 *
 * links: new
 * exit: 3
 * calls: aclnnNormalFloatFloat 1, refused 1
 * error: aclnnNormalFloatFloat/product
 * says: the operator is not supported on the Atlas A2
 */
#include "aclnnop/aclnn_normal_out.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor out({4}, ACL_FLOAT);
        RUN(aclnnNormalFloatFloat, stream, 0.0f, 1.0f, int64_t{7}, int64_t{0}, out.get());
    });
}
