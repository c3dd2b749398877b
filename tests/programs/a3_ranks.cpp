/* Sixteen devices, as a machine with A3 has them: a thread and a context for each, all in one group.
 *
 * links: new
 * soc: Ascend910_9391
 * calls: aclnnAllGatherMatmul 16
 * says: 16 devices
 */
#include "aclnnop/aclnn_all_gather_matmul.h"
#include "hccl/hccl.h"
#include "ranks.hpp"

namespace {

void work(int32_t device, HcclComm comm)
{
    CHECK(aclrtSetDevice(device));
    {
        host::Stream stream;
        char group[128] = {};
        CHECK(HcclGetCommName(comm, group));
        uint32_t ranks = 0;
        CHECK(HcclGetRankSize(comm, &ranks));
        const int64_t m = 16, k = 256, n = 32, all = m * ranks;
        host::Tensor x1({m, k}, ACL_FLOAT16), x2({k, n}, ACL_FLOAT16), out({all, n}, ACL_FLOAT16);
        host::Tensor gathered({all, k}, ACL_FLOAT16);
        RUN(aclnnAllGatherMatmul, stream, x1.get(), x2.get(), nullptr, group, int64_t{0}, int64_t{0}, int64_t{1},
            out.get(), gathered.get());
    }
    CHECK(aclrtResetDevice(device));
}

} // namespace

int main()
{
    return host::guarded([] {
        CHECK(aclInit(nullptr));
        uint32_t count = 0;
        CHECK(aclrtGetDeviceCount(&count));
        std::printf("%u devices\n", count);
        std::vector<int32_t> devices(count);
        std::iota(devices.begin(), devices.end(), 0);
        std::vector<HcclComm> comms(count);
        CHECK(HcclCommInitAll(count, devices.data(), comms.data()));
        host::each_rank(count, [&](uint32_t i) { work(devices[i], comms[i]); });
        for (HcclComm comm : comms) {
            CHECK(HcclCommDestroy(comm));
        }
        CHECK(aclFinalize());
    });
}
