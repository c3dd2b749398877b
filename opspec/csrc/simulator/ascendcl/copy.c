/* Copies between host and devices, and filling memory. What a stream is given is done at once, and remembered as not
 * waited for. */
#include <string.h>

#include "entry.h"
#include "events.h"

/* Bytes in lines of a width, each a pitch behind the one before. */
typedef struct {
    void *dst;
    const void *src;
    size_t dst_pitch, src_pitch, width, height;
    sim_memory_kind to, from;
    const char *function;
} copy;

/* --- where from, where to ----------------------------------------------------------------------------------------- */

static sim_memory_kind kind_of(const void *address)
{
    sim_memory_kind kind = SIM_HOST_MEMORY;
    int32_t device;
    return sim_memory_owner(address, &kind, &device) ? kind : SIM_HOST_MEMORY;
}

/* The memory that a kind says src and dst to be; DEFAULT says nothing: what they are. */
static aclError read_kind(aclrtMemcpyKind kind, copy *what)
{
    what->from = what->to = SIM_HOST_MEMORY;
    switch ((int)kind) {
    case ACL_MEMCPY_HOST_TO_HOST:
        return ACL_SUCCESS;
    case ACL_MEMCPY_HOST_TO_DEVICE:
    case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE:
        what->to = SIM_DEVICE_MEMORY;
        return ACL_SUCCESS;
    case ACL_MEMCPY_DEVICE_TO_HOST:
        what->from = SIM_DEVICE_MEMORY;
        return ACL_SUCCESS;
    case ACL_MEMCPY_DEVICE_TO_DEVICE:
    case ACL_MEMCPY_INNER_DEVICE_TO_DEVICE:
    case ACL_MEMCPY_INTER_DEVICE_TO_DEVICE:
        what->from = what->to = SIM_DEVICE_MEMORY;
        return ACL_SUCCESS;
    case ACL_MEMCPY_DEFAULT:
        what->from = kind_of(what->src);
        what->to = kind_of(what->dst);
        return ACL_SUCCESS;
    default:
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: there is no kind of copy %d", what->function, (int)kind);
    }
}

/* CANN takes the direction from the addresses, whatever the kind says: that it says otherwise is told. An address that
 * leads nowhere stays what the kind says it is, so that it is refused as such. */
static sim_memory_kind actual_kind(
    const copy *what, const char *param, const void *address, size_t size, sim_memory_kind said)
{
    static const char *const names[] = {[SIM_DEVICE_MEMORY] = "device", [SIM_HOST_MEMORY] = "host"};
    const sim_memory_kind is = kind_of(address);
    if (is == said || (is == SIM_HOST_MEMORY && !sim_memory_mapped(address, size)))
        return said;
    opspec_tell(OPSPEC_SIMULATOR, FOUND_MEMORY_COPY_KIND,
        "%s: kind says that %s is %s memory, but %p is %s memory; CANN goes by the address", what->function, param,
        names[said], address, names[is]);
    return is;
}

/* --- checks ------------------------------------------------------------------------------------------------------- */

/* From the first byte to the last; SIZE_MAX when that is more than there is. */
static size_t extent(size_t pitch, size_t width, size_t height)
{
    size_t lines, size;
    if (__builtin_mul_overflow(pitch, height - 1, &lines) || __builtin_add_overflow(lines, width, &size))
        return SIZE_MAX;
    return size;
}

static aclError check(copy *what)
{
    aclError status;
    const size_t read = extent(what->src_pitch, what->width, what->height);
    const size_t written = extent(what->dst_pitch, what->width, what->height);
    what->from = actual_kind(what, "src", what->src, read, what->from);
    what->to = actual_kind(what, "dst", what->dst, written, what->to);
    if (!sim_memory_usable(what->function, "src", what->src, read, what->from, &status))
        return status;
    (void)sim_memory_usable(what->function, "dst", what->dst, written, what->to, &status);
    return status;
}

/* A context is needed, of a stream its own. The stream's serial number is left, 0 for a copy that is in no stream. */
static aclError enter(bool in_stream, aclrtStream handle, uint64_t *serial, const char *function)
{
    aclError status = ACL_SUCCESS;
    *serial = 0;
    sim_lock();
    if (in_stream) {
        const sim_stream *stream = sim_stream_here(handle, function, &status);
        *serial = stream == NULL ? 0 : stream->object.serial;
    } else if (sim_context_current() == NULL) {
        status = sim_context_missing(function);
    }
    sim_unlock();
    return status;
}

static void look_for_pending(const copy *what, uint64_t serial)
{
    const size_t size = extent(what->src_pitch, what->width, what->height);
    if (serial == 0 && what->from == SIM_DEVICE_MEMORY && sim_writes_pending(what->src, size, 0) != 0)
        (void)sim_misuse(ACL_SUCCESS, FOUND_MEMORY_UNSYNCHRONISED,
            "%s: src is %p, which a stream wrote to that was not synchronised; the bytes may not be there yet",
            what->function, what->src);
}

