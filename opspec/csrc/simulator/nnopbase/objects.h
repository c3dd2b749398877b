/* Inside libnnopbase.so: handles that the simulator makes up, and how calls are refused. */
#ifndef OPSPEC_NNOPBASE_OBJECTS_H
#define OPSPEC_NNOPBASE_OBJECTS_H

#include "aclnn/aclnn_base.h"
#include "events.h"
#include "handles.h"
#include "phases.h"
#include "sim.h"

enum {
    SIM_OK = OPSPEC_ACLNN_SUCCESS,
    SIM_NULL = OPSPEC_ACLNN_ERR_PARAM_NULLPTR,
    SIM_INVALID = OPSPEC_ACLNN_ERR_PARAM_INVALID,
    SIM_RUNTIME = OPSPEC_ACLNN_ERR_RUNTIME_ERROR,
    SIM_INNER = OPSPEC_ACLNN_ERR_INNER,
    SIM_TILING = OPSPEC_ACLNN_ERR_INNER_TILING_ERROR,
    SIM_CREATE_EXECUTOR = OPSPEC_ACLNN_ERR_INNER_CREATE_EXECUTOR,
    SIM_INNER_NULL = OPSPEC_ACLNN_ERR_INNER_NULLPTR
};

/* Sets the recent error, tells a finding, and returns the status. */
int32_t sim_refuse(int32_t status, opspec_finding kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A new handle for a record, which is known by it from now on; NULL when there is no memory. */
const void *sim_issue(opspec_handle *record);
/* The state of a handle; of one that was destroyed also long after that. */
opspec_handle_state sim_state(const void *handle, opspec_handle_kind kind);
/* "was destroyed", "is an aclScalar" ... */
const char *sim_state_text(opspec_handle_state state);
opspec_finding sim_state_kind(opspec_handle_state state); /* of a handle in that state, which is not the wanted one */

/* Tells once that no numerics are computed. */
void sim_say_once(void);

/* The tensor's device address, which other threads may set. */
static inline void *sim_data(const opspec_handle *tensor)
{
    return __atomic_load_n(&tensor->data, __ATOMIC_ACQUIRE);
}

/* How an executor's life ended. */
enum { SIM_EXECUTOR_LIVE, SIM_EXECUTOR_USED, SIM_EXECUTOR_DESTROYED };

/* A tensor that an executor works on. */
typedef struct {
    const void *handle;
    uint64_t serial; /* of the object behind the handle when the executor was made */
    int32_t param;
    int32_t place;   /* in a list, else -1 */
    void *address;   /* set by aclSet...TensorAddr; NULL: the tensor's own */
} sim_bound;

typedef struct {
    const opspec_operator *op;
    uint64_t workspace_size;
    int32_t end;        /* SIM_EXECUTOR_..., atomic */
    int32_t repeatable; /* atomic */
    int32_t count;
    sim_bound bounds[];
} sim_executor;

/* The executor behind a live handle; otherwise NULL, the finding is told and status set. */
sim_executor *sim_executor_of(const char *function, const void *handle, int32_t *status);
void sim_executor_end(const void *handle, sim_executor *executor, int32_t how);

#endif
