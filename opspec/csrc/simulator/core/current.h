/* What handles of streams stand for in the thread's current context. With the lock of objects held. */
#ifndef OPSPEC_SIM_CURRENT_H
#define OPSPEC_SIM_CURRENT_H

#include "core/streams.h"

/* A stream of the current context, the default one for NULL; else NULL and a status, which is told. */
sim_stream *sim_stream_here(const void *handle, const char *function, int32_t *status);
/* Waits for its gates: a timeout in milliseconds, -1 for ever. */
int32_t sim_stream_wait(const void *handle, int64_t timeout, const char *function);
int32_t sim_device_wait(int64_t timeout, const char *function); /* all streams of the current device */

#endif
