/* Collectives: what they are given is checked, and that all ranks call the same ones in the same order. Nothing is sent
 * or computed. */
#include <stdio.h>

#include "entry.h"

/* A buffer of a collective. */
typedef struct {
    const char *name;
    const void *address;
    uint64_t count; /* elements, times ranks where it holds all ranks' */
    HcclDataType type;
    bool by_rank, written;
} buffer;

typedef struct {
    const char *function;
    HcclComm comm;
    aclrtStream stream;
    buffer buffers[2]; /* without a name: none */
    bool reduces, has_root, has_peer; /* which of the following there are */
    bool meets;                       /* all ranks call it */
    bool counts_differ;               /* from rank to rank */
    HcclReduceOp operation;
    uint32_t root; /* that all ranks agree on */
    uint32_t peer; /* the other rank of a pair */
} call;

static size_t size_of(HcclDataType type)
{
    static const unsigned char sizes[] = {1, 2, 4, 2, 4, 8, 8, 1, 2, 4, 8, 2, 16, 0, 1, 1, 1, 1};
    return (int)type >= 0 && (size_t)type < sizeof sizes ? sizes[type] : 0;
}

/* --- checks ------------------------------------------------------------------------------------------------------- */

static HcclResult check_rank(const call *what, const char *name, uint32_t rank, uint32_t size)
{
    if (rank < size)
        return HCCL_SUCCESS;
    return (HcclResult)sim_refused(
        HCCL_E_PARA, "%s: %s is %u; ranks are 0 to %u", what->function, name, rank, size - 1);
}

static HcclResult check_call(const call *what, const sim_comm *comm)
{
    const uint32_t size = sim_group_size(comm->group);
    if (what->reduces && ((int)what->operation < HCCL_REDUCE_SUM || what->operation > HCCL_REDUCE_MIN))
        return (HcclResult)sim_refused(
            HCCL_E_PARA, "%s: there is no operation %d to reduce by", what->function, (int)what->operation);
    if (what->has_peer && what->peer == comm->rank)
        return (HcclResult)sim_refused(
            HCCL_E_PARA, "%s: rank %u is the one that calls", what->function, comm->rank);
    if (what->has_peer)
        return check_rank(what, "the other rank", what->peer, size);
    return what->has_root ? check_rank(what, "root", what->root, size) : HCCL_SUCCESS;
}

/* The bytes of a buffer; SIZE_MAX when they are too many for a number. */
static size_t bytes_of(const buffer *one, uint32_t ranks)
{
    size_t size;
    if (__builtin_mul_overflow(one->count, size_of(one->type), &size) ||
        __builtin_mul_overflow(size, one->by_rank ? ranks : 1, &size))
        return SIZE_MAX;
    return size;
}

static HcclResult check_buffer(const call *what, const buffer *one, uint32_t ranks)
{
    int32_t status;
    if (one->name == NULL)
        return HCCL_SUCCESS;
    if (size_of(one->type) == 0)
        return (HcclResult)sim_refused(HCCL_E_PARA, "%s: there is no data type %d", what->function, (int)one->type);
    if (one->count == 0)
        return HCCL_SUCCESS;
    if (one->address == NULL)
        return (HcclResult)sim_refused(HCCL_E_PTR, "%s: %s is null", what->function, one->name);
    return sim_memory_usable(
               what->function, one->name, one->address, bytes_of(one, ranks), SIM_DEVICE_MEMORY, &status)
        ? HCCL_SUCCESS : HCCL_E_PARA;
}

/* What all ranks must agree on. */
static void describe(const call *what, char *words, size_t size)
{
    int used = snprintf(words, size, "%s", what->function);
    if (what->buffers[0].name != NULL && !what->counts_differ)
        used += snprintf(words + used, size - (size_t)used, " of %llu elements of type %d",
            (unsigned long long)what->buffers[0].count, (int)what->buffers[0].type);
    if (what->reduces)
        used += snprintf(words + used, size - (size_t)used, ", operation %d", (int)what->operation);
    if (what->has_root)
        (void)snprintf(words + used, size - (size_t)used, ", root %u", what->root);
}

