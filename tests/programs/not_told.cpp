/* A private format that the page excludes and no runtime looks at: the call succeeds, and is illegal all the same.
 *
 * links: new
 * calls: aclnnRelu 3, silent 2
 * error: aclnnRelu/self.private-format 2
 */
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor out({1, 1, 16, 16}, ACL_FLOAT);
        for (aclFormat format : {ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, ACL_FORMAT_FRACTAL_NZ}) {
            host::Tensor x({1, 1, 16, 16}, ACL_FLOAT, format);
            RUN(aclnnRelu, stream, x.get(), out.get());
        }
    });
}
