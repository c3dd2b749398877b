#include "core/streams.h"

#include <stdio.h>
#include <stdlib.h>

#include "acl/acl_base.h"
#include "acl/error_codes/rt_error_codes.h"
#include "core/errors.h"
#include "events.h"

/* --- gates -------------------------------------------------------------------------------------------------------- */

sim_gate *sim_gate_new(uint64_t deadline, const char *what)
{
    sim_gate *gate = calloc(1, sizeof *gate);
    if (gate == NULL)
        return NULL;
    gate->references = 1;
    gate->deadline = deadline;
    (void)snprintf(gate->what, sizeof gate->what, "%s", what);
    return gate;
}

void sim_gate_release(sim_gate *gate)
{
    if (--gate->references == 0)
        free(gate);
}

void sim_gate_open(sim_gate *gate)
{
    gate->open = true;
    sim_changed();
}

static bool add_gate(sim_gates *gates, sim_gate *gate)
{
    for (size_t i = 0; i < gates->count; i++)
        if (gates->list[i] == gate)
            return true;
    sim_gate **more = realloc(gates->list, (gates->count + 1) * sizeof *more);
    if (more == NULL)
        return false;
    gates->list = more;
    gates->list[gates->count++] = gate;
    gate->references++;
    return true;
}

static void clear_gates(sim_gates *gates)
{
    for (size_t i = 0; i < gates->count; i++)
        sim_gate_release(gates->list[i]);
    free(gates->list);
    *gates = (sim_gates){NULL, 0};
}

/* Forgets the open ones. */
static bool all_open(sim_gates *gates)
{
    size_t kept = 0;
    for (size_t i = 0; i < gates->count; i++)
        if (gates->list[i]->open)
            sim_gate_release(gates->list[i]);
        else
            gates->list[kept++] = gates->list[i];
    gates->count = kept;
    if (kept == 0)
        clear_gates(gates);
    return kept == 0;
}

static sim_gate *first_due(const sim_gates *gates)
{
    sim_gate *first = NULL;
    for (size_t i = 0; i < gates->count; i++)
        if (gates->list[i]->deadline != 0 && (first == NULL || gates->list[i]->deadline < first->deadline))
            first = gates->list[i];
    return first;
}

/* Looks again after a change or at a deadline; a status when there is no more waiting. */
static int32_t wait_once(const sim_gates *gates, uint64_t deadline, int32_t late, const char *function)
{
    sim_gate *due = first_due(gates);
    const bool gate_first = due != NULL && (deadline == 0 || due->deadline < deadline);
    if (sim_wait(gate_first ? due->deadline : deadline))
        return ACL_SUCCESS;
    if (!gate_first)
        return sim_refused(late, "%s: the time is over, and work is not done", function);
    return ACL_SUCCESS;
}