static void use_buffer(const call *what, const buffer *one, uint32_t ranks, sim_stream *stream)
{
    const sim_use use = {.address = one->address, .size = bytes_of(one, ranks), .writes = one->written,
        .whole = !what->counts_differ, .work = what->function, .what = one->name};
    if (one->name != NULL && one->count > 0)
        sim_stream_use(stream, &use);
}

static HcclResult run_locked(const call *what)
{
    HcclResult status;
    int32_t stream_status;
    char words[160];
    sim_comm *comm = sim_comm_find(what->comm, what->function, &status);
    if (comm == NULL)
        return status;
    if (what->stream == NULL)
        return (HcclResult)sim_refused(HCCL_E_PTR, "%s: stream is null", what->function);
    sim_stream *stream = sim_stream_find(what->stream, what->function, &stream_status);
    if (stream == NULL)
        return HCCL_E_PARA;
    const uint32_t ranks = sim_group_size(comm->group);
    status = check_call(what, comm);
    for (int i = 0; status == HCCL_SUCCESS && i < 2; i++)
        status = check_buffer(what, &what->buffers[i], ranks);
    if (status != HCCL_SUCCESS)
        return status;
    for (int i = 0; i < 2; i++)
        use_buffer(what, &what->buffers[i], ranks, stream);
    describe(what, words, sizeof words);
    return what->meets ? sim_group_meet(comm, stream, words, what->function) : HCCL_SUCCESS;
}

static HcclResult run(call what)
{
    sim_lock();
    const HcclResult status = run_locked(&what);
    sim_unlock();
    return status;
}

static bool is_rank(HcclComm comm, uint32_t rank)
{
    sim_lock();
    const sim_comm *found = sim_object_find(comm, SIM_COMM);
    const bool is = found != NULL && found->rank == rank;
    sim_unlock();
    return is;
}

/* --- entries ------------------------------------------------------------------------------------------------------ */

#define CALL(...) ((call){.function = __func__, .comm = comm, .stream = stream, __VA_ARGS__})

HcclResult HcclBarrier(HcclComm comm, aclrtStream stream)
{
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return run(CALL(.meets = true));
}

HcclResult HcclAllReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
    HcclComm comm, aclrtStream stream)
{
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return run(CALL(.meets = true, .reduces = true, .operation = op,
        .buffers = {{"sendBuf", sendBuf, count, dataType, false, false},
            {"recvBuf", recvBuf, count, dataType, false, true}}));
}

/* The root alone needs room for the result. */
HcclResult HcclReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
    uint32_t root, HcclComm comm, aclrtStream stream)
{
    const bool receives = is_rank(comm, root);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return run(CALL(.meets = true, .reduces = true, .operation = op, .has_root = true, .root = root,
        .buffers = {{"sendBuf", sendBuf, count, dataType, false, false},
            {receives ? "recvBuf" : NULL, recvBuf, count, dataType, false, receives}}));
}

HcclResult HcclBroadcast(
    void *buf, uint64_t count, HcclDataType dataType, uint32_t root, HcclComm comm, aclrtStream stream)
{
    const bool receives = !is_rank(comm, root);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return run(CALL(.meets = true, .has_root = true, .root = root,
        .buffers = {{"buf", buf, count, dataType, false, receives}}));
}

/* The root alone has what is scattered. */
HcclResult HcclScatter(void *sendBuf, void *recvBuf, uint64_t recvCount, HcclDataType dataType, uint32_t root,
    HcclComm comm, aclrtStream stream)
{
    const bool sends = is_rank(comm, root);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return run(CALL(.meets = true, .has_root = true, .root = root,
        .buffers = {{"recvBuf", recvBuf, recvCount, dataType, false, true},
            {sends ? "sendBuf" : NULL, sendBuf, recvCount, dataType, true, false}}));
}

