/* Events. */
#include "entry.h"

static aclError create(aclrtEvent *event, uint32_t flags, const char *function)
{
    if (sim_context_current() == NULL)
        return sim_context_missing(function);
    sim_event *made = sim_event_new(flags, function);
    if (made == NULL)
        return sim_refused(ACL_ERROR_RT_NO_EVENT_RESOURCE, "%s: no memory", function);
    *event = made;
    return ACL_SUCCESS;
}

static const uint32_t all_flags = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE |
    ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_EXTERNAL | ACL_EVENT_IPC;

static aclError create_with_flag(aclrtEvent *event, uint32_t flag, const char *function)
{
    if ((flag & ~all_flags) != 0)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: flag is 0x%x, which has bits of no flag", function, flag);
    ENTRY_LOCKED(create(event, flag, function));
}

aclError aclrtCreateEvent(aclrtEvent *event)
{
    ENTRY_NEEDS(event);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_NO_EVENT_RESOURCE);
    ENTRY_LOCKED(create(event, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE, __func__));
}

aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag)
{
    ENTRY_NEEDS(event);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_NO_EVENT_RESOURCE);
    return create_with_flag(event, flag, __func__);
}

aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag)
{
    ENTRY_NEEDS(event);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_NO_EVENT_RESOURCE);
    return create_with_flag(event, flag, __func__);
}

static aclError destroy(aclrtEvent handle, const char *function)
{
    aclError status;
    sim_event *event = sim_event_here(handle, function, &status);
    if (event != NULL)
        sim_object_retire(event);
    return status;
}

aclError aclrtDestroyEvent(aclrtEvent event)
{
    ENTRY_NEEDS(event);
    ENTRY_LOCKED(destroy(event, __func__));
}

/* --- in the order of a stream ------------------------------------------------------------------------------------- */

typedef enum { RECORD, RESET, AWAIT } action;

static aclError act(action what, aclrtEvent event_handle, aclrtStream stream_handle, const char *function)
{
    aclError status;
    sim_event *event = sim_event_here(event_handle, function, &status);
    sim_stream *stream = event == NULL ? NULL : sim_stream_here(stream_handle, function, &status);
    if (stream == NULL)
        return status;
    if (what == RECORD)
        sim_event_record(event, stream);
    else if (what == AWAIT)
        sim_event_await(stream, event);
    else
        event->recorded = false;
    return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream)
{
    ENTRY_NEEDS(event);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    ENTRY_LOCKED(act(RECORD, event, stream, __func__));
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream)
{
    ENTRY_NEEDS(event);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    ENTRY_LOCKED(act(RESET, event, stream, __func__));
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event)
{
    ENTRY_NEEDS(event);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    ENTRY_LOCKED(act(AWAIT, event, stream, __func__));
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout)
{
    ENTRY_NEEDS(event);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    if (timeout < -1)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: timeout is %d; it is -1 or more", __func__, (int)timeout);
    ENTRY_LOCKED(act(AWAIT, event, stream, __func__));
}

/* --- waiting ------------------------------------------------------------------------------------------------------ */

static aclError synchronize(aclrtEvent event, int64_t timeout, const char *function)
{
    sim_memory_inspect(function);
    ENTRY_LOCKED(sim_event_wait(event, timeout, function));
}

aclError aclrtSynchronizeEvent(aclrtEvent event)
{
    ENTRY_NEEDS(event);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    return synchronize(event, -1, __func__);
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout)
{
    ENTRY_NEEDS(event);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
    if (timeout < -1)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: timeout is %d; it is -1 or more", __func__, (int)timeout);
    return synchronize(event, timeout, __func__);
}

static aclError is_done(aclrtEvent handle, bool *recorded, bool *done, const char *function)
{
    aclError status;
    sim_lock();
    sim_event *event = sim_event_here(handle, function, &status);
    *recorded = event != NULL && event->recorded;
    *done = event != NULL && sim_event_is_done(event);
    sim_unlock();
    return status;
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status)
{
    bool recorded, done;
    ENTRY_NEEDS(event);
    ENTRY_NEEDS(status);
    const aclError found = is_done(event, &recorded, &done, __func__);
    if (found == ACL_SUCCESS)
        *status = recorded && done ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return found;
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status)
{
    bool recorded, done;
    ENTRY_NEEDS(event);
    ENTRY_NEEDS(status);
    const aclError found = is_done(event, &recorded, &done, __func__);
    if (found == ACL_SUCCESS)
        *status = recorded && done ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return found;
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status)
{
    bool recorded, done;
    ENTRY_NEEDS(event);
    ENTRY_NEEDS(status);
    const aclError found = is_done(event, &recorded, &done, __func__);
    if (found == ACL_SUCCESS)
        *status = done ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
    return found;
}

/* --- time --------------------------------------------------------------------------------------------------------- */

static aclError recorded_at(aclrtEvent handle, uint64_t *nanoseconds, const char *function)
{
    aclError status;
    sim_lock();
    const sim_event *event = sim_event_here(handle, function, &status);
    if (event != NULL && !event->recorded)
        status = sim_refused(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "%s: the event was not recorded", function);
    else if (event != NULL)
        *nanoseconds = event->nanoseconds;
    sim_unlock();
    return status;
}

aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent)
{
    uint64_t start = 0, end = 0;
    ENTRY_NEEDS(ms);
    ENTRY_NEEDS(startEvent);
    ENTRY_NEEDS(endEvent);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    aclError status = recorded_at(startEvent, &start, __func__);
    if (status == ACL_SUCCESS)
        status = recorded_at(endEvent, &end, __func__);
    if (status == ACL_SUCCESS && end < start)
        return sim_refused(
            ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL, "%s: endEvent was recorded before startEvent", __func__);
    if (status == ACL_SUCCESS)
        *ms = (float)((double)(end - start) / 1e6);
    return status;
}

/* In microseconds. */
aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp)
{
    uint64_t nanoseconds = 0;
    ENTRY_NEEDS(event);
    ENTRY_NEEDS(timestamp);
    const aclError status = recorded_at(event, &nanoseconds, __func__);
    if (status == ACL_SUCCESS)
        *timestamp = nanoseconds / 1000;
    return status;
}
