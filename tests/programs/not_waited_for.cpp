/* The result is copied before the stream was waited for.
 *
 * links: new
 * calls: aclnnRelu 1
 * error: memory.unsynchronised
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
        std::printf("%zu values\n", y.read<float>().size());
        stream.wait();
    });
}
