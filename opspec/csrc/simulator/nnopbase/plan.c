/* The first phase: handles become arguments, the call is judged, an executor is made. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "objects.h"

enum {
    BLOCK = 512,              /* workspace sizes are multiples of this */
    WORKSPACE_MOST = 16 << 20 /* bytes: it is host memory */
};

/* --- handles -------------------------------------------------------------------------------------------------------- */

static int32_t refuse_handle(const opspec_operator *op, const char *suffix, int32_t param, opspec_handle_kind kind,
    opspec_handle_state state)
{
    return sim_refuse(SIM_INVALID, sim_state_kind(state), "%s%s: %s, an %s, %s", op->name, suffix,
        op->params[param].name, opspec_handle_kind_name(kind), sim_state_text(state));
}

/* Whether the elements of the lists that were passed are alive. */
static int32_t check_members(const opspec_operator *op, const char *suffix, const opspec_passed *passed)
{
    for (int32_t i = 0; i < op->param_count; i++) {
        const bool tensors = op->params[i].kind == OPSPEC_KIND_TENSORS;
        if (passed->handles[i] == NULL || (!tensors && op->params[i].kind != OPSPEC_KIND_SCALARS))
            continue;
        opspec_handle_state state;
        const opspec_handle *list = opspec_handles_find(
            passed->handles[i], tensors ? OPSPEC_HANDLE_TENSORS : OPSPEC_HANDLE_SCALARS, &state);
        const opspec_handle_kind item = tensors ? OPSPEC_HANDLE_TENSOR : OPSPEC_HANDLE_SCALAR;
        for (int64_t j = 0; list != NULL && j < list->member_count; j++) {
            state = list->members[j] == NULL ? OPSPEC_HANDLE_LIVE : sim_state(list->members[j], item);
            if (state != OPSPEC_HANDLE_LIVE)
                return sim_refuse(SIM_INVALID, sim_state_kind(state), "%s%s: %s[%lld], an %s, %s", op->name, suffix,
                    op->params[i].name, (long long)j, opspec_handle_kind_name(item), sim_state_text(state));
        }
    }
    return SIM_OK;
}

static int32_t judge(const opspec_operator *op, const char *suffix, const opspec_passed *passed)
{
    if (passed->wrong >= 0) {
        const opspec_handle_state state = sim_state(passed->handles[passed->wrong], passed->kind);
        return refuse_handle(op, suffix, passed->wrong, passed->kind, state);
    }
    const int32_t status = check_members(op, suffix, passed);
    if (status != SIM_OK)
        return status;
    const opspec_call call = {passed->args, sim_product(), sim_member()};
    opspec_verdict verdict;
    char message[1024] = "";
    opspec_judge(op, &call, &verdict);
    const int32_t returned = verdict.fault == NULL ? verdict.status : SIM_INNER;
    opspec_tell_verdict(OPSPEC_SIMULATOR, op, &call, &verdict, returned, message, sizeof message);
    if (returned != SIM_OK)
        sim_error("%s", message);
    return returned;
}

/* --- groups of ranks -------------------------------------------------------------------------------------------------- */

static bool names_group(const opspec_operator *op, int32_t param)
{
    if (op->params[param].kind != OPSPEC_KIND_STRING)
        return false;
    for (const char *const *name = opspec_group_params; *name != NULL; name++)
        if (strcmp(op->params[param].name, *name) == 0)
            return true;
    return false;
}

/* A device asks the group for its size before it plans. */
static int32_t check_groups(const opspec_operator *op, const opspec_passed *passed)
{
    for (int32_t i = 0; i < op->param_count; i++) {
        const char *name = names_group(op, i) ? passed->args[i].string : NULL;
        if (name != NULL && *name != '\0' && !sim_group_is_live(name))
            return sim_refuse(SIM_TILING, FOUND_HCCL_GROUP,
                "%sGetWorkspaceSize: %s is %.127s, which is no group: HcclGetCommName tells the name of one", op->name,
                op->params[i].name, name);
    }
    return SIM_OK;
}

/* --- the executor --------------------------------------------------------------------------------------------------- */

typedef struct {
    const opspec_passed *passed;
    int32_t count;
    uint64_t bytes;       /* of all tensors */
    bool writes;          /* some output has elements */
    sim_executor *target; /* NULL while they are counted */
} gathering;

