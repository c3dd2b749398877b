/* The second phase: executor, workspace, stream and tensors are checked, outputs get a pattern. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "layout.h"
#include "objects.h"

static const char *memory_text(sim_memory_state state)
{
    switch (state) {
    case SIM_MEMORY_FREED: return "device memory that was freed";
    case SIM_MEMORY_PAST_SIZE:
    case SIM_MEMORY_PAST_END: return "a block of device memory that is too small";
    case SIM_MEMORY_UNKNOWN: return "no device memory";
    default: return "device memory";
    }
}

static int32_t check_workspace(const sim_executor *executor, const void *workspace, uint64_t size)
{
    const char *name = executor->op->name;
    const uint64_t needed = executor->workspace_size;
    if (needed == 0)
        return SIM_OK;
    if (workspace == NULL)
        return sim_refuse(SIM_INNER_NULL, FOUND_WORKSPACE_NULL,
            "%s: workspace is null, though %sGetWorkspaceSize asked for %llu bytes", name, name,
            (unsigned long long)needed);
    if (size < needed)
        return sim_refuse(SIM_RUNTIME, FOUND_WORKSPACE_SIZE,
            "%s: workspaceSize is %llu, though %sGetWorkspaceSize asked for %llu bytes", name,
            (unsigned long long)size, name, (unsigned long long)needed);
    size_t left = 0;
    const sim_memory_state state = sim_memory_check(workspace, (size_t)needed, &left);
    if (state == SIM_MEMORY_VALID || state == SIM_MEMORY_PAST_SIZE)
        return SIM_OK;
    return sim_refuse(SIM_RUNTIME, FOUND_WORKSPACE_MEMORY, "%s: workspace is %s: %llu bytes are needed, %zu are there",
        name, memory_text(state), (unsigned long long)needed, left);
}

/* "self", or "tensors[2]" of a list. */
static const char *bound_name(const sim_executor *executor, const sim_bound *bound, char *text, size_t size)
{
    const char *param = executor->op->params[bound->param].name;
    if (bound->place < 0)
        return param;
    snprintf(text, size, "%s[%d]", param, (int)bound->place);
    return text;
}

/* A tensor of the executor, with where its elements are. */
typedef struct {
    const opspec_tensor *tensor;
    unsigned char *address;
    sim_span span;
} operand;

static int32_t find_operand(const sim_executor *executor, const sim_bound *bound, operand *found)
{
    char text[256];
    opspec_handle_state state;
    const char *op = executor->op->name, *name = bound_name(executor, bound, text, sizeof text);
    const opspec_handle *record = opspec_handles_find(bound->handle, OPSPEC_HANDLE_TENSOR, &state);
    if (record == NULL || record->serial != bound->serial)
        return sim_refuse(SIM_INNER_NULL, FOUND_TENSOR_DESTROYED, "%s: %s was %s between the phases", op, name,
            record == NULL ? "destroyed" : "initialised anew");
    void *other = __atomic_load_n(&bound->address, __ATOMIC_ACQUIRE);
    found->tensor = record->arg.tensor;
    found->address = other != NULL ? other : sim_data(record);
    found->span = sim_span_of(found->tensor);
    if (found->span.elements == 0)
        return SIM_OK;
    if (found->address == NULL)
        return sim_refuse(SIM_RUNTIME, FOUND_TENSOR_MEMORY, "%s: the data of %s is null", op, name);
    if (!found->span.known)
        return SIM_OK; /* of a dtype without a width, or of places that overflow: the rules have judged it */
    if (found->span.first < 0)
        return sim_refuse(SIM_RUNTIME, FOUND_TENSOR_MEMORY, "%s: elements of %s lie before its address", op, name);
    return SIM_OK;
}

/* A buffer that is too small is told, and no more: no second phase of CANN compares it with its tensor. */
static int32_t check_operand(const sim_executor *executor, const sim_bound *bound, const operand *found)
{
    char text[256];
    const char *op = executor->op->name, *name = bound_name(executor, bound, text, sizeof text);
    size_t left = 0;
    if (!found->span.known || found->span.elements == 0)
        return SIM_OK;
    const sim_memory_state memory = sim_memory_check(found->address, (size_t)found->span.end, &left);
    const char *format = "%s: the data of %s is %s: %lld bytes are needed, %zu are there%s";
    switch (memory) {
    case SIM_MEMORY_VALID:
        return SIM_OK;
    case SIM_MEMORY_PAST_SIZE:
    case SIM_MEMORY_PAST_END:
        opspec_tell(OPSPEC_SIMULATOR, memory == SIM_MEMORY_PAST_END ? FOUND_TENSOR_MEMORY : FOUND_MEMORY_PAST_SIZE,
            format, op, name, memory_text(memory), (long long)found->span.end, left,
            memory == SIM_MEMORY_PAST_END ? "" : " beside those that CANN rounds up to");
        return SIM_OK;
    default:
        return sim_refuse(SIM_RUNTIME, FOUND_TENSOR_MEMORY, format, op, name, memory_text(memory),
            (long long)found->span.end, left, "");
    }
}

