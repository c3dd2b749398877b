/* An executor run twice that was not made repeatable.
 *
 * links: new
 * calls: aclnnRelu 1
 * error: executor.reused
 */
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor x({16}, ACL_FLOAT);
        host::Tensor y({16}, ACL_FLOAT);
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        CHECK(aclnnReluGetWorkspaceSize(x.get(), y.get(), &size, &executor));
        host::Memory workspace(size);
        CHECK(aclnnRelu(workspace.get(), size, executor, stream));
        const int status = aclnnRelu(workspace.get(), size, executor, stream);
        stream.wait();
        std::printf("status %d\n", status);
    });
}
