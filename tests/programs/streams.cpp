/* Two streams and an event between them: the second waits for what the first has made.
 *
 * links: new
 * calls: aclnnRelu 1, aclnnMul 1
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
        aclrtEvent made = nullptr;
        CHECK(aclrtCreateEvent(&made));
        host::Tensor x({8, 8}, ACL_FLOAT, std::vector<float>(64, 3.0f));
        host::Tensor y({8, 8}, ACL_FLOAT);
        host::Tensor z({8, 8}, ACL_FLOAT);
        uint64_t sizes[2] = {0, 0};
        aclOpExecutor *executors[2] = {nullptr, nullptr};
        CHECK(aclnnReluGetWorkspaceSize(x.get(), y.get(), &sizes[0], &executors[0]));
        host::Memory workspace(sizes[0]);
        CHECK(aclnnRelu(workspace.get(), sizes[0], executors[0], first));
        CHECK(aclrtRecordEvent(made, first));
        CHECK(aclrtStreamWaitEvent(second, made));
        CHECK(aclnnMulGetWorkspaceSize(y.get(), x.get(), z.get(), &sizes[1], &executors[1]));
        host::Memory another(sizes[1]);
        CHECK(aclnnMul(another.get(), sizes[1], executors[1], second));
        CHECK(aclrtSynchronizeStream(second));
        CHECK(aclrtSynchronizeStream(first));
        std::vector<float> values(64);
        CHECK(aclrtMemcpyAsync(values.data(), 256, z.data(), 256, ACL_MEMCPY_DEVICE_TO_HOST, second));
        CHECK(aclrtSynchronizeStream(second));
        CHECK(aclrtDestroyEvent(made));
    });
}