static bool can_be_filled(const operand *found)
{
    if (!found->span.known || found->span.elements == 0)
        return false;
    const sim_memory_state memory = sim_memory_check(found->address, (size_t)found->span.end, NULL);
    return memory == SIM_MEMORY_VALID || memory == SIM_MEMORY_PAST_SIZE;
}

void sim_say_once(void)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&said))
        opspec_tell(OPSPEC_SIMULATOR, FOUND_NUMERICS_NONE,
            "the simulator computes no numerics: outputs hold a pattern (NaN, bytes of 0x%X, true)", SIM_PATTERN_BYTE);
}

/* Outputs are filled; what an operator may read and write is used by its stream. */
static void use_operand(const sim_executor *executor, const sim_bound *bound, const void *stream)
{
    const opspec_param *param = &executor->op->params[bound->param];
    operand found;
    if (find_operand(executor, bound, &found) != SIM_OK || !can_be_filled(&found))
        return;
    if (param->output)
        sim_fill(found.tensor, &found.span, found.address);
    const sim_use use = {.address = found.address + found.span.first,
        .size = (size_t)(found.span.end - found.span.first), .writes = param->output, .whole = found.span.whole,
        .work = executor->op->name, .what = param->name};
    sim_memory_use(&use, stream);
}

static void use_workspace(const sim_executor *executor, const void *workspace, const void *stream)
{
    const sim_use use = {.address = workspace, .size = (size_t)executor->workspace_size, .writes = true, .whole = true,
        .work = executor->op->name, .what = "workspace"};
    if (workspace != NULL)
        sim_memory_use(&use, stream);
}

static int32_t run_operands(const sim_executor *executor, const void *workspace, const void *stream)
{
    operand found;
    for (int32_t i = 0; i < executor->count; i++) {
        int32_t status = find_operand(executor, &executor->bounds[i], &found);
        if (status == SIM_OK)
            status = check_operand(executor, &executor->bounds[i], &found);
        if (status != SIM_OK)
            return status;
    }
    sim_say_once();
    for (int32_t i = 0; i < executor->count; i++)
        use_operand(executor, &executor->bounds[i], stream);
    use_workspace(executor, workspace, stream);
    return SIM_OK;
}

static int32_t run(const sim_executor *executor, const void *workspace, uint64_t size, const void *stream)
{
    const char *name = executor->op->name;
    if (!sim_stream_is_live(stream))
        return sim_refuse(SIM_RUNTIME, FOUND_STREAM_UNKNOWN, "%s: the stream %s", name,
            stream == NULL ? "is null, and no device is set" : "was never created, or is destroyed");
    const int32_t status = check_workspace(executor, workspace, size);
    return status == SIM_OK ? run_operands(executor, workspace, stream) : status;
}

/* An executor that is not repeatable belongs to the second phase, whatever comes of it: to the first that claims it. */
int32_t sim_run(const opspec_operator *op, void *workspace, uint64_t workspace_size, struct aclOpExecutor *executor,
    const void *stream)
{
    int32_t status;
    const bool fails = sim_fails(op->name);
    sim_executor *found = sim_executor_of(op->name, executor, &status);
    if (found == NULL)
        return status;
    if (found->op != op && strcmp(found->op->name, op->name) != 0) /* an operator may be in two libraries */
        return sim_refuse(SIM_INNER, FOUND_EXECUTOR_OTHER_OPERATOR, "%s: the executor is of %sGetWorkspaceSize",
            op->name, found->op->name);
    const bool repeatable = __atomic_load_n(&found->repeatable, __ATOMIC_ACQUIRE);
    if (!repeatable && __atomic_exchange_n(&found->end, SIM_EXECUTOR_USED, __ATOMIC_ACQ_REL) != SIM_EXECUTOR_LIVE)
        return sim_refuse(SIM_INNER, FOUND_EXECUTOR_REUSED, "%s: another thread runs the executor", op->name);
    if (fails) {
        sim_error("%s: failed on purpose (OPSPEC_FAIL)", op->name);
        status = SIM_RUNTIME;
    } else {
        status = run(found, workspace, workspace_size, stream);
    }
    if (!repeatable)
        sim_executor_end(executor, found, SIM_EXECUTOR_USED);
    return status;
}
