/* What is known of a communicator, of errors, of settings. */
#include <string.h>

#include "entry.h"

HcclResult HcclGetCommName(HcclComm comm, char *commName)
{
    HcclResult status;
    ENTRY_NEEDS(commName);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    sim_lock();
    const sim_comm *found = sim_comm_find(comm, __func__, &status);
    if (found != NULL)
        strcpy(commName, sim_group_name(found->group));
    sim_unlock();
    return status;
}

HcclResult HcclGetRankSize(HcclComm comm, uint32_t *rankSize)
{
    HcclResult status;
    ENTRY_NEEDS(rankSize);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    sim_lock();
    const sim_comm *found = sim_comm_find(comm, __func__, &status);
    if (found != NULL)
        *rankSize = sim_group_size(found->group);
    sim_unlock();
    return status;
}

HcclResult HcclGetRankId(HcclComm comm, uint32_t *rank)
{
    HcclResult status;
    ENTRY_NEEDS(rank);
    ENTRY_CAN_FAIL(HCCL_E_INTERNAL);
    sim_lock();
    const sim_comm *found = sim_comm_find(comm, __func__, &status);
    if (found != NULL)
        *rank = found->rank;
    sim_unlock();
    return status;
}

HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult *asyncError)
{
    HcclResult status;
    ENTRY_NEEDS(asyncError);
    sim_lock();
    if (sim_comm_find(comm, __func__, &status) != NULL)
        *asyncError = HCCL_SUCCESS;
    sim_unlock();
    return status;
}

const char *HcclGetErrorString(HcclResult code)
{
    static const char *const names[] = {"no error", "parameter error", "empty pointer", "memory error",
        "internal error", "not support feature", "not found specific resource", "resource unavailable",
        "call system interface error", "timeout", "open file fail", "tcp connect fail", "roce connect fail",
        "tcp transfer fail", "roce transfer fail", "call runtime api fail", "call driver api fail",
        "call profiling api fail", "call cce api fail", "call network api fail", "operation repeat",
        "remote error", "suspending error", "retry constraint", "out of memory"};
    return (int)code >= 0 && (size_t)code < sizeof names / sizeof names[0] ? names[code] : "unknown error";
}

/* --- settings ----------------------------------------------------------------------------------------------------- */

static int32_t deterministic; /* with the lock of objects held */

HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue)
{
    if (config != HCCL_DETERMINISTIC)
        return (HcclResult)sim_refused(HCCL_E_NOT_SUPPORT, "%s: there is no setting %d", __func__, (int)config);
    if (configValue.value < 0 || configValue.value > 2)
        return (HcclResult)sim_refused(
            HCCL_E_PARA, "%s: the value is %d; it is 0, 1 or 2", __func__, (int)configValue.value);
    sim_lock();
    deterministic = configValue.value;
    sim_unlock();
    return HCCL_SUCCESS;
}

HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue *configValue)
{
    ENTRY_NEEDS(configValue);
    if (config != HCCL_DETERMINISTIC)
        return (HcclResult)sim_refused(HCCL_E_NOT_SUPPORT, "%s: there is no setting %d", __func__, (int)config);
    sim_lock();
    configValue->value = deterministic;
    sim_unlock();
    return HCCL_SUCCESS;
}
