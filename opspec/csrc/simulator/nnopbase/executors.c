/* aclOpExecutor: repeatable or not, destruction, other addresses for its tensors. */
#include "objects.h"

sim_executor *sim_executor_of(const char *function, const void *handle, int32_t *status)
{
    *status = SIM_OK;
    if (handle == NULL) {
        *status = sim_refuse(SIM_INNER_NULL, FOUND_EXECUTOR_NULL, "%s: the executor is null", function);
        return NULL;
    }
    opspec_handle_state state;
    const opspec_handle *found = opspec_handles_find(handle, OPSPEC_HANDLE_EXECUTOR, &state);
    if (found != NULL)
        return found->data;
    state = sim_state(handle, OPSPEC_HANDLE_EXECUTOR);
    const opspec_handle *ghost = opspec_handles_ghost(handle);
    const sim_executor *past = ghost != NULL && state == OPSPEC_HANDLE_DESTROYED ? ghost->data : NULL;
    if (past != NULL && __atomic_load_n(&past->end, __ATOMIC_ACQUIRE) == SIM_EXECUTOR_USED)
        *status = sim_refuse(SIM_INNER, FOUND_EXECUTOR_REUSED,
            "%s: the executor was used up by a second phase of %s: it serves one, unless aclSetAclOpExecutorRepeatable "
            "is called before", function, past->op->name);
    else
        *status = sim_refuse(SIM_INNER,
            state == OPSPEC_HANDLE_DESTROYED ? FOUND_EXECUTOR_DESTROYED : FOUND_EXECUTOR_UNKNOWN,
            "%s: the executor %s", function, sim_state_text(state));
    return NULL;
}

void sim_executor_end(const void *handle, sim_executor *executor, int32_t how)
{
    __atomic_store_n(&executor->end, how, __ATOMIC_RELEASE);
    opspec_handles_remove(handle, OPSPEC_HANDLE_EXECUTOR);
}

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor)
{
    int32_t status;
    if (sim_fails("aclSetAclOpExecutorRepeatable")) {
        sim_error("aclSetAclOpExecutorRepeatable: failed on purpose (OPSPEC_FAIL)");
        return SIM_INNER;
    }
    sim_executor *found = sim_executor_of("aclSetAclOpExecutorRepeatable", executor, &status);
    if (found != NULL)
        __atomic_store_n(&found->repeatable, 1, __ATOMIC_RELEASE);
    return status;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor)
{
    int32_t status;
    sim_executor *found = sim_executor_of("aclDestroyAclOpExecutor", executor, &status);
    if (found != NULL)
        sim_executor_end(executor, found, SIM_EXECUTOR_DESTROYED);
    return status;
}

/* --- other addresses ------------------------------------------------------------------------------------------------ */

typedef enum { INPUTS, OUTPUTS, ALL } among;

/* The param that is the index-th tensor (or list of tensors) among inputs, outputs or all; -1 when there is none. */
static int32_t param_at(const opspec_operator *op, among which, size_t index, opspec_kind kind)
{
    for (int32_t i = 0; i < op->param_count; i++) {
        const opspec_kind its = op->params[i].kind;
        if (its != OPSPEC_KIND_TENSOR && its != OPSPEC_KIND_TENSORS)
            continue;
        if ((which == INPUTS && op->params[i].output) || (which == OUTPUTS && !op->params[i].output))
            continue;
        if (index == 0)
            return its == kind ? i : -1;
        index--;
    }
    return -1;
}

static int32_t set_address(const char *function, const void *handle, int32_t (*param_of)(const opspec_operator *, size_t),
    size_t index, size_t place, const void *object, void *address)
{
    int32_t status;
    sim_executor *executor = sim_executor_of(function, handle, &status);
    if (executor == NULL)
        return status;
    if (object == NULL)
        return sim_refuse(SIM_NULL, FOUND_ARGUMENT_NULL, "%s: the tensor is null", function);
    if (!__atomic_load_n(&executor->repeatable, __ATOMIC_ACQUIRE))
        return sim_refuse(SIM_INVALID, FOUND_EXECUTOR_NOT_REPEATABLE,
            "%s: the executor of %s is not repeatable: call aclSetAclOpExecutorRepeatable first", function,
            executor->op->name);
    const int32_t param = param_of(executor->op, index);
    for (int32_t i = 0; param >= 0 && i < executor->count; i++)
        if (executor->bounds[i].param == param &&
            (executor->bounds[i].place < 0 || (uint64_t)executor->bounds[i].place == place)) {
            __atomic_store_n(&executor->bounds[i].address, address, __ATOMIC_RELEASE);
            return SIM_OK;
        }
    return sim_refuse(SIM_INVALID, FOUND_EXECUTOR_NO_TENSOR, "%s: the executor of %s has no tensor at index %zu",
        function, executor->op->name, index);
}

#define SET_ADDRESS(name, which)                                                                                       \
    static int32_t param_##name(const opspec_operator *op, size_t index)                                               \
    {                                                                                                                  \
        return param_at(op, which, index, OPSPEC_KIND_TENSOR);                                                         \
    }                                                                                                                  \
    aclnnStatus name(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr)                       \
    {                                                                                                                  \
        return set_address(#name, executor, param_##name, index, 0, tensor, addr);                                     \
    }
SET_ADDRESS(aclSetInputTensorAddr, INPUTS)
SET_ADDRESS(aclSetOutputTensorAddr, OUTPUTS)
SET_ADDRESS(aclSetTensorAddr, ALL)

#define SET_DYNAMIC_ADDRESS(name, which)                                                                               \
    static int32_t param_##name(const opspec_operator *op, size_t index)                                               \
    {                                                                                                                  \
        return param_at(op, which, index, OPSPEC_KIND_TENSORS);                                                        \
    }                                                                                                                  \
    aclnnStatus name(                                                                                                  \
        aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex, aclTensorList *tensors, void *addr)       \
    {                                                                                                                  \
        return set_address(#name, executor, param_##name, irIndex, relativeIndex, tensors, addr);                      \
    }
SET_DYNAMIC_ADDRESS(aclSetDynamicInputTensorAddr, INPUTS)
SET_DYNAMIC_ADDRESS(aclSetDynamicOutputTensorAddr, OUTPUTS)
SET_DYNAMIC_ADDRESS(aclSetDynamicTensorAddr, ALL)
