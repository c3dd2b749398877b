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

/* A context is needed, of a stream its own. */
static aclError enter(bool in_stream, aclrtStream handle, const char *function)
{
    aclError status = ACL_SUCCESS;
    sim_lock();
    if (in_stream)
        (void)sim_stream_here(handle, function, &status);
    else if (sim_context_current() == NULL)
        status = sim_context_missing(function);
    sim_unlock();
    return status;
}

/* Of the host's memory that is known which the simulator gave out; of other memory nobody knows when it becomes
 * something else, nor when a copy has read it. */
static bool is_known(const void *address)
{
    sim_memory_kind kind;
    int32_t device;
    return sim_memory_owner(address, &kind, &device);
}

/* What is used at once, while a stream's work that was not waited for uses it. */
static void look_for_pending(const sim_use *use)
{
    sim_user user;
    if (!sim_uses_pending(use, use->writes, &user) || sim_fault_happened())
        return;
    opspec_tell(OPSPEC_SIMULATOR, use->writes ? FOUND_MEMORY_OVERWRITTEN : FOUND_MEMORY_UNSYNCHRONISED,
        "%s: %s is %p, which %s (%s) %s in a stream that was not synchronised; %s", use->work, use->what, use->address,
        user.work, user.what, user.writes ? "writes to" : "reads",
        use->writes ? "it may come later" : "the bytes may not be there yet");
}

static void use_memory(const sim_use *use, bool in_stream, aclrtStream stream)
{
    if (!is_known(use->address))
        return;
    if (in_stream)
        sim_memory_use(use, stream);
    else
        look_for_pending(use);
}

static void use_both(const copy *what, bool in_stream, aclrtStream stream)
{
    const sim_use read = {.address = what->src, .size = extent(what->src_pitch, what->width, what->height),
        .whole = what->height == 1 || what->src_pitch == what->width, .work = what->function, .what = "src"};
    const sim_use written = {.address = what->dst, .size = extent(what->dst_pitch, what->width, what->height),
        .writes = true, .whole = what->height == 1 || what->dst_pitch == what->width, .work = what->function,
        .what = "dst"};
    use_memory(&read, in_stream, stream);
    use_memory(&written, in_stream, stream);
}

static aclError run(copy *what, bool in_stream, aclrtStream stream)
{
    aclError status = enter(in_stream, stream, what->function);
    if (status == ACL_SUCCESS)
        status = check(what);
    if (status != ACL_SUCCESS)
        return status;
    use_both(what, in_stream, stream);
    for (size_t i = 0; i < what->height; i++)
        memmove((char *)what->dst + i * what->dst_pitch, (const char *)what->src + i * what->src_pitch, what->width);
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
static aclError fill(
    void *address, size_t room, int32_t value, size_t count, bool in_stream, aclrtStream stream, const char *function)
{
    aclError status = enter(in_stream, stream, function);
    const sim_use use = {.address = address, .size = count, .writes = true, .whole = true, .work = function,
        .what = "devPtr"};
    const sim_memory_kind kind = kind_of(address);
    if (status != ACL_SUCCESS)
        return status;
    if (count > room)
        return sim_misuse(ACL_ERROR_RT_PARAM_INVALID, FOUND_MEMORY_COPY_SIZE, "%s: count is %zu, and maxCount only %zu",
            function, count, room);
    if (!sim_memory_usable(function, "devPtr", address, count, kind, &status))
        return status;
    use_memory(&use, in_stream, stream);
    memset(address, value, count);
    return ACL_SUCCESS;
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
    ENTRY_NEEDS(devPtr);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    return fill(devPtr, maxCount, value, count, false, NULL, __func__);
}

aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream)
{
    ENTRY_NEEDS(devPtr);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    return fill(devPtr, maxCount, value, count, true, stream, __func__);
}
