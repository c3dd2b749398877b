/* Devices and contexts: which ones there are, and which one a thread uses. All with the lock of objects held. */
#ifndef OPSPEC_SIM_CONTEXTS_H
#define OPSPEC_SIM_CONTEXTS_H

#include "core/machine.h"
#include "core/objects.h"

enum { SIM_OPTIONS = 3 };

struct sim_stream;

typedef struct sim_context {
    sim_object object;
    int32_t device;
    struct sim_stream *stream; /* the default one */
    int64_t options[SIM_OPTIONS]; /* aclSysParamOpt */
    bool option_is_set[SIM_OPTIONS];
} sim_context;

/* The thread's context: the one it chose, else that of the device it set; NULL when there is none, or no longer. */
sim_context *sim_context_current(void);
int32_t sim_context_missing(const char *function); /* the status of a call that needs one */
int32_t sim_context_create(int32_t device, const char *function, void **context); /* and use it in this thread */
int32_t sim_context_destroy(void *context, const char *function);
int32_t sim_context_use(void *context, const char *function);

int32_t sim_device_set(int32_t device, const char *function);
/* force: whoever else set the device; otherwise it goes when the last one does that set it. */
int32_t sim_device_reset(int32_t device, bool force, const char *function);
int32_t sim_device_check(int32_t device, const char *function); /* whether there is such a device */
void sim_devices_report(void); /* those that were not reset */

/* aclInit and aclFinalize. */
int32_t sim_process_begin(const char *function);
int32_t sim_process_end(const char *function, bool one_reference, uint64_t *references);
void sim_process_report(void);
bool sim_process_is_used(void); /* whether this process, not one that it was forked from, used the run time */

#endif
