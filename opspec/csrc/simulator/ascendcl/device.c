/* Devices: set, reset, asked about. */
#include "entry.h"

aclError aclrtSetDevice(int32_t deviceId)
{
    ENTRY_CAN_FAIL(ACL_ERROR_RT_DEV_SETUP_ERROR);
    ENTRY_LOCKED(sim_device_set(deviceId, __func__));
}

static aclError reset(int32_t device, bool force, const char *function)
{
    sim_memory_inspect(function);
    ENTRY_LOCKED(sim_device_reset(device, force, function));
}

aclError aclrtResetDevice(int32_t deviceId) { return reset(deviceId, false, __func__); }

aclError aclrtResetDeviceForce(int32_t deviceId) { return reset(deviceId, true, __func__); }

static aclError current_device(const char *function, int32_t *device)
{
    sim_lock();
    const sim_context *context = sim_context_current();
    if (context != NULL)
        *device = context->device;
    sim_unlock();
    return context != NULL ? ACL_SUCCESS : sim_context_missing(function);
}

aclError aclrtGetDevice(int32_t *deviceId)
{
    ENTRY_NEEDS(deviceId);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    return current_device(__func__, deviceId);
}

aclError aclrtGetDeviceCount(uint32_t *count)
{
    ENTRY_NEEDS(count);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_NO_DEVICE);
    *count = (uint32_t)sim_device_count();
    return ACL_SUCCESS;
}

/* The program runs on the host. */
aclError aclrtGetRunMode(aclrtRunMode *runMode)
{
    ENTRY_NEEDS(runMode);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    *runMode = ACL_HOST;
    return ACL_SUCCESS;
}

const char *aclrtGetSocName(void) { return sim_soc_name(); }

static aclError synchronize(int32_t timeout, const char *function)
{
    sim_memory_inspect(function);
    ENTRY_LOCKED(sim_device_wait(timeout, function));
}

aclError aclrtSynchronizeDevice(void)
{
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    return synchronize(-1, __func__);
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout)
{
    ENTRY_CAN_FAIL(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    if (timeout < -1)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: timeout is %d; it is -1 or more", __func__, (int)timeout);
    return synchronize(timeout, __func__);
}

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus *deviceStatus)
{
    ENTRY_NEEDS(deviceStatus);
    *deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
    return sim_device_check(deviceId, __func__);
}

aclError aclrtSetTsDevice(aclrtTsId tsId)
{
    if (tsId != ACL_TS_ID_AICORE && tsId != ACL_TS_ID_AIVECTOR)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: tsId is %d; it is 0 or 1", __func__, (int)tsId);
    return ACL_SUCCESS;
}

/* --- other devices ------------------------------------------------------------------------------------------------ */

aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId)
{
    ENTRY_NEEDS(canAccessPeer);
    const aclError status = sim_device_check(deviceId, __func__);
    if (status != ACL_SUCCESS)
        return status;
    *canAccessPeer = deviceId != peerDeviceId;
    return sim_device_check(peerDeviceId, __func__);
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags)
{
    int32_t device = 0;
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    if (flags != 0)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: flags is %u; it is reserved, and 0", __func__, flags);
    const aclError status = current_device(__func__, &device);
    return status != ACL_SUCCESS ? status : sim_device_check(peerDeviceId, __func__);
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId)
{
    int32_t device = 0;
    const aclError status = current_device(__func__, &device);
    return status != ACL_SUCCESS ? status : sim_device_check(peerDeviceId, __func__);
}

/* --- what it can do ----------------------------------------------------------------------------------------------- */

aclError aclGetCannAttributeList(const aclCannAttr **cannAttrList, size_t *num)
{
    static const aclCannAttr attributes[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_JIT_COMPILE};
    ENTRY_NEEDS(cannAttrList);
    ENTRY_NEEDS(num);
    *cannAttrList = attributes;
    *num = sizeof attributes / sizeof attributes[0];
    return ACL_SUCCESS;
}

aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value)
{
    ENTRY_NEEDS(value);
    if (cannAttr < ACL_CANN_ATTR_INF_NAN || cannAttr > ACL_CANN_ATTR_JIT_COMPILE)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: there is no attribute %d", __func__, (int)cannAttr);
    *value = 1;
    return ACL_SUCCESS;
}

/* Of a device of medium size: programs ask in order to share work out. */
aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value)
{
    static const int64_t values[] = {24, 48, (int64_t)192 << 20};
    ENTRY_NEEDS(value);
    if (deviceInfo < ACL_DEVICE_INFO_AI_CORE_NUM || deviceInfo > ACL_DEVICE_INFO_L2_SIZE)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: there is no information %d", __func__, (int)deviceInfo);
    *value = values[deviceInfo];
    return sim_device_check(deviceId > INT32_MAX ? -1 : (int32_t)deviceId, __func__);
}
