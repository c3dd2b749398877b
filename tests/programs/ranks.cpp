/* A thread per rank: all communicators are made at once, each thread joins with the name of its own.
 *
 * links: new
 * calls: aclnnMatmulAllReduce 2
 */
#include "aclnnop/aclnn_matmul_all_reduce.h"
#include "hccl/hccl.h"
#include "ranks.hpp"

constexpr uint32_t RANKS = 2;

struct Rank {
    int32_t device = 0;
    HcclComm comm = nullptr;
    aclrtContext context = nullptr;
    aclrtStream stream = nullptr;
};

static void work(const Rank &rank)
{
    CHECK(aclrtSetCurrentContext(rank.context));
    char group[128] = {0};
    CHECK(HcclGetCommName(rank.comm, group));
    uint32_t id = 99;
    uint32_t size = 0;
    CHECK(HcclGetRankId(rank.comm, &id));
    CHECK(HcclGetRankSize(rank.comm, &size));
    if (size != RANKS || id != static_cast<uint32_t>(rank.device)) {
        throw std::runtime_error("the communicator has other ranks");
    }
    host::Tensor x1({32, 64}, ACL_FLOAT16);
    host::Tensor x2({64, 128}, ACL_FLOAT16);
    host::Tensor bias({128}, ACL_FLOAT16);
    host::Tensor out({32, 128}, ACL_FLOAT16);
    RUN(aclnnMatmulAllReduce, rank.stream, x1.get(), x2.get(), bias.get(), group, "sum", int64_t{0}, int64_t{1},
        out.get());
}

int main()
{
    return host::guarded([] {
        CHECK(aclInit(nullptr));
        std::vector<Rank> ranks(RANKS);
        int32_t devices[RANKS];
        HcclComm comms[RANKS];
        for (uint32_t i = 0; i < RANKS; ++i) {
            Rank &rank = ranks[i];
            rank.device = devices[i] = static_cast<int32_t>(i);
            CHECK(aclrtSetDevice(rank.device));
            CHECK(aclrtCreateContext(&rank.context, rank.device));
            CHECK(aclrtSetCurrentContext(rank.context));
            CHECK(aclrtCreateStream(&rank.stream));
        }
        CHECK(HcclCommInitAll(RANKS, devices, comms));
        for (uint32_t i = 0; i < RANKS; ++i) {
            ranks[i].comm = comms[i];
        }
        host::each_rank(RANKS, [&](uint32_t i) { work(ranks[i]); });
        for (Rank &rank : ranks) {
            CHECK(HcclCommDestroy(rank.comm));
            CHECK(aclrtSetCurrentContext(rank.context));
            CHECK(aclrtDestroyStream(rank.stream));
            CHECK(aclrtDestroyContext(rank.context));
            CHECK(aclrtResetDevice(rank.device));
        }
        CHECK(aclFinalize());
    });
}
