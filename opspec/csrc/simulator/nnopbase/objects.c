/* aclTensor, aclScalar, arrays and lists: creation, destruction, getters.
 *
 * A handle is a number and no address: none is given out twice and nobody can read through it, so that every use of a
 * destroyed or invented one is told. */
#include "objects.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HANDLE_TAG (UINT64_C(0x5A00) << 48) /* no address of a process: the CPU takes none with these bits */
#define HANDLE_STEP 16                      /* as far apart as the addresses of objects would be */

static atomic_uint_fast64_t issued;

const void *sim_issue(opspec_handle *record)
{
    if (record == NULL)
        return NULL;
    const uint64_t number = atomic_fetch_add(&issued, 1) + 1;
    const void *handle = (const void *)(uintptr_t)(HANDLE_TAG + number * HANDLE_STEP);
    return opspec_handles_add(handle, record) ? handle : NULL;
}

static bool was_issued(const void *handle)
{
    const uint64_t offset = (uint64_t)(uintptr_t)handle - HANDLE_TAG;
    return offset % HANDLE_STEP == 0 && offset / HANDLE_STEP >= 1 && offset / HANDLE_STEP <= atomic_load(&issued);
}

opspec_handle_state sim_state(const void *handle, opspec_handle_kind kind)
{
    opspec_handle_state state;
    opspec_handles_find(handle, kind, &state);
    return state == OPSPEC_HANDLE_UNKNOWN && was_issued(handle) ? OPSPEC_HANDLE_DESTROYED : state;
}

const char *sim_state_text(opspec_handle_state state)
{
    static const char *const texts[] = {
        [OPSPEC_HANDLE_UNKNOWN] = "was never created",
        [OPSPEC_HANDLE_LIVE] = "is alive",
        [OPSPEC_HANDLE_DESTROYED] = "was destroyed before",
        [OPSPEC_HANDLE_OTHER_KIND] = "is an object of another kind",
    };
    return texts[state];
}

/* One that is alive by now was not when it was looked up: another thread made it meanwhile. */
opspec_finding sim_state_kind(opspec_handle_state state)
{
    static const opspec_finding kinds[] = {
        [OPSPEC_HANDLE_UNKNOWN] = FOUND_HANDLE_UNKNOWN,
        [OPSPEC_HANDLE_LIVE] = FOUND_HANDLE_UNKNOWN,
        [OPSPEC_HANDLE_DESTROYED] = FOUND_HANDLE_DESTROYED,
        [OPSPEC_HANDLE_OTHER_KIND] = FOUND_HANDLE_OTHER_KIND,
    };
    return kinds[state];
}

int32_t sim_refuse(int32_t status, opspec_finding kind, const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    sim_error("%s", text);
    opspec_tell(OPSPEC_SIMULATOR, kind, "%s", text);
    return status;
}

void *sim_new_array(size_t size)
{
    extern void *_Znam(size_t) __attribute__((weak)); /* operator new[]: what delete[] goes with */
    size = size == 0 ? 1 : size;
    return _Znam != NULL ? _Znam(size) : malloc(size);
}

/* --- creation ------------------------------------------------------------------------------------------------------ */

/* Whether creation is to fail on purpose; it says so. */
static bool fails(const char *function)
{
    if (!sim_fails(function))
        return false;
    sim_error("%s: failed on purpose (OPSPEC_FAIL)", function);
    return true;
}

static void *created(const char *function, opspec_handle *record)
{
    const void *handle = sim_issue(record);
    if (handle == NULL)
        sim_refuse(SIM_INVALID, FOUND_OBJECT_REFUSED,
            "%s: no object was made: an array is null though its size is not 0, a size is beyond reason, or memory is out",
            function);
    return (void *)(uintptr_t)handle;
}

static bool has_negative(const int64_t *dims, uint64_t rank)
{
    for (uint64_t i = 0; dims != NULL && i < rank && i < 1024; i++)
        if (dims[i] < 0)
            return true;
    return false;
}

static opspec_handle *tensor_record(const char *function, const int64_t *dims, uint64_t rank, aclDataType dtype,
    const int64_t *strides, int64_t offset, aclFormat format, const int64_t *storage, uint64_t storage_rank, void *data)
{
    if (has_negative(dims, rank) || has_negative(storage, storage_rank)) {
        sim_refuse(SIM_INVALID, FOUND_OBJECT_REFUSED, "%s: a dim is negative", function);
        return NULL;
    }
    const bool stored = storage != NULL || storage_rank > INT64_MAX;
    return opspec_handle_tensor(dims, rank, (int32_t)dtype, strides, offset, (int32_t)format, storage,
        stored ? (int64_t)(storage_rank > INT64_MAX ? INT64_MAX : storage_rank) : -1, data);
}

aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t *stride,
    int64_t offset, aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum, void *tensorData)
{
    if (fails("aclCreateTensor"))
        return NULL;
    return created("aclCreateTensor", tensor_record("aclCreateTensor", viewDims, viewDimsNum, dataType, stride, offset,
        format, storageDims, storageDimsNum, tensorData));
}

aclnnStatus aclInitTensor(aclTensor *tensor, const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
    const int64_t *stride, int64_t offset, aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum,
    void *tensorDataAddr)
{
    if (fails("aclInitTensor"))
        return SIM_INNER;
    if (tensor == NULL)
        return sim_refuse(SIM_NULL, FOUND_ARGUMENT_NULL, "aclInitTensor: tensor is null");
    const opspec_handle_state state = sim_state(tensor, OPSPEC_HANDLE_TENSOR);
    if (state != OPSPEC_HANDLE_LIVE)
        return sim_refuse(SIM_INVALID, sim_state_kind(state), "aclInitTensor: the aclTensor %s", sim_state_text(state));
    opspec_handle *record = tensor_record("aclInitTensor", viewDims, viewDimsNum, dataType, stride, offset, format,
        storageDims, storageDimsNum, tensorDataAddr);
    if (record == NULL || !opspec_handles_add(tensor, record))
        return sim_refuse(SIM_INVALID, FOUND_OBJECT_REFUSED, "aclInitTensor: not a tensor, or memory is out");
    return SIM_OK;
}

aclScalar *aclCreateScalar(void *value, aclDataType dataType)
{
    return fails("aclCreateScalar") ? NULL
                                    : created("aclCreateScalar", opspec_handle_scalar(value, (int32_t)dataType));
}

#define CREATE_ARRAY(name, ctype, record)                                                                              \
    acl##name *aclCreate##name(const ctype *value, uint64_t size)                                                      \
    {                                                                                                                  \
        return fails("aclCreate" #name) ? NULL : created("aclCreate" #name, record(value, size));                      \
    }
CREATE_ARRAY(IntArray, int64_t, opspec_handle_ints)
CREATE_ARRAY(FloatArray, float, opspec_handle_numbers)
CREATE_ARRAY(BoolArray, bool, opspec_handle_bools)

/* A list of live objects (or nulls); of others none is made. */
static void *new_list(const char *function, opspec_handle_kind kind, const void *const *members, uint64_t count)
{
    if (fails(function))
        return NULL;
    const opspec_handle_kind item = kind == OPSPEC_HANDLE_TENSORS ? OPSPEC_HANDLE_TENSOR : OPSPEC_HANDLE_SCALAR;
    opspec_handle *record = opspec_handle_list(kind, members, count);
    for (int64_t i = 0; record != NULL && i < record->member_count; i++) {
        const void *member = record->members[i];
        const opspec_handle_state state = member == NULL ? OPSPEC_HANDLE_LIVE : sim_state(member, item);
        if (state == OPSPEC_HANDLE_LIVE)
            continue;
        sim_refuse(SIM_INVALID, sim_state_kind(state), "%s: element %lld, an %s, %s", function, (long long)i,
            opspec_handle_kind_name(item), sim_state_text(state));
        opspec_handle_free(record);
        return NULL;
    }
    return created(function, record);
}

aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size)
{
    return new_list("aclCreateTensorList", OPSPEC_HANDLE_TENSORS, (const void *const *)value, size);
}

aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size)
{
    return new_list("aclCreateScalarList", OPSPEC_HANDLE_SCALARS, (const void *const *)value, size);
}

/* --- destruction --------------------------------------------------------------------------------------------------- */

/* Destroying nothing succeeds, as deleting a null pointer does. */
static int32_t destroy(const char *function, const void *handle, opspec_handle_kind kind)
{
    if (handle == NULL || opspec_handles_remove(handle, kind) == OPSPEC_HANDLE_LIVE)
        return SIM_OK;
    const opspec_handle_state state = sim_state(handle, kind);
    const opspec_finding found =
        state == OPSPEC_HANDLE_DESTROYED ? FOUND_OBJECT_DOUBLE_DESTROY : sim_state_kind(state);
    return sim_refuse(SIM_INVALID, found, "%s: the %s %s", function, opspec_handle_kind_name(kind),
        sim_state_text(state));
}

