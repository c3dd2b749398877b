/* What functions of one phase write: sizes, shapes, arrays; and what first phases make of tensors. The values are the
 * specs' (their "results"). */
#include <string.h>

#include "objects.h"

enum { OPSPEC_LABEL_DIMS = 16 }; /* of a storage shape; more has no format */
#define MOST_BYTES (UINT64_C(1) << 30) /* of one array */

/* The low bytes of a size or number, which is never negative; both CPUs are little-endian. */
static bool put(void *to, size_t width, opspec_int value)
{
    const int bits = 8 * (int)width;
    if (opspec_cause(value) || value < 0 || value >= (opspec_int)1 << bits)
        return false;
    memcpy(to, &value, width);
    return true;
}

bool sim_give_integer(void *to, size_t width, opspec_int value) { return to == NULL || put(to, width, value); }

/* An array of the caller's; "to" is the address of a pointer to its elements, of whatever type. */
static unsigned char *new_array(void *to, size_t width, opspec_int count)
{
    if (opspec_cause(count) || count < 0 || count > (opspec_int)(MOST_BYTES / width))
        return NULL;
    unsigned char *made = sim_new_array((size_t)count * width);
    if (made != NULL)
        memcpy(to, &made, sizeof made);
    return made;
}

bool sim_give_elements(void *to, size_t width, opspec_ints values)
{
    if (to == NULL)
        return true;
    for (int64_t i = 0; i < values.count; i++) {
        uint64_t unused;
        if (!put(&unused, width, values.items[i]))
            return false;
    }
    unsigned char *made = new_array(to, width, values.count);
    for (int64_t i = 0; made != NULL && i < values.count; i++)
        put(made + (size_t)i * width, width, values.items[i]);
    return made != NULL;
}

bool sim_give_pattern(void *to, size_t width, opspec_int count)
{
    unsigned char *made = to == NULL ? NULL : new_array(to, width, count);
    if (made != NULL && count > 0) {
        sim_say_once();
        memset(made, SIM_PATTERN_BYTE, (size_t)count * width);
    }
    return to == NULL || made != NULL;
}

/* The record is replaced by one that passes for the same object: executors keep it by its serial number. */
void sim_relabel(const void *tensor, opspec_int format, opspec_ints storage)
{
    opspec_handle_state state;
    int64_t dims[OPSPEC_LABEL_DIMS];
    const opspec_handle *before = opspec_handles_find(tensor, OPSPEC_HANDLE_TENSOR, &state);
    if (before == NULL) /* a null one, or one that another thread destroys */
        return;
    if (opspec_cause(format) || storage.count > OPSPEC_LABEL_DIMS)
        return;
    for (int64_t i = 0; i < storage.count; i++) {
        if (opspec_cause(storage.items[i]) || storage.items[i] < 0 || storage.items[i] > INT64_MAX)
            return;
        dims[i] = (int64_t)storage.items[i];
    }
    const opspec_tensor *view = before->arg.tensor;
    opspec_handle *made = opspec_handle_tensor(view->shape, (uint64_t)view->rank, view->dtype, view->strides,
        view->offset, (int32_t)format, dims, storage.count, sim_data(before));
    if (made == NULL)
        return;
    made->serial = before->serial;
    (void)opspec_handles_add(tensor, made);
}

int32_t sim_no_result(const char *function, const char *output)
{
    return sim_refuse(SIM_INVALID, FOUND_RESULT_NONE, "%s: %s cannot be computed: too large, or out of memory",
        function, output);
}
