/* Streams and events. Work is done when it is given to a stream, but for what waits for something else: a stream holds
 * gates, and is synchronised when they are open. All with the lock of objects held. */
#ifndef OPSPEC_SIM_STREAMS_H
#define OPSPEC_SIM_STREAMS_H

#include "core/machine.h"
#include "core/objects.h"
#include "core/uses.h"

struct sim_context;

/* What a stream waits for: a callback that another thread runs, the other ranks at a barrier. */
typedef struct sim_gate {
    int references;
    bool open;
    uint64_t deadline; /* after which it is told and taken for open; 0: none */
    char what[160];    /* waits for it, in words */
} sim_gate;

sim_gate *sim_gate_new(uint64_t deadline, const char *what); /* one reference; NULL: no memory */
void sim_gate_release(sim_gate *gate);
void sim_gate_open(sim_gate *gate);

typedef struct {
    sim_gate **list;
    size_t count;
} sim_gates;

typedef struct sim_stream {
    sim_object object;
    struct sim_context *context; /* only compared */
    uint32_t priority, flags, overflow;
    uint64_t failure_mode;
    uint64_t subscriber; /* the thread that runs its callbacks */
    bool subscribed;
    sim_gates gates;
    sim_clock clock; /* other streams' work that was waited for in this one */
} sim_stream;

typedef struct {
    sim_object object;
    uint32_t flags;
    bool recorded;
    uint64_t nanoseconds; /* when it was recorded */
    sim_gates gates;
    sim_clock clock; /* what had been done when it was recorded */
} sim_event;

sim_stream *sim_stream_new(struct sim_context *context, uint32_t priority, uint32_t flags, const char *function);
/* A live stream of any context. */
sim_stream *sim_stream_find(const void *handle, const char *function, int32_t *status);
int32_t sim_stream_destroy(void *handle, bool force, const char *function);
void sim_stream_finish(sim_stream *stream); /* its work counts as waited for */
void sim_stream_reached(const sim_stream *stream, sim_clock *clock); /* its work so far, and what that came behind */
void sim_stream_use(sim_stream *stream, const sim_use *use); /* by its next work; a race with another's is told */
bool sim_stream_hold(sim_stream *stream, sim_gate *gate);
bool sim_stream_is_idle(sim_stream *stream);
/* Waits for its gates up to a moment, 0 for ever. */
int32_t sim_stream_await(sim_stream *stream, uint64_t deadline, const char *function);

sim_event *sim_event_new(uint32_t flags, const char *function); /* NULL: no memory */
sim_event *sim_event_here(const void *handle, const char *function, int32_t *status);
void sim_event_record(sim_event *event, sim_stream *stream);
bool sim_event_is_done(sim_event *event); /* also when it was never recorded */
void sim_event_await(sim_stream *stream, const sim_event *event);
int32_t sim_event_wait(const void *handle, int64_t timeout, const char *function);

#endif
