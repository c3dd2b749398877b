#define _POSIX_C_SOURCE 200809L
#include "core/contexts.h"

#include <unistd.h>

#include "acl/acl_base.h"
#include "acl/error_codes/rt_error_codes.h"
#include "core/errors.h"
#include "core/machine.h"
#include "core/streams.h"
#include "events.h"
#include "sim_target.h"

static struct {
    sim_context *context; /* the default one, while the device is set */
    uint32_t holders;     /* threads that set it and did not reset it */
} devices[SIM_DEVICES_MAX];

static struct {
    uint64_t references; /* of aclInit */
    bool begun, ended, warned;
    pid_t pid; /* of the process that uses the run time */
} process;

static _Thread_local struct {
    sim_context *chosen; /* by aclrtSetCurrentContext; perhaps destroyed since */
    uint64_t serial;
    int32_t device; /* the last that was set, plus 1 */
    uint16_t sets[SIM_DEVICES_MAX]; /* how often, and not reset as often: resetting once is enough, but not all */
    bool holds[SIM_DEVICES_MAX];
} thread;

/* --- process ------------------------------------------------------------------------------------------------------ */

int32_t sim_process_begin(const char *function)
{
    process.pid = getpid();
    process.references++;
    if (process.begun)
        return sim_refused(ACL_ERROR_REPEAT_INITIALIZE, "%s was called already; once is enough", function);
    process.begun = true;
    process.ended = false;
    opspec_tell_start(OPSPEC_SIMULATOR, sim_target_release, sim_product());
    if (!sim_soc_is_known())
        opspec_tell(OPSPEC_SIMULATOR, FOUND_SETTING_INVALID,
            "OPSPEC_SOC_NAME: no product's SoC has the name %.100s; rules are those of the product the SDK is for",
            sim_soc_name());
    return ACL_SUCCESS;
}

int32_t sim_process_end(const char *function, bool one_reference, uint64_t *references)
{
    if (!process.begun)
        return sim_refused(process.ended ? ACL_ERROR_REPEAT_FINALIZE : ACL_ERROR_UNINITIALIZE,
            process.ended ? "%s: aclFinalize was called already" : "%s: aclInit was not called before", function);
    process.references = one_reference ? process.references - 1 : 0;
    if (references != NULL)
        *references = process.references;
    if (process.references == 0) {
        process.begun = false;
        process.ended = true;
    }
    return ACL_SUCCESS;
}

/* Real libraries let programs go on without aclInit; documents do not. */
static void use_process(const char *function)
{
    process.pid = getpid();
    if (process.begun || process.warned)
        return;
    process.warned = true;
    opspec_tell(OPSPEC_SIMULATOR, FOUND_RUNTIME_NOT_INITIALISED, "%s is called %s", function,
        process.ended ? "behind aclFinalize" : "before aclInit");
}

void sim_process_report(void)
{
    if (process.begun)
        opspec_tell(OPSPEC_SIMULATOR, FOUND_RUNTIME_NOT_FINALISED, "at exit: aclFinalize was not called");
}

bool sim_process_is_used(void) { return process.pid != 0 && process.pid == getpid(); }

/* --- contexts ----------------------------------------------------------------------------------------------------- */

sim_context *sim_context_current(void)
{
    sim_context *chosen = thread.chosen == NULL ? NULL : sim_object_find(thread.chosen, SIM_CONTEXT);
    if (chosen != NULL && chosen->object.serial == thread.serial)
        return chosen;
    return thread.device > 0 ? devices[thread.device - 1].context : NULL;
}

int32_t sim_context_missing(const char *function)
{
    return sim_misuse(ACL_ERROR_RT_CONTEXT_NULL, FOUND_CONTEXT_MISSING,
        "%s: this thread has no context; aclrtSetDevice or aclrtSetCurrentContext comes first", function);
}

static void choose(sim_context *context)
{
    thread.chosen = context;
    thread.serial = context == NULL ? 0 : context->object.serial;
}

static sim_context *new_context(int32_t device, const char *function, bool implicit)
{
    sim_context *context = sim_object_new(SIM_CONTEXT, sizeof *context, function);
    if (context == NULL)
        return NULL;
    context->device = device;
    context->object.implicit = implicit;
    context->stream = sim_stream_new(context, 0, 0, function);
    if (context->stream == NULL) {
        sim_object_retire(context);
        return NULL;
    }
    context->stream->object.implicit = true;
    return context;
}

typedef struct {
    const sim_context *context;
    const char *function;
} leaving;

