/* A group that nobody made: no operator plans for it. The one that was made is right.
 *
 * links: new
 * calls: aclnnMatmulAllReduce 2
 * error: hccl.group
 * says: 561002 0
 */
#include "aclnnop/aclnn_matmul_all_reduce.h"
#include "hccl/hccl.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor x1({32, 64}, ACL_FLOAT16), x2({64, 128}, ACL_FLOAT16), out({32, 128}, ACL_FLOAT16);
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        const auto plan = [&](const char *group) {
            return aclnnMatmulAllReduceGetWorkspaceSize(x1.get(), x2.get(), nullptr, group, "sum", 0, 1, out.get(), &size,
                                                        &executor);
        };
        const int unknown = plan("hccl_world_group");
        HcclRootInfo root;
        HcclComm comm = nullptr;
        char group[128] = {};
        CHECK(HcclGetRootInfo(&root));
        CHECK(HcclCommInitRootInfo(1, &root, 0, &comm));
        CHECK(HcclGetCommName(comm, group));
        const int known = plan(group);
        std::printf("%d %d\n", unknown, known);
        CHECK(aclDestroyAclOpExecutor(executor));
        CHECK(HcclCommDestroy(comm));
    });
}
