/* Functions of the host in the order of a stream. */
#include <pthread.h>
#include <stdlib.h>

#include "entry.h"

typedef struct pending {
    struct pending *next;
    aclrtCallback function;
    void *data;
    uint64_t thread; /* that runs it */
    sim_gate *gate;  /* that its stream holds */
    sim_clock clock; /* what it comes behind */
} pending;

static pending *first, **last = &first; /* with the lock of objects held */
static size_t subscriptions;

/* All that was given to the stream before is done already. */
aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args)
{
    aclError status;
    ENTRY_NEEDS(fn);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    sim_lock();
    sim_stream *found = sim_stream_here(stream, __func__, &status);
    if (found != NULL)
        sim_stream_finish(found); /* what runs now may tell others that it is done */
    sim_unlock();
    if (status == ACL_SUCCESS)
        fn(args);
    return status;
}

/* --- callbacks that a thread of the program runs ------------------------------------------------------------------ */

static aclError subscribe(uint64_t thread, aclrtStream handle, const char *function)
{
    aclError status;
    sim_stream *stream = sim_stream_here(handle, function, &status);
    if (stream == NULL)
        return status;
    if (stream->subscribed)
        return sim_refused(ACL_ERROR_REPEAT_SUBSCRIBE, "%s: the stream has a thread already", function);
    stream->subscribed = true;
    stream->subscriber = thread;
    subscriptions++;
    return ACL_SUCCESS;
}

static aclError unsubscribe(uint64_t thread, aclrtStream handle, const char *function)
{
    aclError status;
    sim_stream *stream = sim_stream_here(handle, function, &status);
    if (stream == NULL)
        return status;
    if (!stream->subscribed || stream->subscriber != thread)
        return sim_refused(ACL_ERROR_STREAM_NOT_SUBSCRIBE, "%s: the stream does not have this thread", function);
    stream->subscribed = false;
    subscriptions--;
    return ACL_SUCCESS;
}

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    ENTRY_LOCKED(subscribe(threadId, stream, __func__));
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    ENTRY_LOCKED(unsubscribe(threadId, stream, __func__));
}

static aclError launch(aclrtCallback fn, void *data, aclrtStream handle, const char *function)
{
    aclError status;
    sim_stream *stream = sim_stream_here(handle, function, &status);
    if (stream == NULL)
        return status;
    if (!stream->subscribed)
        return sim_refused(ACL_ERROR_RT_STREAM_NO_CB_REG,
            "%s: no thread runs the stream's callbacks; aclrtSubscribeReport comes first", function);
    pending *added = malloc(sizeof *added);
    sim_gate *gate = sim_gate_new(0, "a callback");
    if (added == NULL || gate == NULL || !sim_stream_hold(stream, gate)) {
        free(added);
        if (gate != NULL)
            sim_gate_release(gate);
        return sim_refused(ACL_ERROR_BAD_ALLOC, "%s: no memory", function);
    }
    *added = (pending){NULL, fn, data, stream->subscriber, gate, {NULL, 0, 0}};
    sim_stream_reached(stream, &added->clock);
    *last = added;
    last = &added->next;
    sim_changed();
    return ACL_SUCCESS;
}

aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType, aclrtStream stream)
{
    ENTRY_NEEDS(fn);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: blockType is %d; it is 0 or 1", __func__, (int)blockType);
    ENTRY_LOCKED(launch(fn, userData, stream, __func__));
}

static pending *take(uint64_t thread)
{
    pending **link = &first, *found;
    while ((found = *link) != NULL && found->thread != thread)
        link = &found->next;
    if (found == NULL)
        return NULL;
    *link = found->next;
    if (found->next == NULL)
        last = link;
    return found;
}

/* Runs what there is for this thread, or waits for something; with the lock, but for the callbacks themselves. */
static aclError process(int64_t timeout)
{
    const uint64_t self = (uint64_t)pthread_self(), deadline = sim_deadline(timeout);
    pending *one;
    if (subscriptions == 0 && first == NULL)
        return sim_failed(ACL_ERROR_THREAD_NOT_SUBSCRIBE); /* a thread that serves may begin before it is subscribed */
    while ((one = take(self)) == NULL)
        if (!sim_wait(deadline))
            return sim_failed(ACL_ERROR_WAIT_CALLBACK_TIMEOUT); /* it is asked again and again: no mistake */
    for (; one != NULL; one = take(self)) {
        sim_uses_done(&one->clock); /* as the callback may tell others */
        sim_clock_clear(&one->clock);
        sim_unlock();
        one->function(one->data);
        sim_lock();
        sim_gate_open(one->gate);
        sim_gate_release(one->gate);
        free(one);
    }
    return ACL_SUCCESS;
}

aclError aclrtProcessReport(int32_t timeout)
{
    if (timeout < -1)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: timeout is %d; it is -1 or more", __func__, (int)timeout);
    ENTRY_LOCKED(process(timeout));
}
