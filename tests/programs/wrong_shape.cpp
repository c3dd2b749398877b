/* A loop over sizes with one that does not fit: the other calls go on, and the program hides the failure.
 *
 * links: new
 * calls: aclnnAdd 4, refused 1
 * error: aclnnAdd/self-other-broadcast
 */
#include "aclnnop/aclnn_add.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        float one = 1.0f;
        aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
        host::Tensor x({4, 8}, ACL_FLOAT);
        for (int64_t rows = 1; rows <= 4; ++rows) {
            try {
                host::Tensor y({rows == 3 ? 2 : rows % 2 == 0 ? 4 : 1, 8}, ACL_FLOAT);
                host::Tensor out({4, 8}, ACL_FLOAT);
                RUN(aclnnAdd, stream, x.get(), y.get(), alpha, out.get());
            } catch (const host::Failure &failure) {
                std::printf("rows %d: %s\n", static_cast<int>(rows), failure.what());
            }
        }
        aclDestroyScalar(alpha);
    });
}
