/* Communicators: a thread of the process makes each rank's. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/contexts.h"
#include "entry.h"
#include "ranktable.h"

enum { KEY_SIZE = 512 };
static const char root_mark[] = "opspec root";

/* --- a rank joins its group --------------------------------------------------------------------------------------- */

/* On the device that the thread has set. */
static HcclResult join(sim_joining how, const char *function, HcclComm *comm)
{
    sim_comm *made = NULL;
    sim_lock();
    const sim_context *context = sim_context_current();
    HcclResult status = HCCL_E_RUNTIME;
    if (context == NULL) {
        (void)sim_context_missing(function);
    } else {
        how.device = context->device;
        status = sim_group_join(&how, function, &made);
    }
    sim_unlock();
    if (status == HCCL_SUCCESS)
        *comm = made;
    return status;
}

/* What HcclCommConfigInit leaves behind the size. */
static HcclResult check_config(const HcclCommConfig *config, const char *function)
{
    uint32_t magic;
    memcpy(&magic, config->reserved + sizeof(size_t), sizeof magic);
    if (magic != HCCL_COMM_CONFIG_MAGIC_WORD)
        return (HcclResult)sim_refused(
            HCCL_E_PARA, "%s: config was not initialised; HcclCommConfigInit comes first", function);
    if (memchr(config->hcclCommName, '\0', sizeof config->hcclCommName) == NULL)
        return (HcclResult)sim_refused(HCCL_E_PARA, "%s: hcclCommName has no end", function);
    return HCCL_SUCCESS;
}

/* --- by root information ------------------------------------------------------------------------------------------ */

HcclResult HcclGetRootInfo(HcclRootInfo *rootInfo)
{
    static unsigned long long count;
    ENTRY_NEEDS(rootInfo);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    if (!sim_device_is_set()) {
        (void)sim_context_missing(__func__);
        return HCCL_E_RUNTIME;
    }
    sim_lock();
    const unsigned long long number = ++count;
    sim_unlock();
    memset(rootInfo, 0, sizeof *rootInfo);
    (void)snprintf(rootInfo->internal, sizeof rootInfo->internal, "%s %ld %llu", root_mark, (long)getpid(), number);
    return HCCL_SUCCESS;
}

static HcclResult check_root(const HcclRootInfo *root, const char *function)
{
    const size_t mark = sizeof root_mark - 1;
    if (memcmp(root->internal, root_mark, mark) != 0 || memchr(root->internal, '\0', KEY_SIZE) == NULL)
        return (HcclResult)sim_refused(HCCL_E_PARA, "%s: rootInfo is none that HcclGetRootInfo gave out", function);
    if (strtol(root->internal + mark, NULL, 10) != (long)getpid())
        return (HcclResult)sim_refused(HCCL_E_NOT_SUPPORT,
            "%s: rootInfo is another process's; here all ranks are threads of one process", function);
    return HCCL_SUCCESS;
}

static HcclResult join_by_root(
    uint32_t size, const HcclRootInfo *root, uint32_t rank, const char *name, const char *function, HcclComm *comm)
{
    const HcclResult status = check_root(root, function);
    if (status != HCCL_SUCCESS)
        return status;
    if (size == 0)
        return (HcclResult)sim_refused(HCCL_E_PARA, "%s: nRanks is 0", function);
    return join((sim_joining){.key = root->internal, .name = name, .size = size, .rank = rank, .wait = true}, function,
        comm);
}

HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank, HcclComm *comm)
{
    ENTRY_NEEDS(rootInfo);
    ENTRY_NEEDS(comm);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return join_by_root(nRanks, rootInfo, rank, NULL, __func__, comm);
}

HcclResult HcclCommInitRootInfoConfig(
    uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank, const HcclCommConfig *config, HcclComm *comm)
{
    ENTRY_NEEDS(rootInfo);
    ENTRY_NEEDS(config);
    ENTRY_NEEDS(comm);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    const HcclResult status = check_config(config, __func__);
    return status != HCCL_SUCCESS ? status
                                  : join_by_root(nRanks, rootInfo, rank, config->hcclCommName, __func__, comm);
}

/* --- by a table of ranks: nobody needs to wait, for the table says who there is ----------------------------------- */

static HcclResult join_by_table(
    const char *path, uint32_t rank, const char *name, const char *function, HcclComm *comm)
{
    char key[KEY_SIZE];
    uint32_t size = 0;
    const HcclResult status = sim_ranktable_size(path, function, &size);
    if (status != HCCL_SUCCESS)
        return status;
    (void)snprintf(key, sizeof key, "table %s", path);
    return join((sim_joining){.key = key, .name = name, .size = size, .rank = rank}, function, comm);
}

HcclResult HcclCommInitClusterInfo(const char *clusterInfo, uint32_t rank, HcclComm *comm)
{
    ENTRY_NEEDS(clusterInfo);
    ENTRY_NEEDS(comm);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    return join_by_table(clusterInfo, rank, NULL, __func__, comm);
}

HcclResult HcclCommInitClusterInfoConfig(
    const char *clusterInfo, uint32_t rank, HcclCommConfig *config, HcclComm *comm)
{
    ENTRY_NEEDS(clusterInfo);
    ENTRY_NEEDS(config);
    ENTRY_NEEDS(comm);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    const HcclResult status = check_config(config, __func__);
    return status != HCCL_SUCCESS ? status : join_by_table(clusterInfo, rank, config->hcclCommName, __func__, comm);
}