static void leave_stream(void *object, void *how)
{
    sim_stream *stream = object;
    const leaving *left = how;
    if (stream->context != left->context)
        return;
    if (!stream->object.implicit)
        opspec_tell(OPSPEC_SIMULATOR, FOUND_STREAM_LEAK,
            "%s: a stream that %s made goes with its context; it was not destroyed", left->function,
            stream->object.function);
    sim_stream_finish(stream);
    sim_object_retire(stream);
}

static void end_context(sim_context *context, const char *function)
{
    leaving left = {context, function};
    sim_objects_each(SIM_STREAM, leave_stream, &left);
    sim_object_retire(context);
    sim_changed();
}

int32_t sim_device_check(int32_t device, const char *function)
{
    if (device >= 0 && device < sim_device_count())
        return ACL_SUCCESS;
    return sim_refused(ACL_ERROR_RT_INVALID_DEVICEID, "%s: there is no device %d; devices are 0 to %d (OPSPEC_DEVICES)",
        function, (int)device, (int)sim_device_count() - 1);
}

int32_t sim_context_create(int32_t device, const char *function, void **context)
{
    const int32_t status = sim_device_check(device, function);
    if (status != ACL_SUCCESS)
        return status;
    use_process(function);
    sim_context *made = new_context(device, function, false);
    if (made == NULL)
        return sim_refused(ACL_ERROR_BAD_ALLOC, "%s: no memory", function);
    choose(made);
    *context = made;
    return ACL_SUCCESS;
}

int32_t sim_context_destroy(void *handle, const char *function)
{
    sim_context *context = sim_object_find(handle, SIM_CONTEXT);
    if (context == NULL)
        return sim_misuse(ACL_ERROR_RT_CONTEXT_NULL, FOUND_CONTEXT_UNKNOWN, "%s: %p is %s", function, handle,
            sim_object_was(handle, SIM_CONTEXT) ? "a context that was destroyed already" : "no context");
    if (context->object.implicit)
        return sim_refused(ACL_ERROR_RT_PARAM_INVALID,
            "%s: this is a device's default context, which goes with aclrtResetDevice", function);
    end_context(context, function);
    return ACL_SUCCESS;
}

int32_t sim_context_use(void *handle, const char *function)
{
    sim_context *context = sim_object_find(handle, SIM_CONTEXT);
    if (context == NULL)
        return sim_misuse(ACL_ERROR_RT_CONTEXT_NULL, FOUND_CONTEXT_UNKNOWN, "%s: %p is %s", function, handle,
            sim_object_was(handle, SIM_CONTEXT) ? "a context that was destroyed" : "no context");
    choose(context);
    return ACL_SUCCESS;
}

/* --- devices ------------------------------------------------------------------------------------------------------ */

int32_t sim_device_set(int32_t device, const char *function)
{
    const int32_t status = sim_device_check(device, function);
    if (status != ACL_SUCCESS)
        return status;
    use_process(function);
    if (devices[device].context == NULL)
        devices[device].context = new_context(device, function, true);
    if (devices[device].context == NULL)
        return sim_refused(ACL_ERROR_BAD_ALLOC, "%s: no memory", function);
    if (!thread.holds[device])
        devices[device].holders++;
    thread.holds[device] = true;
    if (thread.sets[device] < UINT16_MAX)
        thread.sets[device]++;
    thread.device = device + 1;
    choose(NULL);
    return ACL_SUCCESS;
}

int32_t sim_device_reset(int32_t device, bool force, const char *function)
{
    const int32_t status = sim_device_check(device, function);
    if (status != ACL_SUCCESS)
        return status;
    const bool again = !thread.holds[device] && thread.sets[device] > 0;
    if (thread.sets[device] > 0)
        thread.sets[device]--;
    if (again && !force)
        return ACL_SUCCESS; /* as often as it was set: documents differ on whether that is necessary */
    if (devices[device].holders == 0)
        return sim_refused(ACL_ERROR_RT_CONTEXT_NULL, "%s: device %d is not set", function, (int)device);
    thread.holds[device] = false;
    devices[device].holders = force ? 0 : devices[device].holders - 1;
    if (devices[device].holders > 0)
        return ACL_SUCCESS;
    end_context(devices[device].context, function);
    devices[device].context = NULL;
    return ACL_SUCCESS;
}

void sim_devices_report(void)
{
    for (int i = 0; i < SIM_DEVICES_MAX; i++)
        if (devices[i].holders > 0)
            opspec_tell(OPSPEC_SIMULATOR, FOUND_DEVICE_NOT_RESET,
                "at exit: device %d was set but not reset (aclrtResetDevice)", i);
}

bool sim_device_is_set(void)
{
    sim_lock();
    const bool set = sim_context_current() != NULL;
    sim_unlock();
    return set;
}
