/* A private format that the page excludes and no runtime looks at: the call succeeds, and is illegal all the same.
 *
 * links: new
 * calls: aclnnAdd 3, silent 2
 * error: aclnnAdd/self.private-format 2
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
        host::Tensor y({16, 16}, ACL_FLOAT);
        host::Tensor out({16, 16}, ACL_FLOAT);
        for (aclFormat format : {ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, ACL_FORMAT_FRACTAL_NZ}) {
            host::Tensor x({16, 16}, ACL_FLOAT, format);
            RUN(aclnnAdd, stream, x.get(), y.get(), alpha, out.get());
        }
        aclDestroyScalar(alpha);
    });
}