/* --- all ranks by one thread -------------------------------------------------------------------------------------- */

static HcclResult check_devices(uint32_t count, const int32_t *devices, const char *function)
{
    if (count == 0 || count > (uint32_t)sim_device_count())
        return (HcclResult)sim_refused(HCCL_E_PARA, "%s: ndev is %u; there are %d devices (OPSPEC_DEVICES)", function,
            count, (int)sim_device_count());
    for (uint32_t i = 0; i < count; i++) {
        if (sim_device_check(devices[i], function) != 0)
            return HCCL_E_PARA;
        for (uint32_t j = 0; j < i; j++)
            if (devices[i] == devices[j])
                return (HcclResult)sim_refused(
                    HCCL_E_PARA, "%s: device %d is there twice", function, (int)devices[i]);
    }
    return HCCL_SUCCESS;
}

HcclResult HcclCommInitAll(uint32_t ndev, int32_t *devices, HcclComm *comms)
{
    static unsigned long long count;
    char key[KEY_SIZE];
    ENTRY_NEEDS(devices);
    ENTRY_NEEDS(comms);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    HcclResult status = check_devices(ndev, devices, __func__);
    if (status != HCCL_SUCCESS)
        return status;
    sim_lock();
    (void)snprintf(key, sizeof key, "all %llu", ++count);
    for (uint32_t i = 0; i < ndev && status == HCCL_SUCCESS; i++) {
        sim_comm *made = NULL;
        const sim_joining how = {.key = key, .size = ndev, .rank = i, .device = devices[i]};
        status = sim_group_join(&how, __func__, &made);
        comms[i] = made;
        for (uint32_t j = 0; status != HCCL_SUCCESS && j < i; j++)
            (void)sim_comm_destroy(comms[j], __func__);
    }
    sim_unlock();
    return status;
}

/* --- some ranks of a group ---------------------------------------------------------------------------------------- */

static HcclResult check_members(
    const sim_comm *parent, uint32_t count, const uint32_t *ranks, uint32_t own, const char *function)
{
    const uint32_t size = sim_group_size(parent->group);
    if (count == 0 || count > size || own >= count)
        return (HcclResult)sim_refused(HCCL_E_PARA, "%s: rankNum is %u and subCommRankId %u, of a group of %u ranks",
            function, count, own, size);
    for (uint32_t i = 0; i < count; i++) {
        if (ranks[i] >= size)
            return (HcclResult)sim_refused(
                HCCL_E_PARA, "%s: rankIds[%u] is %u, of a group of %u ranks", function, i, ranks[i], size);
        for (uint32_t j = 0; j < i; j++)
            if (ranks[i] == ranks[j])
                return (HcclResult)sim_refused(HCCL_E_PARA, "%s: rank %u is there twice", function, ranks[i]);
    }
    if (ranks[own] != parent->rank)
        return (HcclResult)sim_refused(HCCL_E_PARA, "%s: rankIds[%u] is %u, but the rank that calls is %u", function,
            own, ranks[own], parent->rank);
    return HCCL_SUCCESS;
}

static HcclResult join_part(HcclComm parent_handle, uint32_t count, const uint32_t *ranks, uint64_t id, uint32_t own,
    const char *name, const char *function, HcclComm *comm)
{
    HcclResult status;
    char key[KEY_SIZE];
    sim_comm *made = NULL;
    const sim_comm *parent = sim_comm_find(parent_handle, function, &status);
    if (parent != NULL)
        status = check_members(parent, count, ranks, own, function);
    if (status != HCCL_SUCCESS)
        return status;
    (void)snprintf(key, sizeof key, "part %llu of %llu", (unsigned long long)id,
        (unsigned long long)sim_group_serial(parent->group));
    const sim_joining how = {.key = key, .name = name, .size = count, .rank = own, .device = parent->device};
    status = sim_group_join(&how, function, &made);
    if (status == HCCL_SUCCESS)
        *comm = made;
    return status;
}

/* A rank that is in no part says so: no ranks, and an id of all ones. */
HcclResult HcclCreateSubCommConfig(HcclComm *comm, uint32_t rankNum, uint32_t *rankIds, uint64_t subCommId,
    uint32_t subCommRankId, HcclCommConfig *config, HcclComm *subComm)
{
    ENTRY_NEEDS(comm);
    ENTRY_NEEDS(subComm);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    if (rankIds == NULL && subCommId == UINT32_MAX) {
        *subComm = NULL;
        return HCCL_SUCCESS;
    }
    ENTRY_NEEDS(rankIds);
    ENTRY_NEEDS(config);
    HcclResult status = check_config(config, __func__);
    if (status != HCCL_SUCCESS)
        return status;
    sim_lock();
    status = join_part(*comm, rankNum, rankIds, subCommId, subCommRankId, config->hcclCommName, __func__, subComm);
    sim_unlock();
    return status;
}

HcclResult HcclCommDestroy(HcclComm comm)
{
    sim_lock();
    const HcclResult status = sim_comm_destroy(comm, __func__);
    sim_unlock();
    return status;
}
