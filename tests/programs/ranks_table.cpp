/* Ranks by a table that the program writes: a thread reads it for each, and collectives follow on each other in a stream.
 *
 * links: new
 * calls: none
 * says: rank 3 of 4
 */
#include "hccl/hccl.h"
#include "ranks.hpp"

#include <cstdlib>
#include <unistd.h>

namespace {

constexpr uint32_t RANKS = 4;

std::string table()
{
    std::string text = R"({"version": "1.0", "status": "completed", "server_count": "1", "server_list": [
{"server_id": "127.0.0.1", "device": [)";
    for (uint32_t i = 0; i < RANKS; i++) {
        const std::string id = std::to_string(i);
        text += (i == 0 ? "" : ", ") + (R"({"device_id": ")" + id + R"(", "device_ip": "127.0.1.)" + id +
                                        R"(", "rank_id": ")" + id + R"("})");
    }
    return text + "]}]}";
}

void work(const char *path, uint32_t rank)
{
    CHECK(aclrtSetDevice(static_cast<int32_t>(rank)));
    {
        host::Stream stream;
        HcclComm comm = nullptr;
        CHECK(HcclCommInitClusterInfo(path, rank, &comm));
        uint32_t size = 0, own = 0;
        CHECK(HcclGetRankSize(comm, &size));
        CHECK(HcclGetRankId(comm, &own));
        const uint64_t count = 256;
        host::Memory mine(count * sizeof(float)), all(count * sizeof(float) * size);
        CHECK(HcclAllReduce(mine.get(), mine.get(), count, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
        CHECK(HcclAllGather(mine.get(), all.get(), count, HCCL_DATA_TYPE_FP32, comm, stream));
        CHECK(HcclBroadcast(mine.get(), count, HCCL_DATA_TYPE_FP32, 0, comm, stream));
        CHECK(HcclReduceScatter(all.get(), mine.get(), count, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_MAX, comm, stream));
        CHECK(HcclBarrier(comm, stream));
        stream.wait();
        if (own + 1 == size) {
            std::printf("rank %u of %u\n", own, size);
        }
        CHECK(HcclCommDestroy(comm));
    }
    CHECK(aclrtResetDevice(static_cast<int32_t>(rank)));
}

} // namespace

int main()
{
    return host::guarded([] {
        char path[] = "/tmp/ranks-XXXXXX";
        const int file = mkstemp(path);
        const std::string text = table();
        if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
            throw std::runtime_error("no table");
        }
        close(file);
        CHECK(aclInit(nullptr));
        host::each_rank(RANKS, [&](uint32_t rank) { work(path, rank); });
        unlink(path);
        CHECK(aclFinalize());
    });
}
