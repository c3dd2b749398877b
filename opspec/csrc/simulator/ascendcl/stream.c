/* Streams. */
#include "entry.h"

static aclError create(aclrtStream *stream, uint32_t priority, uint32_t flags, const char *function)
{
    sim_context *context = sim_context_current();
    if (context == NULL)
        return sim_context_missing(function);
    sim_stream *made = sim_stream_new(context, priority, flags, function);
    if (made == NULL)
        return sim_refused(ACL_ERROR_RT_NO_STREAM_RESOURCE, "%s: no memory", function);
    *stream = made;
    return ACL_SUCCESS;
}

aclError aclrtCreateStream(aclrtStream *stream)
{
    ENTRY_NEEDS(stream);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_NO_STREAM_RESOURCE);
    ENTRY_LOCKED(create(stream, 0, 0, __func__));
}

aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag)
{
    const uint32_t flags = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE |
        ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
    ENTRY_NEEDS(stream);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_NO_STREAM_RESOURCE);
    if ((flag & ~flags) != 0)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: flag is 0x%x, which has bits of no flag", __func__, flag);
    ENTRY_LOCKED(create(stream, priority, flag, __func__));
}

aclError aclrtDestroyStream(aclrtStream stream)
{
    ENTRY_NEEDS(stream);
    ENTRY_LOCKED(sim_stream_destroy(stream, false, __func__));
}

aclError aclrtDestroyStreamForce(aclrtStream stream)
{
    ENTRY_NEEDS(stream);
    ENTRY_LOCKED(sim_stream_destroy(stream, true, __func__));
}

static aclError synchronize(aclrtStream stream, int64_t timeout, const char *function)
{
    sim_memory_inspect(function);
    ENTRY_LOCKED(sim_stream_wait(stream, timeout, function));
}

aclError aclrtSynchronizeStream(aclrtStream stream)
{
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    return synchronize(stream, -1, __func__);
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout)
{
    ENTRY_CAN_FAIL(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    if (timeout < -1)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: timeout is %d; it is -1 or more", __func__, (int)timeout);
    return synchronize(stream, timeout, __func__);
}

/* A program that was told that all is done need not wait. */
static aclError query(aclrtStream handle, aclrtStreamStatus *status, const char *function)
{
    aclError found;
    sim_stream *stream = sim_stream_here(handle, function, &found);
    if (stream == NULL)
        return found;
    *status = sim_stream_is_idle(stream) ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    if (*status == ACL_STREAM_STATUS_COMPLETE)
        sim_stream_finish(stream);
    return ACL_SUCCESS;
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status)
{
    ENTRY_NEEDS(status);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    ENTRY_LOCKED(query(stream, status, __func__));
}

static aclError abandon(aclrtStream handle, const char *function)
{
    aclError status;
    sim_stream *stream = sim_stream_here(handle, function, &status);
    if (stream == NULL)
        return status;
    for (size_t i = 0; i < stream->gates.count; i++)
        sim_gate_open(stream->gates.list[i]);
    (void)sim_stream_is_idle(stream);
    sim_stream_finish(stream);
    return ACL_SUCCESS;
}

aclError aclrtStreamAbort(aclrtStream stream) { ENTRY_LOCKED(abandon(stream, __func__)); }

/* --- what is known of a stream ------------------------------------------------------------------------------------ */

typedef enum { STREAM_ID, STREAM_FLAGS, STREAM_PRIORITY, STREAM_OVERFLOW } fact;

static aclError get(fact which, aclrtStream handle, uint32_t *value, const char *function)
{
    aclError status;
    sim_lock();
    const sim_stream *stream = sim_stream_here(handle, function, &status);
    if (stream != NULL)
        *value = which == STREAM_ID ? (uint32_t)(stream->object.serial & INT32_MAX)
            : which == STREAM_FLAGS ? stream->flags
            : which == STREAM_PRIORITY ? stream->priority : stream->overflow;
    sim_unlock();
    return status;
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId)
{
    uint32_t id = 0;
    ENTRY_NEEDS(streamId);
    const aclError status = get(STREAM_ID, stream, &id, __func__);
    if (status == ACL_SUCCESS)
        *streamId = (int32_t)id;
    return status;
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t *flags)
{
    ENTRY_NEEDS(flags);
    return get(STREAM_FLAGS, stream, flags, __func__);
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t *priority)
{
    ENTRY_NEEDS(priority);
    return get(STREAM_PRIORITY, stream, priority, __func__);
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t *flag)
{
    ENTRY_NEEDS(flag);
    return get(STREAM_OVERFLOW, stream, flag, __func__);
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag)
{
    aclError status;
    if (flag > 1)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: flag is %u; it is 0 or 1", __func__, flag);
    sim_lock();
    sim_stream *found = sim_stream_here(stream, __func__, &status);
    if (found != NULL)
        found->overflow = flag;
    sim_unlock();
    return status;
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode)
{
    aclError status;
    if (mode != ACL_CONTINUE_ON_FAILURE && mode != ACL_STOP_ON_FAILURE)
        return sim_refused(
            ACL_ERROR_INVALID_PARAM, "%s: mode is %llu; it is 0 or 1", __func__, (unsigned long long)mode);
    ENTRY_NEEDS(stream);
    sim_lock();
    sim_stream *found = sim_stream_here(stream, __func__, &status);
    if (found != NULL)
        found->failure_mode = mode;
    sim_unlock();
    return status;
}
