/* Two streams with one workspace; then one after the other, which is right.
 *
 * links: new
 * calls: aclnnMatmul 4
 * error: memory.race
 */
#include "aclnnop/aclnn_matmul.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream streams[2];
        host::Tensor a({64, 64}, ACL_FLOAT16);
        host::Tensor b({64, 64}, ACL_FLOAT16);
        host::Tensor products[2] = {{{64, 64}, ACL_FLOAT16}, {{64, 64}, ACL_FLOAT16}};
        uint64_t size = 0;
        aclOpExecutor *executors[4] = {};
        for (int i = 0; i < 4; i++) {
            CHECK(aclnnMatmulGetWorkspaceSize(a.get(), b.get(), products[i % 2].get(), 1, &size, &executors[i]));
        }
        host::Memory workspace(size);
        for (int i = 0; i < 4; i++) {
            CHECK(aclnnMatmul(workspace.get(), size, executors[i], streams[i % 2]));
            if (i > 0) {
                streams[i % 2].wait();
                streams[1 - i % 2].wait();
            }
        }
    });
}