static void gather(gathering *all, const opspec_operator *op, int32_t param, int32_t place, const void *handle)
{
    opspec_handle_state state;
    const opspec_handle *found =
        handle == NULL ? NULL : opspec_handles_find(handle, OPSPEC_HANDLE_TENSOR, &state);
    if (found == NULL)
        return;
    const sim_span span = sim_span_of(found->arg.tensor);
    if (span.known && span.end > span.first)
        all->bytes += (uint64_t)(span.end - span.first);
    all->writes = all->writes || (op->params[param].output && span.elements > 0);
    if (all->target != NULL && all->count < all->target->count)
        all->target->bounds[all->count] = (sim_bound){handle, found->serial, param, place, NULL};
    all->count++;
}

static void gather_all(gathering *all, const opspec_operator *op)
{
    all->count = 0;
    for (int32_t i = 0; i < op->param_count; i++) {
        const void *handle = all->passed->handles[i];
        opspec_handle_state state;
        const opspec_handle *list = NULL;
        if (op->params[i].kind == OPSPEC_KIND_TENSOR)
            gather(all, op, i, -1, handle);
        else if (op->params[i].kind == OPSPEC_KIND_TENSORS && handle != NULL)
            list = opspec_handles_find(handle, OPSPEC_HANDLE_TENSORS, &state);
        for (int64_t j = 0; list != NULL && j < list->member_count; j++)
            gather(all, op, i, (int32_t)j, list->members[j]);
    }
}

/* What a real operator asks for is not known: a size that depends on the call alone, and none when nothing is written. */
static uint64_t workspace_of(const gathering *all)
{
    const char *told = getenv("OPSPEC_WORKSPACE");
    if (told != NULL && *told != 0) {
        char *end;
        const unsigned long long size = strtoull(told, &end, 10);
        if (*end == 0)
            return size;
    }
    if (!all->writes)
        return 0;
    const uint64_t size = BLOCK * (1 + all->bytes / (8 * BLOCK));
    return size > WORKSPACE_MOST ? WORKSPACE_MOST : size;
}

static int32_t new_executor(const opspec_operator *op, const opspec_passed *passed, uint64_t *workspace_size,
    aclOpExecutor **executor)
{
    gathering all = {.passed = passed};
    gather_all(&all, op);
    opspec_handle *record = opspec_handle_executor(sizeof(sim_executor) + (size_t)all.count * sizeof(sim_bound));
    if (record == NULL)
        return sim_refuse(SIM_CREATE_EXECUTOR, FOUND_MEMORY_OUT, "%sGetWorkspaceSize: no memory", op->name);
    sim_executor *made = record->data;
    made->op = op;
    made->workspace_size = workspace_of(&all);
    made->count = all.count;
    all.target = made;
    gather_all(&all, op);
    made->count = all.count < made->count ? all.count : made->count; /* another thread may have destroyed some */
    const uint64_t size = made->workspace_size;
    const void *handle = sim_issue(record);
    if (handle == NULL)
        return sim_refuse(SIM_CREATE_EXECUTOR, FOUND_MEMORY_OUT, "%sGetWorkspaceSize: no memory", op->name);
    *workspace_size = size;
    *executor = (aclOpExecutor *)(uintptr_t)handle;
    return SIM_OK;
}

/* --- phases --------------------------------------------------------------------------------------------------------- */

static bool fails(const opspec_operator *op, const char *suffix)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s", op->name, suffix);
    if (!sim_fails(name))
        return false;
    sim_error("%s: failed on purpose (OPSPEC_FAIL)", name);
    return true;
}

int32_t sim_plan(const opspec_operator *op, const opspec_passed *passed, uint64_t *workspace_size,
    struct aclOpExecutor **executor)
{
    if (fails(op, "GetWorkspaceSize"))
        return SIM_INNER;
    if (workspace_size == NULL || executor == NULL)
        return sim_refuse(SIM_NULL, FOUND_ARGUMENT_NULL, "%sGetWorkspaceSize: %s is null", op->name,
            workspace_size == NULL ? "workspaceSize" : "executor");
    int32_t status = judge(op, "GetWorkspaceSize", passed);
    if (status == SIM_OK)
        status = check_groups(op, passed);
    return status == SIM_OK ? new_executor(op, passed, workspace_size, executor) : status;
}

int32_t sim_judge(const opspec_operator *op, const opspec_passed *passed)
{
    return fails(op, "") ? SIM_INNER : judge(op, "", passed);
}
