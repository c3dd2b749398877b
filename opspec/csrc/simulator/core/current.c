#include "core/current.h"

#include "acl/acl_base.h"
#include "acl/error_codes/rt_error_codes.h"
#include "core/contexts.h"
#include "core/errors.h"
#include "events.h"

sim_stream *sim_stream_here(const void *handle, const char *function, int32_t *status)
{
    const sim_context *context = sim_context_current();
    if (context == NULL) {
        *status = sim_context_missing(function);
        return NULL;
    }
    sim_stream *stream = handle == NULL ? context->stream : sim_stream_find(handle, function, status);
    if (stream == NULL)
        return NULL;
    *status = ACL_SUCCESS;
    if (stream->context != context) {
        *status = sim_misuse(ACL_ERROR_RT_STREAM_CONTEXT, FOUND_STREAM_OTHER_CONTEXT,
            "%s: the stream belongs to another context (of device %d) than the thread's current one (of device %d)",
            function, (int)stream->context->device, (int)context->device);
        return NULL;
    }
    return stream;
}

bool sim_stream_is_live(const void *handle)
{
    sim_lock();
    const bool live = handle == NULL ? sim_context_current() != NULL : sim_object_find(handle, SIM_STREAM) != NULL;
    sim_unlock();
    return live;
}

void sim_memory_use(const sim_use *use, const void *handle)
{
    sim_lock();
    const sim_context *context = sim_context_current();
    sim_stream *own = context == NULL ? NULL : context->stream;
    sim_stream *stream = handle == NULL ? own : sim_object_find(handle, SIM_STREAM);
    if (stream != NULL)
        sim_stream_use(stream, use);
    sim_unlock();
}

int32_t sim_stream_wait(const void *handle, int64_t timeout, const char *function)
{
    int32_t status;
    sim_stream *stream = sim_stream_here(handle, function, &status);
    return stream == NULL ? status : sim_stream_await(stream, sim_deadline(timeout), function);
}

typedef struct {
    int32_t device;
    sim_stream *busy; /* one that waits for something */
    bool finish;
} device_streams;

static void look_at_stream(void *object, void *context)
{
    sim_stream *stream = object;
    device_streams *of = context;
    if (stream->context->device != of->device)
        return;
    if (!sim_stream_is_idle(stream))
        of->busy = stream;
    else if (of->finish)
        sim_stream_finish(stream);
}

int32_t sim_device_wait(int64_t timeout, const char *function)
{
    const sim_context *context = sim_context_current();
    const uint64_t deadline = sim_deadline(timeout);
    if (context == NULL)
        return sim_context_missing(function);
    device_streams of = {.device = context->device, .finish = true};
    for (;;) {
        of.busy = NULL;
        sim_objects_each(SIM_STREAM, look_at_stream, &of);
        if (of.busy == NULL)
            return ACL_SUCCESS;
        const int32_t status = sim_stream_await(of.busy, deadline, function);
        if (status != ACL_SUCCESS)
            return status;
    }
}
