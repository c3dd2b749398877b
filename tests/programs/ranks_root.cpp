/* A thread per rank that joins with the root's information, and a barrier before the matrices are gathered.
 *
 * links: new
 * calls: aclnnAllGatherMatmul 2
 */
#include "aclnnop/aclnn_all_gather_matmul.h"
#include "hccl/hccl.h"
#include "ranks.hpp"

constexpr uint32_t RANKS = 2;

static void work(uint32_t id, const HcclRootInfo &root)
{
    CHECK(aclrtSetDevice(static_cast<int32_t>(id)));
    {
        host::Stream stream;
        HcclComm comm = nullptr;
        CHECK(HcclCommInitRootInfo(RANKS, &root, id, &comm));
        CHECK(HcclBarrier(comm, stream));
        stream.wait();
        char group[128] = {0};
        CHECK(HcclGetCommName(comm, group));
        host::Tensor x1({32, 256}, ACL_BF16);
        host::Tensor x2({256, 128}, ACL_BF16);
        host::Tensor out({32 * RANKS, 128}, ACL_BF16);
        host::Tensor gathered({32 * RANKS, 256}, ACL_BF16);
        RUN(aclnnAllGatherMatmul, stream, x1.get(), x2.get(), nullptr, group, int64_t{0}, int64_t{0}, int64_t{1},
            out.get(), gathered.get());
        CHECK(HcclCommDestroy(comm));
    }
    CHECK(aclrtResetDevice(static_cast<int32_t>(id)));
}

int main()
{
    return host::guarded([] {
        CHECK(aclInit(nullptr));
        CHECK(aclrtSetDevice(0));
        HcclRootInfo root;
        CHECK(HcclGetRootInfo(&root));
        host::each_rank(RANKS, [&](uint32_t id) { work(id, root); });
        CHECK(aclrtResetDevice(0));
        CHECK(aclFinalize());
    });
}