/* A list owns what it was made of; it goes last, since a destroyed record is kept for a while only. */
static int32_t destroy_list(const char *function, const void *handle, opspec_handle_kind kind)
{
    const opspec_handle_kind item = kind == OPSPEC_HANDLE_TENSORS ? OPSPEC_HANDLE_TENSOR : OPSPEC_HANDLE_SCALAR;
    opspec_handle_state state;
    const opspec_handle *list = opspec_handles_find(handle, kind, &state);
    for (int64_t i = 0; list != NULL && i < list->member_count; i++)
        if (list->members[i] != NULL && opspec_handles_remove(list->members[i], item) != OPSPEC_HANDLE_LIVE)
            sim_refuse(SIM_INVALID, FOUND_OBJECT_DOUBLE_DESTROY,
                "%s: element %lld, an %s, was destroyed before, though the list owns its elements", function,
                (long long)i, opspec_handle_kind_name(item));
    return destroy(function, handle, kind);
}

#define DESTROY(name, kind, way)                                                                                       \
    aclnnStatus aclDestroy##name(const acl##name *handle)                                                              \
    {                                                                                                                  \
        return way("aclDestroy" #name, handle, OPSPEC_HANDLE_##kind);                                                  \
    }
DESTROY(Tensor, TENSOR, destroy)
DESTROY(Scalar, SCALAR, destroy)
DESTROY(IntArray, INTS, destroy)
DESTROY(FloatArray, NUMBERS, destroy)
DESTROY(BoolArray, BOOLS, destroy)
DESTROY(TensorList, TENSORS, destroy_list)
DESTROY(ScalarList, SCALARS, destroy_list)

/* --- getters -------------------------------------------------------------------------------------------------------- */

/* The record that a getter reads; NULL with the status when there is none, or nowhere to put the answer. */
static const opspec_handle *readable(const char *function, const void *handle, opspec_handle_kind kind, const void *to,
    const void *also_to, int32_t *status)
{
    *status = SIM_INNER;
    if (fails(function))
        return NULL;
    if (handle == NULL || to == NULL || also_to == NULL) {
        *status = sim_refuse(SIM_NULL, FOUND_ARGUMENT_NULL, "%s: an argument is null", function);
        return NULL;
    }
    opspec_handle_state state;
    const opspec_handle *found = opspec_handles_find(handle, kind, &state);
    *status = SIM_OK;
    if (found == NULL) {
        state = sim_state(handle, kind);
        *status = sim_refuse(SIM_INVALID, sim_state_kind(state), "%s: the %s %s", function,
            opspec_handle_kind_name(kind), sim_state_text(state));
    }
    return found;
}

static int32_t give_dims(const char *function, const int64_t *dims, int64_t rank, int64_t **to, uint64_t *count)
{
    const size_t size = (size_t)rank * sizeof *dims;
    int64_t *copy = sim_new_array(size);
    if (copy == NULL)
        return sim_refuse(SIM_INNER, FOUND_MEMORY_OUT, "%s: no memory", function);
    if (size > 0)
        memcpy(copy, dims, size);
    *to = copy;
    *count = (uint64_t)rank;
    return SIM_OK;
}

aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum)
{
    int32_t status;
    const opspec_handle *found =
        readable("aclGetViewShape", tensor, OPSPEC_HANDLE_TENSOR, viewDims, viewDimsNum, &status);
    if (found == NULL)
        return status;
    const opspec_tensor *view = found->arg.tensor;
    return give_dims("aclGetViewShape", view->shape, view->rank, viewDims, viewDimsNum);
}

aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims, uint64_t *storageDimsNum)
{
    int32_t status;
    const opspec_handle *found =
        readable("aclGetStorageShape", tensor, OPSPEC_HANDLE_TENSOR, storageDims, storageDimsNum, &status);
    if (found == NULL)
        return status;
    const opspec_tensor *view = found->arg.tensor;
    const bool stored = view->storage_shape != NULL;
    return give_dims("aclGetStorageShape", stored ? view->storage_shape : view->shape,
        stored ? view->storage_rank : view->rank, storageDims, storageDimsNum);
}

aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue, uint64_t *stridesNum)
{
    int32_t status;
    const opspec_handle *found =
        readable("aclGetViewStrides", tensor, OPSPEC_HANDLE_TENSOR, stridesValue, stridesNum, &status);
    if (found == NULL)
        return status;
    const opspec_tensor *view = found->arg.tensor;
    status = give_dims("aclGetViewStrides", view->strides == NULL ? view->shape : view->strides, view->rank,
        stridesValue, stridesNum);
    if (status != SIM_OK || view->strides != NULL)
        return status;
    uint64_t step = 1; /* contiguous; wraps where the dims are absurd */
    for (int64_t i = view->rank - 1; i >= 0; i--) {
        (*stridesValue)[i] = (int64_t)step;
        step *= (uint64_t)view->shape[i];
    }
    return SIM_OK;
}

