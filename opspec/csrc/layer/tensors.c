/* Tensors that were not seen created, through the real library's getters. */
#define _GNU_SOURCE /* RTLD_DEFAULT, syscall */
#include "tensors.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "real.h"

/* Whether the first bytes of an object can be read. The kernel reads the set before it finds that there is no such way
 * to change signals; nothing is changed, and nothing but the kernel touches the memory. */
static bool is_readable(const void *address)
{
    const int before = errno;
    const bool aligned = ((uintptr_t)address & (sizeof(void *) - 1)) == 0;
    const bool readable = aligned && syscall(SYS_rt_sigprocmask, ~0, address, NULL, (size_t)8) == -1 && errno == EINVAL;
    errno = before;
    return readable;
}

/* Arrays come from new[]: where a program replaced that, free is not the other end of it. */
static void release(void *array)
{
    void *symbol = dlsym(RTLD_DEFAULT, "_ZdaPv"); /* operator delete[](void *): the program's, not the next one */
    void (*delete)(void *) = free;
    if (symbol != NULL)
        memcpy(&delete, &symbol, sizeof delete);
    delete(array);
}

typedef int32_t (*array_getter)(const void *tensor, int64_t **items, uint64_t *count);
typedef int32_t (*offset_getter)(const void *tensor, int64_t *offset);
typedef int32_t (*enum_getter)(const void *tensor, int32_t *value);

/* Whether the library has the getter, and it says something: not every one that returns 0 does. */
static bool get_array(layer_slot *slot, const void *tensor, int64_t **items, uint64_t *count)
{
    const array_getter real = (array_getter)layer_real(slot);
    *items = NULL;
    *count = UINT64_MAX;
    return real != NULL && real(tensor, items, count) == 0 && (*items != NULL || *count == 0);
}

static bool get_enum(layer_slot *slot, const void *tensor, int32_t *value)
{
    const enum_getter real = (enum_getter)layer_real(slot);
    *value = INT32_MIN;
    return real != NULL && real(tensor, value) == 0 && *value != INT32_MIN;
}

static bool get_offset(layer_slot *slot, const void *tensor, int64_t *value)
{
    const offset_getter real = (offset_getter)layer_real(slot);
    *value = INT64_MIN;
    return real != NULL && real(tensor, value) == 0 && *value != INT64_MIN;
}

opspec_handle *layer_read_tensor(const void *tensor)
{
    return is_readable(tensor) ? layer_ask_tensor(tensor) : NULL;
}

opspec_handle *layer_ask_tensor(const void *tensor)
{
    static layer_slot shape = {.name = "aclGetViewShape"}, storage = {.name = "aclGetStorageShape"},
                      strides = {.name = "aclGetViewStrides"}, offset = {.name = "aclGetViewOffset"},
                      format = {.name = "aclGetFormat"}, dtype = {.name = "aclGetDataType"};
    int64_t *dims, *steps = NULL, *storage_dims = NULL, start;
    uint64_t rank, steps_count, storage_rank = 0;
    int32_t form, type;
    opspec_handle *made = NULL;
    if (!get_array(&shape, tensor, &dims, &rank))
        return NULL;
    const bool known = get_enum(&dtype, tensor, &type) && get_enum(&format, tensor, &form) &&
        get_offset(&offset, tensor, &start) && get_array(&strides, tensor, &steps, &steps_count);
    const bool stored = known && get_array(&storage, tensor, &storage_dims, &storage_rank);
    if (known && steps_count == rank)
        made = opspec_handle_tensor(dims, rank, type, steps, start, form, storage_dims,
            stored ? (int64_t)storage_rank : -1, NULL);
    release(dims);
    release(steps);
    release(storage_dims);
    return made;
}
