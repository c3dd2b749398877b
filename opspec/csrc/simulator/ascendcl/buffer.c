/* Data buffers: an address and a size behind a handle. */
#include "entry.h"

struct aclDataBuffer {
    sim_object object;
    void *data;
    size_t size;
};

aclDataBuffer *aclCreateDataBuffer(void *data, size_t size)
{
    if (sim_fails(__func__))
        return NULL;
    sim_lock();
    aclDataBuffer *buffer = sim_object_new(SIM_DATA_BUFFER, sizeof *buffer, __func__);
    if (buffer != NULL) {
        buffer->data = data;
        buffer->size = size;
    }
    sim_unlock();
    return buffer;
}

static aclDataBuffer *buffer_of(const aclDataBuffer *handle, const char *function)
{
    aclDataBuffer *buffer = sim_object_find(handle, SIM_DATA_BUFFER);
    if (buffer == NULL)
        (void)sim_misuse(ACL_ERROR_INVALID_PARAM, FOUND_BUFFER_UNKNOWN, "%s: %p is %s", function, (const void *)handle,
            sim_object_was(handle, SIM_DATA_BUFFER) ? "a data buffer that was destroyed" : "no data buffer");
    return buffer;
}

aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer)
{
    ENTRY_NEEDS(dataBuffer);
    sim_lock();
    aclDataBuffer *buffer = buffer_of(dataBuffer, __func__);
    if (buffer != NULL)
        sim_object_retire(buffer);
    sim_unlock();
    return buffer == NULL ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS;
}

aclError aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size)
{
    ENTRY_NEEDS(dataBuffer);
    sim_lock();
    aclDataBuffer *buffer = buffer_of(dataBuffer, __func__);
    if (buffer != NULL) {
        buffer->data = data;
        buffer->size = size;
    }
    sim_unlock();
    return buffer == NULL ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS;
}

void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer)
{
    sim_lock();
    const aclDataBuffer *buffer = buffer_of(dataBuffer, __func__);
    void *data = buffer == NULL ? NULL : buffer->data;
    sim_unlock();
    return data;
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer)
{
    sim_lock();
    const aclDataBuffer *buffer = buffer_of(dataBuffer, __func__);
    const size_t size = buffer == NULL ? 0 : buffer->size;
    sim_unlock();
    return size;
}

uint32_t aclGetDataBufferSize(const aclDataBuffer *dataBuffer) { return (uint32_t)aclGetDataBufferSizeV2(dataBuffer); }