/* A gate that never opens is told once, and opened so that the program comes to its end. */
static int32_t give_up(const sim_gates *gates, const char *function)
{
    sim_gate *due = first_due(gates);
    if (due == NULL || due->open || sim_nanoseconds() < due->deadline)
        return ACL_SUCCESS;
    sim_gate_open(due);
    return sim_misuse(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, FOUND_STREAM_STUCK, "%s: the stream waited in vain: %s",
        function, due->what);
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

static void release_stream(sim_object *object)
{
    sim_stream *stream = (sim_stream *)(void *)object;
    clear_gates(&stream->gates);
    sim_clock_clear(&stream->clock);
}

sim_stream *sim_stream_new(struct sim_context *context, uint32_t priority, uint32_t flags, const char *function)
{
    sim_stream *stream = sim_object_new(SIM_STREAM, sizeof *stream, function);
    if (stream == NULL)
        return NULL;
    stream->context = context;
    stream->priority = priority;
    stream->flags = flags;
    stream->object.release = release_stream;
    return stream;
}

sim_stream *sim_stream_find(const void *handle, const char *function, int32_t *status)
{
    sim_stream *stream = sim_object_find(handle, SIM_STREAM);
    *status = ACL_SUCCESS;
    if (stream == NULL)
        *status = sim_misuse(ACL_ERROR_RT_STREAM_CONTEXT, FOUND_STREAM_UNKNOWN, "%s: %p is %s", function, handle,
            sim_object_was(handle, SIM_STREAM) ? "a stream that was destroyed" : "no stream");
    return stream;
}

void sim_stream_reached(const sim_stream *stream, sim_clock *clock)
{
    sim_clock_join(clock, &stream->clock);
    sim_clock_reach(clock, (sim_mark){stream->object.serial, sim_uses_order()});
}

void sim_stream_finish(sim_stream *stream)
{
    sim_stream_reached(stream, &stream->clock);
    sim_uses_done(&stream->clock);
    sim_clock_clear(&stream->clock);
}

/* "stream 0x…", "the default stream". */
static const char *stream_name(const void *handle, bool is_default, char *text, size_t size)
{
    if (is_default)
        return "the default stream";
    (void)snprintf(text, size, "stream %p", handle);
    return text;
}

static void tell_race(const sim_use *use, const sim_worker *by, const sim_user *other)
{
    char here[40], there[40];
    const bool is_default = by->is_default || other->is_default;
    opspec_tell(OPSPEC_SIMULATOR, is_default ? FOUND_MEMORY_RACE_DEFAULT : FOUND_MEMORY_RACE,
        "%s: %s at %p is %s in %s, though %s in %s may still %s it (%s); no event and no synchronisation lies between",
        use->work, use->what, use->address, use->writes ? "written" : "read",
        stream_name(by->handle, by->is_default, here, sizeof here), other->work,
        stream_name(other->stream, other->is_default, there, sizeof there), other->writes ? "write" : "read",
        other->what);
}

void sim_stream_use(sim_stream *stream, const sim_use *use)
{
    sim_user other;
    const sim_worker by = {stream->object.serial, stream, stream->object.implicit, &stream->clock};
    if (sim_uses_add(use, &by, &other) && !sim_fault_happened()) /* else: given up, not forgotten */
        tell_race(use, &by, &other);
}

bool sim_stream_hold(sim_stream *stream, sim_gate *gate)
{
    (void)all_open(&stream->gates);
    return add_gate(&stream->gates, gate);
}

bool sim_stream_is_idle(sim_stream *stream) { return all_open(&stream->gates); }

/* The stream is looked up again after each wait: another thread may destroy it. */
int32_t sim_stream_await(sim_stream *stream, uint64_t deadline, const char *function)
{
    const uint64_t serial = stream->object.serial;
    int32_t status = ACL_SUCCESS;
    while (status == ACL_SUCCESS && !all_open(&stream->gates)) {
        status = wait_once(&stream->gates, deadline, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, function);
        stream = status == ACL_SUCCESS ? sim_stream_find(stream, function, &status) : NULL;
        if (stream != NULL && stream->object.serial != serial)
            status = sim_misuse(ACL_ERROR_RT_STREAM_CONTEXT, FOUND_STREAM_UNKNOWN,
                "%s: the stream was destroyed by another thread", function);
        else if (stream != NULL)
            status = give_up(&stream->gates, function);
    }
    if (status == ACL_SUCCESS)
        sim_stream_finish(stream);
    return status;
}

int32_t sim_stream_destroy(void *handle, bool force, const char *function)
{
    int32_t status;
    sim_stream *stream = sim_stream_find(handle, function, &status);
    if (stream == NULL)
        return status;
    if (stream->object.implicit)
        return sim_refused(ACL_ERROR_RT_PARAM_INVALID, "%s: this is a context's default stream", function);
    if (!force)
        status = sim_stream_await(stream, 0, function);
    if (sim_object_find(stream, SIM_STREAM) != stream)
        return status;
    sim_stream_finish(stream);
    sim_object_retire(stream);
    sim_changed();
    return status;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void release_event(sim_object *object)
{
    sim_event *event = (sim_event *)(void *)object;
    clear_gates(&event->gates);
    sim_clock_clear(&event->clock);
}

sim_event *sim_event_new(uint32_t flags, const char *function)
{
    sim_event *event = sim_object_new(SIM_EVENT, sizeof *event, function);
    if (event == NULL)
        return NULL;
    event->flags = flags;
    event->object.release = release_event;
    return event;
}

sim_event *sim_event_here(const void *handle, const char *function, int32_t *status)
{
    sim_event *event = sim_object_find(handle, SIM_EVENT);
    *status = ACL_SUCCESS;
    if (event == NULL)
        *status = sim_misuse(ACL_ERROR_RT_INVALID_HANDLE, FOUND_EVENT_UNKNOWN, "%s: %p is %s", function, handle,
            sim_object_was(handle, SIM_EVENT) ? "an event that was destroyed" : "no event");
    return event;
}

void sim_event_record(sim_event *event, sim_stream *stream)
{
    clear_gates(&event->gates);
    (void)all_open(&stream->gates);
    for (size_t i = 0; i < stream->gates.count; i++)
        (void)add_gate(&event->gates, stream->gates.list[i]);
    sim_clock_clear(&event->clock);
    sim_stream_reached(stream, &event->clock);
    event->recorded = true;
    event->nanoseconds = sim_nanoseconds();
}

bool sim_event_is_done(sim_event *event)
{
    if (!all_open(&event->gates))
        return false;
    sim_uses_done(&event->clock);
    return true;
}

void sim_event_await(sim_stream *stream, const sim_event *event)
{
    for (size_t i = 0; i < event->gates.count; i++)
        (void)add_gate(&stream->gates, event->gates.list[i]);
    sim_clock_join(&stream->clock, &event->clock);
}

int32_t sim_event_wait(const void *handle, int64_t timeout, const char *function)
{
    const uint64_t deadline = sim_deadline(timeout);
    int32_t status;
    sim_event *event = sim_event_here(handle, function, &status);
    while (status == ACL_SUCCESS && !sim_event_is_done(event)) {
        status = wait_once(&event->gates, deadline, ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, function);
        event = status == ACL_SUCCESS ? sim_event_here(handle, function, &status) : NULL;
        if (event != NULL)
            status = give_up(&event->gates, function);
    }
    return status;
}
