/* An executor that is kept and run many times, with other memory behind its tensors each time, and destroyed.
 *
 * links: new
 * calls: aclnnRelu 1
 */
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor x({64}, ACL_FLOAT, std::vector<float>(64, -1.0f));
        host::Tensor y({64}, ACL_FLOAT);
        host::Memory otherX(64 * sizeof(float));
        host::Memory otherY(64 * sizeof(float));
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        CHECK(aclnnReluGetWorkspaceSize(x.get(), y.get(), &size, &executor));
        CHECK(aclSetAclOpExecutorRepeatable(executor));
        host::Memory workspace(size);
        for (int i = 0; i < 4; ++i) {
            CHECK(aclnnRelu(workspace.get(), size, executor, stream));
        }
        CHECK(aclSetInputTensorAddr(executor, 0, x.get(), otherX.get()));
        CHECK(aclSetOutputTensorAddr(executor, 0, y.get(), otherY.get()));
        CHECK(aclnnRelu(workspace.get(), size, executor, stream));
        stream.wait();
        CHECK(aclDestroyAclOpExecutor(executor));
        std::printf("%zu values\n", y.read<float>().size());
    });
}
