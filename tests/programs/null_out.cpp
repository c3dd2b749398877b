/* A forgotten output, and a forgotten input: both are refused, neither crashes.
 *
 * links: old
 * calls: aclnnRelu 2, refused 2
 * error: aclnnRelu/out.null
 * error: aclnnRelu/self.null
 * says: first 161001
 * says: second 161001
 */
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Tensor x({4, 8}, ACL_FLOAT);
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        std::printf("first %d\n", aclnnReluGetWorkspaceSize(x.get(), nullptr, &size, &executor));
        std::printf("second %d\n", aclnnReluGetWorkspaceSize(nullptr, x.get(), &size, &executor));
    });
}
