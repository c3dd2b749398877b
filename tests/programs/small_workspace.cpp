/* A workspace of half the size that was asked for.
 *
 * links: new
 * calls: aclnnMatmul 1
 * error: workspace.memory
 */
#include "aclnnop/aclnn_matmul.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor a({64, 64}, ACL_FLOAT16);
        host::Tensor b({64, 64}, ACL_FLOAT16);
        host::Tensor c({64, 64}, ACL_FLOAT16);
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        CHECK(aclnnMatmulGetWorkspaceSize(a.get(), b.get(), c.get(), 1, &size, &executor));
        if (size < 2) {
            throw std::runtime_error("no workspace is wanted");
        }
        host::Memory workspace(size / 2);
        const int status = aclnnMatmul(workspace.get(), size, executor, stream);
        aclrtSynchronizeStream(stream);
        std::printf("status %d\n", status);
    });
}