HcclResult HcclReduceScatter(void *sendBuf, void *recvBuf, uint64_t recvCount, HcclDataType dataType,
    HcclReduceOp op, HcclComm comm, aclrtStream stream)
{
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return run(CALL(.meets = true, .reduces = true, .operation = op,
        .buffers = {{"sendBuf", sendBuf, recvCount, dataType, true, false},
            {"recvBuf", recvBuf, recvCount, dataType, false, true}}));
}

HcclResult HcclAllGather(
    void *sendBuf, void *recvBuf, uint64_t sendCount, HcclDataType dataType, HcclComm comm, aclrtStream stream)
{
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return run(CALL(.meets = true,
        .buffers = {{"sendBuf", sendBuf, sendCount, dataType, false, false},
            {"recvBuf", recvBuf, sendCount, dataType, true, true}}));
}

HcclResult HcclAlltoAll(const void *sendBuf, uint64_t sendCount, HcclDataType sendType, const void *recvBuf,
    uint64_t recvCount, HcclDataType recvType, HcclComm comm, aclrtStream stream)
{
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return run(CALL(.meets = true,
        .buffers = {{"sendBuf", sendBuf, sendCount, sendType, true, false},
            {"recvBuf", recvBuf, recvCount, recvType, true, true}}));
}

/* The elements up to the end of the last rank's: counts and places are 64-bit numbers of the host, one per rank. */
static uint64_t last_element(const void *counts, const void *places, uint32_t ranks)
{
    uint64_t last = 0;
    for (uint32_t i = 0; counts != NULL && places != NULL && i < ranks; i++) {
        uint64_t end;
        const uint64_t count = ((const uint64_t *)counts)[i], place = ((const uint64_t *)places)[i];
        if (__builtin_add_overflow(count, place, &end))
            end = UINT64_MAX;
        last = count > 0 && end > last ? end : last;
    }
    return last;
}

HcclResult HcclAlltoAllV(const void *sendBuf, const void *sendCounts, const void *sdispls, HcclDataType sendType,
    const void *recvBuf, const void *recvCounts, const void *rdispls, HcclDataType recvType, HcclComm comm,
    aclrtStream stream)
{
    uint32_t ranks = 0;
    ENTRY_NEEDS(sendCounts);
    ENTRY_NEEDS(sdispls);
    ENTRY_NEEDS(recvCounts);
    ENTRY_NEEDS(rdispls);
    const HcclResult status = HcclGetRankSize(comm, &ranks);
    if (status != HCCL_SUCCESS)
        return status;
    return run(CALL(.meets = true, .counts_differ = true,
        .buffers = {{"sendBuf", sendBuf, last_element(sendCounts, sdispls, ranks), sendType, false, false},
            {"recvBuf", recvBuf, last_element(recvCounts, rdispls, ranks), recvType, false, true}}));
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

HcclResult HcclSend(
    void *sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank, HcclComm comm, aclrtStream stream)
{
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return run(CALL(.has_peer = true, .peer = destRank,
        .buffers = {{"sendBuf", sendBuf, count, dataType, false, false}}));
}

HcclResult HcclRecv(
    void *recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank, HcclComm comm, aclrtStream stream)
{
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return run(CALL(.has_peer = true, .peer = srcRank,
        .buffers = {{"recvBuf", recvBuf, count, dataType, false, true}}));
}

HcclResult HcclBatchSendRecv(HcclSendRecvItem *sendRecvInfo, uint32_t itemNum, HcclComm comm, aclrtStream stream)
{
    ENTRY_NEEDS(sendRecvInfo);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    if (itemNum == 0)
        return (HcclResult)sim_refused(HCCL_E_PARA, "%s: itemNum is 0", __func__);
    HcclResult status = HCCL_SUCCESS;
    for (uint32_t i = 0; i < itemNum && status == HCCL_SUCCESS; i++) {
        const HcclSendRecvItem *item = &sendRecvInfo[i];
        const bool receives = item->sendRecvType == HCCL_RECV;
        status = run(CALL(.has_peer = true, .peer = item->remoteRank,
            .buffers = {{"an item's buf", item->buf, item->count, item->dataType, false, receives}}));
    }
    return status;
}
