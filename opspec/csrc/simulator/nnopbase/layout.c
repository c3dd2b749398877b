/* Views in storage, and the pattern that outputs are filled with. See layout.h and phases.h. */
#include "layout.h"

#include <string.h>

#include "phases.h"

typedef struct {
    int64_t size, stride;
} walk_dim;

enum { WALK_MAX = 64 };

/* The dims to walk: without those that visit one place only; neighbours that follow on each other are one. */
static int walk_of(const opspec_tensor *tensor, walk_dim *dims)
{
    int count = 0;
    __int128 contiguous = 1;
    for (int64_t i = tensor->rank - 1; i >= 0; i--) {
        const int64_t size = tensor->shape[i];
        const int64_t stride = tensor->strides != NULL ? tensor->strides[i] : (int64_t)contiguous;
        contiguous *= size;
        if (contiguous > INT64_MAX)
            return -1;
        if (size == 1 || stride == 0)
            continue;
        if (count > 0 && (__int128)dims[count - 1].size * dims[count - 1].stride == stride)
            dims[count - 1].size *= size;
        else if (count == WALK_MAX)
            return -1;
        else
            dims[count++] = (walk_dim){size, stride};
    }
    return count;
}

static int64_t count_of(const int64_t *dims, int64_t rank)
{
    __int128 count = 1;
    for (int64_t i = 0; i < rank; i++)
        if (dims[i] == 0)
            return 0;
    for (int64_t i = 0; i < rank; i++) {
        count *= dims[i];
        if (count > INT64_MAX)
            return INT64_MAX;
    }
    return (int64_t)count;
}

/* A private format's elements are the whole storage. */
static bool in_blocks(const opspec_tensor *tensor)
{
    return tensor->storage_shape != NULL && tensor->format >= 0 && tensor->format < 64 &&
        (OPSPEC_PRIVATE >> tensor->format & 1u);
}

static sim_span bytes_of(__int128 low, __int128 high, int width, int64_t elements, bool whole)
{
    sim_span span = {0, 0, elements, false, whole};
    const __int128 first = low * width, end = (high + 1) * width;
    if (first < INT64_MIN / 2 || end > INT64_MAX - 7)
        return span;
    span.first = (int64_t)(first >= 0 ? first / 8 : -((-first + 7) / 8));
    span.end = (int64_t)((end + 7) / 8);
    span.known = true;
    return span;
}

sim_span sim_span_of(const opspec_tensor *tensor)
{
    const int width = tensor->dtype >= 0 && tensor->dtype < OPSPEC_DTYPES_END ? opspec_widths[tensor->dtype] : 0;
    sim_span span = {0, 0, 0, true, true};
    span.elements = tensor->rank < 0 ? 0 : count_of(tensor->shape, tensor->rank);
    if (span.elements == 0)
        return span;
    span.known = false;
    if (width == 0 || span.elements == INT64_MAX)
        return span;
    if (in_blocks(tensor)) {
        const int64_t stored = count_of(tensor->storage_shape, tensor->storage_rank);
        return bytes_of(0, (__int128)stored - 1, width, stored, true);
    }
    walk_dim dims[WALK_MAX];
    const int count = walk_of(tensor, dims);
    if (count < 0)
        return span;
    __int128 low = tensor->offset, high = tensor->offset;
    for (int i = 0; i < count; i++) { /* 64 products of two int64 stay far below the limit of 128 bits */
        const __int128 reach = (__int128)(dims[i].size - 1) * dims[i].stride;
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
    }
    return bytes_of(low, high, width, span.elements, count == 0 || (count == 1 && dims[0].stride == 1));
}

/* --- the pattern ---------------------------------------------------------------------------------------------------- */

uint64_t sim_pattern(int32_t dtype, size_t *width)
{
    switch (dtype) {
    case OPSPEC_DT_FLOAT:
    case OPSPEC_DT_COMPLEX64: *width = 4; return SIM_PATTERN_FLOAT;
    case OPSPEC_DT_DOUBLE:
    case OPSPEC_DT_COMPLEX128: *width = 8; return SIM_PATTERN_DOUBLE;
    case OPSPEC_DT_FLOAT16:
    case OPSPEC_DT_COMPLEX32: *width = 2; return SIM_PATTERN_FLOAT16;
    case OPSPEC_DT_BFLOAT16: *width = 2; return SIM_PATTERN_BFLOAT16;
    case OPSPEC_DT_BOOL: *width = 1; return 1;
    default: *width = 1; return SIM_PATTERN_BYTE;
    }
}

/* Little-endian, as both of the CPUs are. */
static void fill_bytes(unsigned char *to, size_t size, uint64_t pattern, size_t width)
{
    if (width == 1) {
        memset(to, (int)pattern, size);
        return;
    }
    for (size_t i = 0; i + width <= size; i += width)
        memcpy(to + i, &pattern, width);
}

/* The elements one by one: odometer over all dims but the first, which is walked in the inner loop. */
static void fill_strided(const walk_dim *dims, int count, unsigned char *start, size_t size, uint64_t pattern,
    size_t width)
{
    int64_t index[WALK_MAX] = {0};
    for (;;) {
        unsigned char *to = start;
        for (int i = 1; i < count; i++)
            to += index[i] * dims[i].stride * (int64_t)size;
        for (int64_t i = 0; i < dims[0].size; i++)
            fill_bytes(to + i * dims[0].stride * (int64_t)size, size, pattern, width);
        int turned = 1;
        while (turned < count && ++index[turned] == dims[turned].size)
            index[turned++] = 0;
        if (turned >= count)
            return;
    }
}

void sim_fill(const opspec_tensor *tensor, const sim_span *span, unsigned char *address)
{
    size_t width;
    const uint64_t pattern = sim_pattern(tensor->dtype, &width);
    const int bits = opspec_widths[tensor->dtype];
    /* Elements narrower than a byte, and views whose elements overlap, are filled from end to end. */
    if (span->whole || bits % 8 != 0 || span->elements > (span->end - span->first) / (bits / 8)) {
        fill_bytes(address + span->first, (size_t)(span->end - span->first), pattern, width);
        return;
    }
    walk_dim dims[WALK_MAX];
    const int count = walk_of(tensor, dims);
    fill_strided(dims, count, address + tensor->offset * (bits / 8), (size_t)(bits / 8), pattern, width);
}
