/* Tensors that a helper destroys before the second phase runs: handles that hang.
 *
 * links: new
 * calls: aclnnRelu 1
 * error: tensor.destroyed
 */
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

struct Plan {
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
};

static Plan plan()
{
    host::Tensor x({16}, ACL_FLOAT);
    host::Tensor y({16}, ACL_FLOAT);
    Plan made;
    CHECK(aclnnReluGetWorkspaceSize(x.get(), y.get(), &made.size, &made.executor));
    return made;
}

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        const Plan made = plan();
        host::Memory workspace(made.size);
        const int status = aclnnRelu(workspace.get(), made.size, made.executor, stream);
        aclrtSynchronizeStream(stream);
        std::printf("status %d\n", status);
    });
}
