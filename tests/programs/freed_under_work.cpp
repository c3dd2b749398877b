/* A function gives an operator to a stream and frees what it uses before the stream was waited for; then behind it,
 * which is right.
 *
 * links: new
 * calls: aclnnMatmul 2
 * error: memory.freed-in-use 2
 */
#include "aclnnop/aclnn_matmul.h"
#include "host.hpp"

static void multiply(const host::Stream &stream, host::Tensor &b, host::Tensor &c, bool wait)
{
    host::Tensor a({64, 64}, ACL_FLOAT16);
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    CHECK(aclnnMatmulGetWorkspaceSize(a.get(), b.get(), c.get(), 1, &size, &executor));
    host::Memory workspace(size);
    CHECK(aclnnMatmul(workspace.get(), size, executor, stream));
    if (wait) {
        stream.wait();
    }
}

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor b({64, 64}, ACL_FLOAT16);
        host::Tensor c({64, 64}, ACL_FLOAT16);
        multiply(stream, b, c, false);
        stream.wait();
        multiply(stream, b, c, true);
    });
}
