/* A group by root information, and two halves of it: every rank calls an operator in the half that it belongs to.
 *
 * links: new
 * calls: aclnnMatmulAllReduce 4
 */
#include "aclnnop/aclnn_matmul_all_reduce.h"
#include "hccl/hccl.h"
#include "ranks.hpp"

namespace {

constexpr uint32_t RANKS = 4;

void work(uint32_t rank, const HcclRootInfo &root)
{
    CHECK(aclrtSetDevice(static_cast<int32_t>(rank)));
    {
        host::Stream stream;
        HcclComm all = nullptr, half = nullptr;
        CHECK(HcclCommInitRootInfo(RANKS, &root, rank, &all));
        HcclCommConfig config;
        HcclCommConfigInit(&config);
        uint32_t ranks[] = {rank % 2, rank % 2 + 2};
        CHECK(HcclCreateSubCommConfig(&all, 2, ranks, rank % 2 + 1, rank / 2, &config, &half));
        char group[128] = {};
        CHECK(HcclGetCommName(half, group));
        host::Tensor x1({32, 64}, ACL_BF16), x2({64, 128}, ACL_BF16), out({32, 128}, ACL_BF16);
        RUN(aclnnMatmulAllReduce, stream, x1.get(), x2.get(), nullptr, group, "sum", int64_t{0}, int64_t{1}, out.get());
        CHECK(HcclBarrier(all, stream));
        stream.wait();
        CHECK(HcclCommDestroy(half));
        CHECK(HcclCommDestroy(all));
    }
    CHECK(aclrtResetDevice(static_cast<int32_t>(rank)));
}

} // namespace

int main()
{
    return host::guarded([] {
        host::Session session;
        HcclRootInfo root;
        CHECK(HcclGetRootInfo(&root));
        host::each_rank(RANKS, [&](uint32_t rank) { work(rank, root); });
    });
}
