/* A format that the page excludes and no runtime looks at: each call comes back with success, illegal all the same.
 *
 * links: new
 * calls: aclnnRelu 3, silent 2
 * error: aclnnRelu/self.format 2
 */
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor out({1, 2, 4, 4}, ACL_FLOAT);
        for (aclFormat format : {ACL_FORMAT_NCHW, ACL_FORMAT_ND, ACL_FORMAT_NHWC}) {
            host::Tensor x({1, 2, 4, 4}, ACL_FLOAT, format);
            RUN(aclnnRelu, stream, x.get(), out.get());
        }
    });
}