static aclError run(copy *what, bool in_stream, aclrtStream stream)
{
    uint64_t serial;
    aclError status = enter(in_stream, stream, &serial, what->function);
    if (status == ACL_SUCCESS)
        status = check(what);
    if (status != ACL_SUCCESS)
        return status;
    look_for_pending(what, serial);
    for (size_t i = 0; i < what->height; i++)
        memmove((char *)what->dst + i * what->dst_pitch, (const char *)what->src + i * what->src_pitch, what->width);
    if (serial != 0 && what->to == SIM_DEVICE_MEMORY)
        sim_writes_add(what->dst, extent(what->dst_pitch, what->width, what->height), serial);
    return ACL_SUCCESS;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static aclError copy_bytes(copy *what, size_t room, aclrtMemcpyKind kind, bool in_stream, aclrtStream stream)
{
    const aclError status = read_kind(kind, what);
    if (status != ACL_SUCCESS)
        return status;
    if (what->width == 0)
        return sim_refused(ACL_ERROR_RT_PARAM_INVALID, "%s: count is 0; it is 1 or more", what->function);
    if (what->width > room)
        return sim_misuse(ACL_ERROR_RT_PARAM_INVALID, FOUND_MEMORY_COPY_SIZE, "%s: count is %zu, and destMax only %zu",
            what->function, what->width, room);
    return run(what, in_stream, stream);
}

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind)
{
    ENTRY_NEEDS(dst);
    ENTRY_NEEDS(src);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_COPY_DATA);
    copy what = {.dst = dst, .src = src, .width = count, .height = 1, .function = __func__};
    return copy_bytes(&what, destMax, kind, false, NULL);
}

aclError aclrtMemcpyAsync(
    void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind, aclrtStream stream)
{
    ENTRY_NEEDS(dst);
    ENTRY_NEEDS(src);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_COPY_DATA);
    copy what = {.dst = dst, .src = src, .width = count, .height = 1, .function = __func__};
    return copy_bytes(&what, destMax, kind, true, stream);
}

aclError aclrtMemcpyAsyncWithCondition(
    void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind, aclrtStream stream)
{
    ENTRY_NEEDS(dst);
    ENTRY_NEEDS(src);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_COPY_DATA);
    copy what = {.dst = dst, .src = src, .width = count, .height = 1, .function = __func__};
    return copy_bytes(&what, destMax, kind, true, stream);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static aclError copy_lines(copy *what, aclrtMemcpyKind kind, bool in_stream, aclrtStream stream)
{
    const aclError status = read_kind(kind, what);
    if (status != ACL_SUCCESS)
        return status;
    if (what->width == 0 || what->height == 0)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: width is %zu and height %zu; both are 1 or more",
            what->function, what->width, what->height);
    if (what->width > what->dst_pitch || what->width > what->src_pitch)
        return sim_misuse(ACL_ERROR_INVALID_PARAM, FOUND_MEMORY_COPY_SIZE,
            "%s: width is %zu, dpitch %zu and spitch %zu; no line is wider than its pitch", what->function,
            what->width, what->dst_pitch, what->src_pitch);
    return run(what, in_stream, stream);
}

aclError aclrtMemcpy2d(
    void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind)
{
    ENTRY_NEEDS(dst);
    ENTRY_NEEDS(src);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_COPY_DATA);
    copy what = {.dst = dst, .src = src, .dst_pitch = dpitch, .src_pitch = spitch, .width = width, .height = height,
        .function = __func__};
    return copy_lines(&what, kind, false, NULL);
}

aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
    aclrtMemcpyKind kind, aclrtStream stream)
{
    ENTRY_NEEDS(dst);
    ENTRY_NEEDS(src);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_COPY_DATA);
    copy what = {.dst = dst, .src = src, .dst_pitch = dpitch, .src_pitch = spitch, .width = width, .height = height,
        .function = __func__};
    return copy_lines(&what, kind, true, stream);
}

/* --- filling ------------------------------------------------------------------------------------------------------ */

/* The address says whether it is the device's or the host's memory. */
static aclError fill(void *address, size_t room, int32_t value, size_t count, uint64_t serial, const char *function)
{
    aclError status;
    const sim_memory_kind kind = kind_of(address);
    if (count > room)
        return sim_misuse(ACL_ERROR_RT_PARAM_INVALID, FOUND_MEMORY_COPY_SIZE, "%s: count is %zu, and maxCount only %zu",
            function, count, room);
    if (!sim_memory_usable(function, "devPtr", address, count, kind, &status))
        return status;
    memset(address, value, count);
    if (serial != 0 && kind == SIM_DEVICE_MEMORY)
        sim_writes_add(address, count, serial);
    return ACL_SUCCESS;
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
    uint64_t serial;
    ENTRY_NEEDS(devPtr);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    const aclError status = enter(false, NULL, &serial, __func__);
    return status != ACL_SUCCESS ? status : fill(devPtr, maxCount, value, count, serial, __func__);
}

aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream)
{
    uint64_t serial;
    ENTRY_NEEDS(devPtr);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    const aclError status = enter(true, stream, &serial, __func__);
    return status != ACL_SUCCESS ? status : fill(devPtr, maxCount, value, count, serial, __func__);
}
