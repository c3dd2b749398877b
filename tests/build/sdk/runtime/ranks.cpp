// Programs with a thread per rank, in C++ as real ones are.
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "hccl/hccl.h"
#include "scenario.h"

namespace {

constexpr uint32_t kRanks = 4;

class Device {
public:
    explicit Device(int32_t id) : id_(id)
    {
        OK(aclrtSetDevice(id_));
        OK(aclrtCreateStream(&stream));
    }
    ~Device()
    {
        OK(aclrtDestroyStream(stream));
        OK(aclrtResetDevice(id_));
    }
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;
    aclrtStream stream = nullptr;

private:
    int32_t id_;
};

template <typename Work> void EachRank(uint32_t count, Work work)
{
    std::vector<std::thread> threads;
    for (uint32_t rank = 0; rank < count; rank++)
        threads.emplace_back(work, rank);
    for (auto &thread : threads)
        thread.join();
}

HcclRootInfo RootInfo()
{
    HcclRootInfo root;
    OK(aclrtSetDevice(0));
    OK(HcclGetRootInfo(&root));
    OK(aclrtResetDevice(0));
    return root;
}

// All of it, right.
void Collectives(HcclComm comm, aclrtStream stream, uint32_t rank)
{
    void *small = device_memory(64), *large = device_memory(64 * kRanks);
    OK(HcclAllReduce(small, small, 16, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
    OK(HcclAllGather(small, large, 16, HCCL_DATA_TYPE_FP32, comm, stream));
    OK(HcclReduceScatter(large, small, 32, HCCL_DATA_TYPE_FP16, HCCL_REDUCE_MAX, comm, stream));
    OK(HcclBroadcast(small, 64, HCCL_DATA_TYPE_INT8, 1, comm, stream));
    OK(HcclReduce(small, rank == 2 ? large : nullptr, 64, HCCL_DATA_TYPE_INT8, HCCL_REDUCE_MIN, 2, comm, stream));
    OK(HcclScatter(rank == 0 ? large : nullptr, small, 8, HCCL_DATA_TYPE_INT64, 0, comm, stream));
    OK(HcclAlltoAll(large, 4, HCCL_DATA_TYPE_FP32, large, 4, HCCL_DATA_TYPE_FP32, comm, stream));
    std::vector<uint64_t> counts(kRanks, rank + 1), places{0, 4, 8, 12};
    OK(HcclAlltoAllV(small, counts.data(), places.data(), HCCL_DATA_TYPE_FP32, large, counts.data(), places.data(),
        HCCL_DATA_TYPE_FP32, comm, stream));
    const uint32_t other = rank ^ 1u;
    if (rank < other)
        OK(HcclSend(small, 16, HCCL_DATA_TYPE_FP32, other, comm, stream));
    else
        OK(HcclRecv(small, 16, HCCL_DATA_TYPE_FP32, other, comm, stream));
    HcclSendRecvItem items[] = {{HCCL_SEND, small, 16, HCCL_DATA_TYPE_FP32, other},
        {HCCL_RECV, large, 16, HCCL_DATA_TYPE_FP32, other}};
    OK(HcclBatchSendRecv(items, 2, comm, stream));
    OK(HcclBarrier(comm, stream));
    OK(aclrtSynchronizeStream(stream));
    char host[64];
    OK(aclrtMemcpy(host, 64, small, 64, ACL_MEMCPY_DEVICE_TO_HOST));
    OK(aclrtFree(small));
    OK(aclrtFree(large));
}

void Check(HcclComm comm, uint32_t rank, uint32_t count)
{
    uint32_t found = 99;
    HcclResult error = HCCL_E_INTERNAL;
    OK(HcclGetRankId(comm, &found));
    IS(found, rank);
    OK(HcclGetRankSize(comm, &found));
    IS(found, count);
    OK(HcclGetCommAsyncError(comm, &error));
    OK(error);
}

void Root()
{
    OK(aclInit(nullptr));
    const HcclRootInfo root = RootInfo();
    std::vector<std::string> names(kRanks);
    EachRank(kRanks, [&](uint32_t rank) {
        Device device(static_cast<int32_t>(rank));
        HcclComm comm = nullptr, part = nullptr;
        char name[128] = "";
        OK(HcclCommInitRootInfo(kRanks, &root, rank, &comm));
        Check(comm, rank, kRanks);
        OK(HcclGetCommName(comm, name));
        names[rank] = name;
        Collectives(comm, device.stream, rank);
        HcclCommConfig config;
        HcclCommConfigInit(&config);
        if (rank % 2 == 1) {
            uint32_t ranks[] = {1, 3};
            OK(HcclCreateSubCommConfig(&comm, 2, ranks, 7, rank / 2, &config, &part));
            Check(part, rank / 2, 2);
            OK(HcclBarrier(part, device.stream));
            OK(aclrtSynchronizeStream(device.stream));
            OK(HcclCommDestroy(part));
        } else {
            OK(HcclCreateSubCommConfig(&comm, 0, nullptr, UINT32_MAX, 0, &config, &part));
            IS(part == nullptr, 1);
        }
        OK(HcclCommDestroy(comm));
    });
    for (const auto &name : names)
        IS(!name.empty() && name == names[0], 1);
    OK(aclFinalize());
}

// One thread makes all ranks; each rank's thread uses the context and the stream that it made.
void All()
{
    int32_t devices[kRanks];
    aclrtContext contexts[kRanks];
    aclrtStream streams[kRanks];
    HcclComm comms[kRanks];
    OK(aclInit(nullptr));
    for (uint32_t rank = 0; rank < kRanks; rank++) {
        devices[rank] = static_cast<int32_t>(kRanks - rank);
        OK(aclrtSetDevice(devices[rank]));
        OK(aclrtCreateContext(&contexts[rank], devices[rank]));
        OK(aclrtCreateStream(&streams[rank]));
    }
    OK(HcclCommInitAll(kRanks, devices, comms));
    EachRank(kRanks, [&](uint32_t rank) {
        OK(aclrtSetCurrentContext(contexts[rank]));
        Check(comms[rank], rank, kRanks);
        Collectives(comms[rank], streams[rank], rank);
        OK(HcclCommDestroy(comms[rank]));
        OK(aclrtDestroyStream(streams[rank]));
        OK(aclrtDestroyContext(contexts[rank]));
        OK(aclrtResetDevice(devices[rank]));
    });
    OK(aclFinalize());
}

void Named()
{
    OK(aclInit(nullptr));
    const HcclRootInfo root = RootInfo();
    EachRank(2, [&](uint32_t rank) {
        Device device(static_cast<int32_t>(rank));
        HcclComm comm = nullptr;
        HcclCommConfig config;
        HcclCommConfigInit(&config);
        strcpy(config.hcclCommName, "my group");
        char name[128] = "";
        OK(HcclCommInitRootInfoConfig(2, &root, rank, &config, &comm));
        OK(HcclGetCommName(comm, name));
        OK(strcmp(name, "my group"));
        OK(HcclBarrier(comm, device.stream));
        OK(aclrtSynchronizeStream(device.stream));
        OK(HcclCommDestroy(comm));
    });
    OK(aclFinalize());
}

void Table()
{
    const char *path = std::getenv("RANK_TABLE");
    OK(aclInit(nullptr));
    EachRank(3, [&](uint32_t rank) {
        Device device(static_cast<int32_t>(rank));
        HcclComm comm = nullptr;
        HcclCommConfig config;
        HcclCommConfigInit(&config);
        OK(rank == 0 ? HcclCommInitClusterInfo(path, rank, &comm)
                     : HcclCommInitClusterInfoConfig(path, rank, &config, &comm));
        Check(comm, rank, 3);
        OK(HcclBarrier(comm, device.stream));
        OK(aclrtSynchronizeStream(device.stream));
        OK(HcclCommDestroy(comm));
    });
    HcclComm comm = nullptr;
    OK(aclrtSetDevice(0));
    IS(HcclCommInitClusterInfo("/no/such/table.json", 0, &comm), HCCL_E_OPEN_FILE_FAILURE);
    IS(HcclCommInitClusterInfo(std::getenv("BAD_TABLE"), 0, &comm), HCCL_E_PARA);
    IS(HcclCommInitClusterInfo(path, 3, &comm), HCCL_E_PARA);
    OK(aclrtResetDevice(0));
    OK(aclFinalize());
}

// A rank that never comes, one that comes twice, ranks that do not agree.
void Mistakes()
{
    OK(aclInit(nullptr));
    const HcclRootInfo alone = RootInfo(), twice = RootInfo(), sizes = RootInfo();
    EachRank(2, [&](uint32_t rank) {
        Device device(static_cast<int32_t>(rank));
        HcclComm comm = nullptr;
        if (rank == 0)
            IS(HcclCommInitRootInfo(3, &alone, 0, &comm), HCCL_E_TIMEOUT); // told
        else
            IS(HcclCommInitRootInfo(3, &alone, 3, &comm), HCCL_E_PARA);
    });
    std::vector<int> results(3);
    std::vector<HcclComm> made(3);
    EachRank(3, [&](uint32_t thread) { // two threads of three are rank 0: told
        Device device(static_cast<int32_t>(thread));
        results[thread] = HcclCommInitRootInfo(2, &twice, thread == 2 ? 1 : 0, &made[thread]);
    });
    for (HcclComm comm : made)
        if (comm != nullptr)
            OK(HcclCommDestroy(comm));
    IS(results[2], HCCL_SUCCESS);
    IS((results[0] != HCCL_SUCCESS) + (results[1] != HCCL_SUCCESS), 1);
    EachRank(2, [&](uint32_t rank) { // two say that they are two, one that they are three: told
        Device device(static_cast<int32_t>(rank));
        HcclComm comm = nullptr, other = nullptr;
        OK(HcclCommInitRootInfo(2, &sizes, rank, &comm));
        IS(HcclCommInitRootInfo(3, &sizes, rank, &other), HCCL_E_PARA);
        void *block = device_memory(64);
        OK(HcclAllReduce(block, block, rank == 0 ? 16 : 15, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm,
            device.stream)); // told: other counts
        OK(aclrtSynchronizeStream(device.stream));
        if (rank == 0) {
            OK(HcclBarrier(comm, device.stream));
            IS(aclrtSynchronizeStream(device.stream), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT); // told
            OK(HcclCommDestroy(comm));
            IS(HcclCommDestroy(comm), HCCL_E_PARA);                // told
            IS(HcclBarrier(comm, device.stream), HCCL_E_PARA);     // told
            IS(HcclBarrier(&rank, device.stream), HCCL_E_PARA);    // told
            IS(HcclBarrier(nullptr, device.stream), HCCL_E_PTR);
        }
        OK(aclrtFree(block)); // rank 1 keeps its communicator: a warning
    });
    OK(aclFinalize());
}

void Arguments()
{
    HcclComm comm = nullptr;
    int32_t devices[] = {0, 1, 1, 99};
    HcclComm comms[9];
    HcclRootInfo root;
    OK(aclInit(nullptr));
    IS(HcclGetRootInfo(&root), HCCL_E_RUNTIME);
    Device device(0);
    IS(HcclGetRootInfo(nullptr), HCCL_E_PTR);
    IS(HcclCommInitAll(3, devices, comms), HCCL_E_PARA);
    IS(HcclCommInitAll(0, devices, comms), HCCL_E_PARA);
    IS(HcclCommInitAll(9, devices, comms), HCCL_E_PARA);
    IS(HcclCommInitAll(2, devices + 2, comms), HCCL_E_PARA);
    memset(&root, 'x', sizeof root);
    IS(HcclCommInitRootInfo(1, &root, 0, &comm), HCCL_E_PARA);
    snprintf(root.internal, sizeof root.internal, "opspec root 1 1");
    IS(HcclCommInitRootInfo(1, &root, 0, &comm), HCCL_E_NOT_SUPPORT);
    OK(HcclGetRootInfo(&root));
    IS(HcclCommInitRootInfo(0, &root, 0, &comm), HCCL_E_PARA);
    HcclCommConfig config;
    memset(&config, 0, sizeof config);
    IS(HcclCommInitRootInfoConfig(1, &root, 0, &config, &comm), HCCL_E_PARA);
    OK(HcclCommInitAll(2, devices, comms));
    HcclCommConfigInit(&config);
    uint32_t twice[] = {0, 0}, other[] = {1, 0}, beyond[] = {0, 2};
    IS(HcclCreateSubCommConfig(comms, 2, twice, 1, 0, &config, &comm), HCCL_E_PARA);
    IS(HcclCreateSubCommConfig(comms, 2, other, 1, 0, &config, &comm), HCCL_E_PARA);
    IS(HcclCreateSubCommConfig(comms, 2, beyond, 1, 0, &config, &comm), HCCL_E_PARA);
    IS(HcclCreateSubCommConfig(comms, 3, other, 1, 0, &config, &comm), HCCL_E_PARA);
    void *block = device_memory(64);
    char host[64];
    const auto sum = HCCL_REDUCE_SUM;
    const auto fp32 = HCCL_DATA_TYPE_FP32;
    IS(HcclAllReduce(nullptr, block, 16, fp32, sum, comms[0], device.stream), HCCL_E_PTR);
    IS(HcclAllReduce(block, block, 16, fp32, sum, comms[0], nullptr), HCCL_E_PTR);
    IS(HcclAllReduce(block, block, 16, (HcclDataType)13, sum, comms[0], device.stream), HCCL_E_PARA);
    IS(HcclAllReduce(block, block, 16, fp32, (HcclReduceOp)4, comms[0], device.stream), HCCL_E_PARA);
    IS(HcclBroadcast(block, 16, fp32, 2, comms[0], device.stream), HCCL_E_PARA);
    IS(HcclSend(block, 16, fp32, 0, comms[0], device.stream), HCCL_E_PARA);
    IS(HcclSend(block, 16, fp32, 2, comms[0], device.stream), HCCL_E_PARA);
    IS(HcclBatchSendRecv(nullptr, 1, comms[0], device.stream), HCCL_E_PTR);
    IS(HcclAllReduce(block, block, 25, fp32, sum, comms[0], device.stream), HCCL_E_PARA);         // told: bounds
    IS(HcclAllGather(block, block, 16, fp32, comms[0], device.stream), HCCL_E_PARA);              // told: bounds
    IS(HcclAllReduce(block, block, UINT64_MAX / 2, fp32, sum, comms[0], device.stream), HCCL_E_PARA); // told: bounds
    IS(HcclAllReduce(block, host, 16, fp32, sum, comms[0], device.stream), HCCL_E_PARA);          // told: host
    OK(strcmp(HcclGetErrorString(HCCL_E_TIMEOUT), "timeout"));
    OK(strcmp(HcclGetErrorString((HcclResult)-1), "unknown error"));
    OK(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL) >= 100000 ? 0 : 1);
    OK(aclrtFree(block));
    OK(HcclCommDestroy(comms[0]));
    OK(HcclCommDestroy(comms[1]));
    OK(aclFinalize());
}

} // namespace

int main(int argc, char **argv)
{
    static const scenario list[] = {{"root", Root}, {"all", All}, {"named", Named}, {"table", Table},
        {"mistakes", Mistakes}, {"arguments", Arguments}};
    return run_scenario(list, sizeof list / sizeof list[0], argc, argv);
}
