/* Two streams and no event between them: the second reads what the first may still write.
 *
 * links: new
 * calls: aclnnRelu 1, aclnnMul 1
 * error: memory.race
 */
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream first;
        host::Stream second;
        host::Tensor x({8, 8}, ACL_FLOAT, std::vector<float>(64, 3.0f));
        host::Tensor y({8, 8}, ACL_FLOAT);
        host::Tensor z({8, 8}, ACL_FLOAT);
        uint64_t sizes[2] = {0, 0};
        aclOpExecutor *executors[2] = {nullptr, nullptr};
        CHECK(aclnnReluGetWorkspaceSize(x.get(), y.get(), &sizes[0], &executors[0]));
        CHECK(aclnnMulGetWorkspaceSize(y.get(), x.get(), z.get(), &sizes[1], &executors[1]));
        host::Memory workspace(sizes[0]);
        host::Memory another(sizes[1]);
        CHECK(aclnnRelu(workspace.get(), sizes[0], executors[0], first));
        CHECK(aclnnMul(another.get(), sizes[1], executors[1], second));
        CHECK(aclrtSynchronizeStream(first));
        CHECK(aclrtSynchronizeStream(second));
    });
}
