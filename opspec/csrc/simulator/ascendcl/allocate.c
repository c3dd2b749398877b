/* Memory of devices and of the host. */
#include "entry.h"
#include "opspec_rules.h" /* products */

/* The low bits are one of these, with flags above them. */
static bool is_policy(aclrtMemMallocPolicy policy)
{
    const unsigned flags =
        (unsigned)ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH | ACL_MEM_ACCESS_USER_SPACE_READONLY;
    return ((unsigned)policy & ~flags) <= ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
}

static aclError current_device(int32_t *device, const char *function)
{
    sim_lock();
    const sim_context *context = sim_context_current();
    if (context != NULL)
        *device = context->device;
    sim_unlock();
    return context != NULL ? ACL_SUCCESS : sim_context_missing(function);
}

/* How CANN rounds a size: the host's not, aclrtMallocAlign32 to 32 bytes, other device memory to those and 32 more, of
 * which 950 adds none. */
enum { ROUND_TO = 32, MORE = 32 };

static size_t more_here(void) { return sim_product() == OPSPEC_PRODUCT_950 ? 0 : MORE; }

static size_t rounded(size_t size, size_t more)
{
    return size > SIM_DEVICE_MEMORY_SIZE ? size : (size + ROUND_TO - 1) / ROUND_TO * ROUND_TO + more;
}

static aclError allocate(sim_memory_kind kind, void **address, size_t size, size_t room, const char *function)
{
    int32_t device = 0;
    if (size == 0)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: size is 0; it is 1 or more", function);
    const aclError status = current_device(&device, function);
    if (status != ACL_SUCCESS)
        return status;
    *address = sim_memory_new(kind, device, size, room, function);
    if (*address != NULL)
        return ACL_SUCCESS;
    return sim_refused(ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no room for %zu bytes; %zu of %zu are left on device %d",
        function, size, sim_memory_available(device), SIM_DEVICE_MEMORY_SIZE, (int)device);
}

static aclError allocate_on_device(
    void **address, size_t size, size_t more, aclrtMemMallocPolicy policy, const char *function)
{
    if (!is_policy(policy))
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: there is no policy %d", function, (int)policy);
    return allocate(SIM_DEVICE_MEMORY, address, size, rounded(size, more), function);
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    ENTRY_NEEDS(devPtr);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION);
    return allocate_on_device(devPtr, size, more_here(), policy, __func__);
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    ENTRY_NEEDS(devPtr);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION);
    return allocate_on_device(devPtr, size, 0, policy, __func__);
}

aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    ENTRY_NEEDS(devPtr);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION);
    return allocate_on_device(devPtr, size, more_here(), policy, __func__);
}

aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig *cfg)
{
    (void)cfg;
    ENTRY_NEEDS(devPtr);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION);
    return allocate_on_device(devPtr, size, more_here(), policy, __func__);
}

aclError aclrtMallocHost(void **hostPtr, size_t size)
{
    ENTRY_NEEDS(hostPtr);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION);
    return allocate(SIM_HOST_MEMORY, hostPtr, size, size, __func__);
}

aclError aclrtMallocHostWithCfg(void **ptr, uint64_t size, aclrtMallocConfig *cfg)
{
    (void)cfg;
    ENTRY_NEEDS(ptr);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION);
    return allocate(SIM_HOST_MEMORY, ptr, size, size, __func__);
}

/* --- free --------------------------------------------------------------------------------------------------------- */

/* Without a device it is an error, but the memory is given back: it is not told as a leak again. */
static aclError release(sim_memory_kind kind, void *address, const char *function)
{
    int32_t device = 0;
    const aclError status = sim_memory_free(kind, address, function);
    return status != ACL_SUCCESS ? status : current_device(&device, function);
}

static aclError release_behind_work(sim_memory_kind kind, void *address, const char *function)
{
    sim_lock();
    const aclError status = sim_device_wait(-1, function);
    sim_unlock();
    const aclError freed = sim_memory_free(kind, address, function);
    return freed != ACL_SUCCESS ? freed : status;
}

aclError aclrtFree(void *devPtr)
{
    ENTRY_NEEDS(devPtr);
    return release(SIM_DEVICE_MEMORY, devPtr, __func__);
}

aclError aclrtFreeWithDevSync(void *devPtr)
{
    ENTRY_NEEDS(devPtr);
    return release_behind_work(SIM_DEVICE_MEMORY, devPtr, __func__);
}

aclError aclrtFreeHost(void *hostPtr)
{
    ENTRY_NEEDS(hostPtr);
    return release(SIM_HOST_MEMORY, hostPtr, __func__);
}

aclError aclrtFreeHostWithDevSync(void *hostPtr)
{
    ENTRY_NEEDS(hostPtr);
    return release_behind_work(SIM_HOST_MEMORY, hostPtr, __func__);
}

/* --- asked about -------------------------------------------------------------------------------------------------- */

/* There is no cache between the device and its memory. */
static aclError cached(void *address, size_t size, const char *function)
{
    aclError status;
    (void)sim_memory_usable(function, "devPtr", address, size, SIM_DEVICE_MEMORY, &status);
    return status;
}

aclError aclrtMemFlush(void *devPtr, size_t size)
{
    ENTRY_NEEDS(devPtr);
    return cached(devPtr, size, __func__);
}

aclError aclrtMemInvalidate(void *devPtr, size_t size)
{
    ENTRY_NEEDS(devPtr);
    return cached(devPtr, size, __func__);
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total)
{
    int32_t device = 0;
    ENTRY_NEEDS(free);
    ENTRY_NEEDS(total);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: there is no attribute %d", __func__, (int)attr);
    const aclError status = current_device(&device, __func__);
    if (status != ACL_SUCCESS)
        return status;
    *free = sim_memory_available(device);
    *total = SIM_DEVICE_MEMORY_SIZE;
    return ACL_SUCCESS;
}

aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes)
{
    int32_t device = 0;
    sim_memory_kind kind = SIM_HOST_MEMORY;
    ENTRY_NEEDS(ptr);
    ENTRY_NEEDS(attributes);
    *attributes = (aclrtPtrAttributes){.location = {.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED}};
    if (!sim_memory_owner(ptr, &kind, &device))
        return ACL_SUCCESS;
    attributes->location.type = kind == SIM_DEVICE_MEMORY ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST;
    attributes->location.id = (uint32_t)device;
    attributes->pageSize = 4096;
    return ACL_SUCCESS;
}
