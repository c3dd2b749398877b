/* Creation and destruction of tensors, scalars, arrays and lists: handed on, and remembered by address.
 *
 * An object is remembered behind its creation and forgotten ahead of its destruction: once the library has it back,
 * another thread may get the same address.
 */
#include "layer.h"

#pragma GCC visibility push(default)
#include "aclnn/acl_meta.h"
#pragma GCC visibility pop

/* --- creation ----------------------------------------------------------------------------------------------------- */

static void remember(const void *object, opspec_handle *record)
{
    if (record != NULL)
        (void)opspec_handles_add(object, record);
}

#define CREATE(Type, function, params, values, record)                                                                 \
    Type *function params                                                                                              \
    {                                                                                                                  \
        static layer_slot slot = {.name = #function};                                                                  \
        Type *(*const real) params = (Type * (*) params) layer_real(&slot);                                            \
        if (real == NULL) {                                                                                            \
            (void)layer_absent(&slot);                                                                                 \
            return NULL;                                                                                               \
        }                                                                                                              \
        Type *const made = real values;                                                                                \
        if (made != NULL)                                                                                              \
            remember(made, record);                                                                                    \
        return made;                                                                                                   \
    }

static opspec_handle *tensor_record(const int64_t *dims, uint64_t rank, aclDataType dtype, const int64_t *strides,
    int64_t offset, aclFormat format, const int64_t *storage_dims, uint64_t storage_rank, void *data)
{
    return opspec_handle_tensor(dims, rank, (int32_t)dtype, strides, offset, (int32_t)format, storage_dims,
        storage_dims == NULL ? -1 : (int64_t)storage_rank, data);
}

CREATE(aclTensor, aclCreateTensor,
    (const int64_t *dims, uint64_t rank, aclDataType dtype, const int64_t *strides, int64_t offset, aclFormat format,
        const int64_t *storage_dims, uint64_t storage_rank, void *data),
    (dims, rank, dtype, strides, offset, format, storage_dims, storage_rank, data),
    tensor_record(dims, rank, dtype, strides, offset, format, storage_dims, storage_rank, data))
CREATE(aclScalar, aclCreateScalar, (void *value, aclDataType dtype), (value, dtype),
    opspec_handle_scalar(value, (int32_t)dtype))
CREATE(aclIntArray, aclCreateIntArray, (const int64_t *value, uint64_t size), (value, size),
    opspec_handle_ints(value, size))
CREATE(aclFloatArray, aclCreateFloatArray, (const float *value, uint64_t size), (value, size),
    opspec_handle_numbers(value, size))
CREATE(aclBoolArray, aclCreateBoolArray, (const bool *value, uint64_t size), (value, size),
    opspec_handle_bools(value, size))
CREATE(aclTensorList, aclCreateTensorList, (const aclTensor *const *value, uint64_t size), (value, size),
    opspec_handle_list(OPSPEC_HANDLE_TENSORS, (const void *const *)value, size))
CREATE(aclScalarList, aclCreateScalarList, (const aclScalar *const *value, uint64_t size), (value, size),
    opspec_handle_list(OPSPEC_HANDLE_SCALARS, (const void *const *)value, size))

/* Another tensor at the same address. */
aclnnStatus aclInitTensor(aclTensor *tensor, const int64_t *dims, uint64_t rank, aclDataType dtype,
    const int64_t *strides, int64_t offset, aclFormat format, const int64_t *storage_dims, uint64_t storage_rank,
    void *data)
{
    static layer_slot slot = {.name = "aclInitTensor"};
    typedef aclnnStatus (*init)(aclTensor *, const int64_t *, uint64_t, aclDataType, const int64_t *, int64_t,
        aclFormat, const int64_t *, uint64_t, void *);
    const init real = (init)layer_real(&slot);
    if (real == NULL)
        return layer_absent(&slot);
    const aclnnStatus status =
        real(tensor, dims, rank, dtype, strides, offset, format, storage_dims, storage_rank, data);
    if (status == 0 && tensor != NULL)
        remember(tensor, tensor_record(dims, rank, dtype, strides, offset, format, storage_dims, storage_rank, data));
    return status;
}

/* --- destruction -------------------------------------------------------------------------------------------------- */

static void forget(const char *function, const void *object, opspec_handle_kind kind)
{
    opspec_handle_state state = OPSPEC_HANDLE_LIVE;
    const opspec_handle *record = object == NULL ? NULL : opspec_handles_find(object, kind, &state);
    if (record != NULL) {
        const opspec_handle_kind own = kind == OPSPEC_HANDLE_TENSORS ? OPSPEC_HANDLE_TENSOR : OPSPEC_HANDLE_SCALAR;
        for (int64_t i = 0; i < record->member_count; i++) /* a list owns its members */
            (void)opspec_handles_remove(record->members[i], own);
        state = opspec_handles_remove(object, kind);
    }
    state = layer_state_of(state);
    if (layer_inside)
        return; /* a list's destruction destroys its members */
    if (state == OPSPEC_HANDLE_DESTROYED)
        opspec_tell(OPSPEC_LAYER, FOUND_OBJECT_DOUBLE_DESTROY, "%s: the %s was destroyed before", function,
            opspec_handle_kind_name(kind));
    else if (state == OPSPEC_HANDLE_OTHER_KIND)
        opspec_tell(OPSPEC_LAYER, FOUND_HANDLE_OTHER_KIND, "%s: this is no %s, but another kind of object",
            function, opspec_handle_kind_name(kind));
}

#define DESTROY(Type, function, kind)                                                                                  \
    aclnnStatus function(const Type *object)                                                                           \
    {                                                                                                                  \
        static layer_slot slot = {.name = #function};                                                                  \
        aclnnStatus (*const real)(const Type *) = (aclnnStatus (*)(const Type *))layer_real(&slot);                    \
        const bool before = layer_inside;                                                                              \
        forget(#function, object, kind);                                                                               \
        layer_inside = true;                                                                                           \
        const aclnnStatus status = real == NULL ? layer_absent(&slot) : real(object);                                  \
        layer_inside = before;                                                                                         \
        return status;                                                                                                 \
    }

DESTROY(aclTensor, aclDestroyTensor, OPSPEC_HANDLE_TENSOR)
DESTROY(aclScalar, aclDestroyScalar, OPSPEC_HANDLE_SCALAR)
DESTROY(aclIntArray, aclDestroyIntArray, OPSPEC_HANDLE_INTS)
DESTROY(aclFloatArray, aclDestroyFloatArray, OPSPEC_HANDLE_NUMBERS)
DESTROY(aclBoolArray, aclDestroyBoolArray, OPSPEC_HANDLE_BOOLS)
DESTROY(aclTensorList, aclDestroyTensorList, OPSPEC_HANDLE_TENSORS)
DESTROY(aclScalarList, aclDestroyScalarList, OPSPEC_HANDLE_SCALARS)
