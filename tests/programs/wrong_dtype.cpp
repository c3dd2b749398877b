/* An output of a dtype that no promotion leads to: refused, with a message that names the rule.
 *
 * links: new
 * exit: 3
 * calls: aclnnMatmul 1, refused 1
 * error: aclnnMatmul/self.dtype
 * says: 161002
 */
#include "aclnnop/aclnn_matmul.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor a({4, 8}, ACL_INT32);
        host::Tensor b({8, 4}, ACL_FLOAT);
        host::Tensor c({4, 4}, ACL_FLOAT);
        RUN(aclnnMatmul, stream, a.get(), b.get(), c.get(), int8_t{1});
    });
}