#define GET(function, handle_type, kind_, result, value)                                                               \
    aclnnStatus function(const handle_type *handle, result *to)                                                        \
    {                                                                                                                  \
        int32_t status;                                                                                                \
        const opspec_handle *found = readable(#function, handle, OPSPEC_HANDLE_##kind_, to, to, &status);              \
        if (found != NULL)                                                                                             \
            *to = (value);                                                                                             \
        return status;                                                                                                 \
    }
GET(aclGetViewOffset, aclTensor, TENSOR, int64_t, found->arg.tensor->offset)
GET(aclGetFormat, aclTensor, TENSOR, aclFormat, (aclFormat)found->arg.tensor->format)
GET(aclGetDataType, aclTensor, TENSOR, aclDataType, (aclDataType)found->arg.tensor->dtype)
GET(aclGetRawTensorAddr, aclTensor, TENSOR, void *, sim_data(found))
GET(aclGetIntArraySize, aclIntArray, INTS, uint64_t, (uint64_t)found->arg.ints->count)
GET(aclGetFloatArraySize, aclFloatArray, NUMBERS, uint64_t, (uint64_t)found->arg.numbers->count)
GET(aclGetBoolArraySize, aclBoolArray, BOOLS, uint64_t, (uint64_t)found->arg.ints->count)
GET(aclGetTensorListSize, aclTensorList, TENSORS, uint64_t, (uint64_t)found->arg.tensors->count)
GET(aclGetScalarListSize, aclScalarList, SCALARS, uint64_t, (uint64_t)found->arg.scalars->count)

aclnnStatus aclSetRawTensorAddr(aclTensor *tensor, void *addr)
{
    int32_t status;
    const opspec_handle *found =
        readable("aclSetRawTensorAddr", tensor, OPSPEC_HANDLE_TENSOR, tensor, tensor, &status);
    if (found != NULL)
        __atomic_store_n((void **)(uintptr_t)&found->data, addr, __ATOMIC_RELEASE);
    return status;
}

/* --- dumps ---------------------------------------------------------------------------------------------------------- */

aclnnStatus aclDumpOpTensors(const char *opType, const char *opName, aclTensor **tensors, size_t inputTensorNum,
    size_t outputTensorNum, aclrtStream stream)
{
    const size_t count = inputTensorNum + outputTensorNum;
    int32_t status = SIM_OK;
    (void)stream;
    if (opType == NULL || opName == NULL || (tensors == NULL && count > 0))
        return sim_refuse(SIM_NULL, FOUND_ARGUMENT_NULL, "aclDumpOpTensors: opType, opName or tensors is null");
    for (size_t i = 0; i < count && status == SIM_OK; i++)
        (void)readable("aclDumpOpTensors", tensors[i], OPSPEC_HANDLE_TENSOR, tensors, tensors, &status);
    return status;
}

/* --- start and end -------------------------------------------------------------------------------------------------- */

aclnnStatus aclnnInit(const char *configPath)
{
    (void)configPath;
    return fails("aclnnInit") ? SIM_INNER : SIM_OK;
}

aclnnStatus aclnnFinalize(void) { return SIM_OK; }

typedef struct {
    opspec_handle_kind kind;
    const opspec_handle *first;
} leak;

static void note_first(const void *key, const opspec_handle *record, void *context)
{
    leak *found = context;
    (void)key;
    if (record->kind == found->kind && (found->first == NULL || record->serial < found->first->serial))
        found->first = record;
}

/* Objects that are left, one finding a kind: after the program's own handlers of its exit, which may destroy some. */
__attribute__((destructor)) static void report_leaks(void)
{
    for (opspec_handle_kind kind = 0; kind < OPSPEC_HANDLE_KINDS; kind++) {
        const uint64_t count = opspec_handles_count(kind);
        leak found = {kind, NULL};
        if (count > 0)
            opspec_handles_each(note_first, &found);
        if (found.first == NULL)
            continue;
        opspec_tell(OPSPEC_SIMULATOR, kind == OPSPEC_HANDLE_EXECUTOR ? FOUND_EXECUTOR_LEAK : FOUND_OBJECT_LEAK,
            "at exit: %llu %s%s never destroyed; the first was object %llu of the process", (unsigned long long)count,
            opspec_handle_kind_name(kind), count == 1 ? " was" : " objects were",
            (unsigned long long)found.first->serial);
    }
}
