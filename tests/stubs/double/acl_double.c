/* A double of the ACL and aclnn functions that call stubs use.
 *
 * It knows every object by its address: releasing one twice, using one after its release, releasing memory that queued
 * work may still use, and whatever is left at the end are faults. It makes the n-th call fail when
 * OPSPEC_DOUBLE_FAIL is n. At the end it says on stderr how many calls, faults and live objects there were; with
 * OPSPEC_DOUBLE_TRACE it also says what the first phase was given. */
#include "double.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RECORDS = 4096, MOST_ITEMS = 64 };

typedef enum { NOTHING, RUNTIME, DEVICE, STREAM, MEMORY, TENSOR, SCALAR, ARRAY, TENSOR_LIST, SCALAR_LIST, EXECUTOR } Kind;

typedef struct Record Record;

struct Record {
    Kind kind;
    bool alive;
    void *address;
    size_t bytes;
    bool dirty;    /* memory: written by an execution and not read since */
    bool repeats;  /* executor */
    bool isOutput; /* tensor or list of the arguments */
    const Record *owner;
    const Record *storage;
    Record *items[MOST_ITEMS];
    size_t size;
    char text[1024]; /* how a trace shows it */
};

static Record records[MOST_RECORDS];
static size_t recordCount;
static int calls;
static int faults;
static bool pending; /* an execution is queued and not waited for */
static char message[256];

/* --- faults and failures */

static void fault(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "double: fault: ");
    vfprintf(stderr, format, values);
    fprintf(stderr, "\n");
    va_end(values);
    ++faults;
}

static void summary(void)
{
    int live = 0;
    int unread = 0;
    for (size_t i = 0; i < recordCount; ++i) {
        live += records[i].alive;
        unread += records[i].dirty;
    }
    fprintf(stderr, "double: calls=%d faults=%d live=%d unread=%d\n", calls, faults, live, unread);
}

int doubleStep(const char *function)
{
    const char *wanted = getenv("OPSPEC_DOUBLE_FAIL");
    if (calls == 0) {
        atexit(summary);
    }
    ++calls;
    if (wanted == NULL || atoi(wanted) != calls) {
        return 0;
    }
    snprintf(message, sizeof message, "the double made call %d fail", calls);
    fprintf(stderr, "double: failing %s with %d\n", function, 507000 + calls);
    return 507000 + calls;
}

const char *aclGetRecentErrMsg(void)
{
    return message[0] == '\0' ? NULL : message;
}

/* --- records */

static Record *record(Kind kind, void *address)
{
    if (recordCount == MOST_RECORDS) {
        fault("too many objects");
        exit(70);
    }
    Record *made = &records[recordCount++];
    made->kind = kind;
    made->alive = true;
    made->address = address == NULL ? (void *)made : address;
    return made;
}

/* The newest record of an address: addresses of memory may come again. */
static Record *find(const void *address)
{
    for (size_t i = recordCount; i > 0; --i) {
        if (records[i - 1].address == address) {
            return &records[i - 1];
        }
    }
    return NULL;
}

static Record *used(const char *function, const void *address, Kind kind)
{
    Record *found = find(address);
    if (found == NULL || found->kind != kind) {
        fault("%s: not an object of its kind", function);
        return NULL;
    }
    if (!found->alive) {
        fault("%s: used after its release", function);
    }
    return found;
}

static int release(const char *function, const void *address, Kind kind)
{
    int code = doubleStep(function);
    Record *found = used(function, address, kind);
    if (found == NULL || !found->alive) {
        return code;
    }
    if (found->owner != NULL) {
        fault("%s: it belongs to a list", function);
    }
    if (pending && kind != STREAM && kind != DEVICE && kind != RUNTIME) {
        fault("%s: queued work may still use it", function);
    }
    for (size_t i = 0; i < found->size; ++i) {
        if (found->items[i] != NULL) {
            found->items[i]->alive = false;
        }
    }
    found->alive = false;
    return code;
}

static bool isOpen(Kind kind)
{
    for (size_t i = 0; i < recordCount; ++i) {
        if (records[i].kind == kind && records[i].alive) {
            return true;
        }
    }
    return false;
}

static int begin(const char *function, Kind kind, Kind needed)
{
    int code = doubleStep(function);
    if (needed != NOTHING && !isOpen(needed)) {
        fault("%s: too early", function);
    }
    if (code == 0) {
        record(kind, NULL);
    }
    return code;
}

static int end(const char *function, Kind kind)
{
    for (size_t i = 0; i < recordCount; ++i) {
        if (records[i].kind == kind && records[i].alive) {
            return release(function, &records[i], kind);
        }
    }
    fault("%s: nothing to close", function);
    return doubleStep(function);
}

/* --- runtime */

int aclInit(const char *configPath)
{
    (void)configPath;
    return begin("aclInit", RUNTIME, NOTHING);
}

int aclFinalize(void)
{
    if (isOpen(DEVICE)) {
        fault("aclFinalize: a device is set");
    }
    return end("aclFinalize", RUNTIME);
}

int aclrtSetDevice(int32_t device)
{
    (void)device;
    return begin("aclrtSetDevice", DEVICE, RUNTIME);
}

int aclrtResetDevice(int32_t device)
{
    (void)device;
    if (isOpen(STREAM) || isOpen(MEMORY)) {
        fault("aclrtResetDevice: streams or memory are left");
    }
    return end("aclrtResetDevice", DEVICE);
}

int aclrtCreateStream(void **stream)
{
    int code = begin("aclrtCreateStream", STREAM, DEVICE);
    if (code == 0) {
        *stream = records[recordCount - 1].address;
    }
    return code;
}

int aclrtDestroyStream(void *stream)
{
    return release("aclrtDestroyStream", stream, STREAM);
}

int aclrtSynchronizeStream(void *stream)
{
    used("aclrtSynchronizeStream", stream, STREAM);
    pending = false;
    return doubleStep("aclrtSynchronizeStream");
}

int aclrtMalloc(void **address, size_t size, int policy)
{
    int code = doubleStep("aclrtMalloc");
    (void)policy;
    if (size == 0) {
        fault("aclrtMalloc: of no bytes");
    }
    if (!isOpen(DEVICE)) {
        fault("aclrtMalloc: no device");
    }
    if (code == 0) {
        *address = malloc(size);
        record(MEMORY, *address)->bytes = size;
    }
    return code;
}

int aclrtFree(void *address)
{
    Record *found = find(address);
    const bool alive = found != NULL && found->alive;
    int code = release("aclrtFree", address, MEMORY);
    if (alive && !found->alive) {
        free(address);
    }
    return code;
}

int aclrtMemcpy(void *to, size_t room, const void *from, size_t count, int kind)
{
    int code = doubleStep("aclrtMemcpy");
    Record *memory = used("aclrtMemcpy", kind == 1 ? to : from, MEMORY);
    if ((kind != 1 && kind != 2) || count > room || memory == NULL || count > memory->bytes) {
        fault("aclrtMemcpy: direction %d, %zu bytes into %zu", kind, count, room);
        return code;
    }
    if (pending) {
        fault("aclrtMemcpy: queued work is not waited for");
    }
    if (kind == 2) {
        memory->dirty = false;
    }
    if (code == 0) {
        memcpy(to, from, count);
    }
    return code;
}

/* --- objects */

static void show(Record *object, const char *format, ...)
{
    va_list values;
    size_t length = strlen(object->text);
    va_start(values, format);
    vsnprintf(object->text + length, sizeof object->text - length, format, values);
    va_end(values);
}

static void showDims(Record *object, const char *name, const int64_t *dims, uint64_t rank)
{
    show(object, " %s=", name);
    for (uint64_t i = 0; i < rank; ++i) {
        show(object, i == 0 ? "%lld" : ",%lld", (long long)dims[i]);
    }
}

static void showBytes(Record *object, const void *data, size_t bytes)
{
    show(object, " data=");
    for (size_t i = 0; i < bytes && i < 64; ++i) {
        show(object, "%02x", ((const unsigned char *)data)[i]);
    }
}

void *aclCreateTensor(const int64_t *shape, uint64_t rank, int dtype, const int64_t *strides, int64_t offset, int format,
                      const int64_t *storageShape, uint64_t storageRank, void *data)
{
    if (doubleStep("aclCreateTensor") != 0) {
        return NULL;
    }
    Record *tensor = record(TENSOR, NULL);
    tensor->storage = data == NULL ? NULL : used("aclCreateTensor", data, MEMORY);
    show(tensor, "dtype=%d format=%d offset=%lld", dtype, format, (long long)offset);
    showDims(tensor, "shape", shape, rank);
    showDims(tensor, "strides", strides, rank);
    showDims(tensor, "storage", storageShape, storageRank);
    if (tensor->storage != NULL) {
        show(tensor, " bytes=%zu", tensor->storage->bytes);
        showBytes(tensor, data, tensor->storage->bytes);
    }
    return tensor;
}

int aclDestroyTensor(const void *tensor)
{
    return release("aclDestroyTensor", tensor, TENSOR);
}

static size_t widthOf(int dtype)
{
    static const int widths[] = {4, 2, 1, 4, 1, 0, 2, 2, 4, 8, 8, 8, 1, 0, 0, 0, 8, 16};
    return dtype == 27 || dtype == 33 ? (dtype == 27 ? 2u : 4u) : (dtype < 18 ? (size_t)widths[dtype] : 1u);
}

void *aclCreateScalar(void *value, int dtype)
{
    if (doubleStep("aclCreateScalar") != 0) {
        return NULL;
    }
    Record *scalar = record(SCALAR, NULL);
    show(scalar, "dtype=%d", dtype);
    showBytes(scalar, value, widthOf(dtype));
    return scalar;
}

int aclDestroyScalar(const void *scalar)
{
    return release("aclDestroyScalar", scalar, SCALAR);
}

static void *array(const char *function, const void *values, size_t bytes, uint64_t size)
{
    if (doubleStep(function) != 0) {
        return NULL;
    }
    Record *made = record(ARRAY, NULL);
    show(made, "size=%llu", (unsigned long long)size);
    showBytes(made, values, bytes);
    return made;
}

void *aclCreateIntArray(const int64_t *values, uint64_t size)
{
    return array("aclCreateIntArray", values, size * sizeof *values, size);
}

void *aclCreateFloatArray(const float *values, uint64_t size)
{
    return array("aclCreateFloatArray", values, size * sizeof *values, size);
}

void *aclCreateBoolArray(const bool *values, uint64_t size)
{
    return array("aclCreateBoolArray", values, size * sizeof *values, size);
}

int aclDestroyIntArray(const void *values)
{
    return release("aclDestroyIntArray", values, ARRAY);
}

int aclDestroyFloatArray(const void *values)
{
    return release("aclDestroyFloatArray", values, ARRAY);
}

int aclDestroyBoolArray(const void *values)
{
    return release("aclDestroyBoolArray", values, ARRAY);
}

static void *list(const char *function, Kind kind, Kind item, const void *const *items, uint64_t size)
{
    if (doubleStep(function) != 0) {
        return NULL;
    }
    if (size > MOST_ITEMS) {
        fault("%s: too many items", function);
        return NULL;
    }
    Record *made = record(kind, NULL);
    made->size = size;
    show(made, "size=%llu", (unsigned long long)size);
    for (uint64_t i = 0; i < size; ++i) {
        made->items[i] = items[i] == NULL ? NULL : used(function, items[i], item);
        if (made->items[i] != NULL) {
            made->items[i]->owner = made;
        }
        show(made, " [%s]", made->items[i] == NULL ? "null" : made->items[i]->text);
    }
    return made;
}

void *aclCreateTensorList(const void *const *items, uint64_t size)
{
    return list("aclCreateTensorList", TENSOR_LIST, TENSOR, items, size);
}

void *aclCreateScalarList(const void *const *items, uint64_t size)
{
    return list("aclCreateScalarList", SCALAR_LIST, SCALAR, items, size);
}

int aclDestroyTensorList(const void *items)
{
    return release("aclDestroyTensorList", items, TENSOR_LIST);
}

int aclDestroyScalarList(const void *items)
{
    return release("aclDestroyScalarList", items, SCALAR_LIST);
}

/* Host memory of the stub: the linker sends its calloc here. */
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    return doubleStep("calloc") != 0 ? NULL : __real_calloc(count, size);
}

/* --- operators */

static Record *arguments[MOST_ITEMS];
static size_t argumentCount;

static void trace(const char *name, const char *format, ...)
{
    va_list values;
    if (getenv("OPSPEC_DOUBLE_TRACE") == NULL) {
        return;
    }
    va_start(values, format);
    fprintf(stderr, "argument %s ", name);
    vfprintf(stderr, format, values);
    fprintf(stderr, "\n");
    va_end(values);
}

void doubleArguments(const char *function)
{
    (void)function;
    argumentCount = 0;
}

void doubleObject(const char *name, const void *handle, int isOutput)
{
    Record *found = find(handle);
    if (handle == NULL) {
        trace(name, "null");
        return;
    }
    if (found == NULL || !found->alive) {
        fault("%s: no object, or used after its release", name);
        return;
    }
    found->isOutput = isOutput;
    arguments[argumentCount++] = found;
    trace(name, "%s", found->text);
}

void doubleInteger(const char *name, int64_t value)
{
    trace(name, "%lld", (long long)value);
}

void doubleReal(const char *name, double value)
{
    trace(name, "%.17g", value);
}

void doubleText(const char *name, const char *value)
{
    if (value == NULL) {
        trace(name, "null");
        return;
    }
    Record shown = {.kind = NOTHING};
    showBytes(&shown, value, strlen(value));
    trace(name, "text%s", shown.text);
}

void doublePointer(const char *name, const void *value)
{
    trace(name, value == NULL ? "null" : "pointer");
}

int doublePlan(const char *function, uint64_t *workspaceSize, void **executor)
{
    const char *wanted = getenv("OPSPEC_DOUBLE_WORKSPACE");
    int code = doubleStep(function);
    if (code != 0) {
        return code;
    }
    Record *made = record(EXECUTOR, NULL);
    memcpy(made->items, arguments, sizeof arguments);
    made->size = argumentCount;
    made->bytes = wanted == NULL ? 32 : (size_t)atoi(wanted);
    *workspaceSize = made->bytes;
    *executor = made;
    return 0;
}

int aclSetAclOpExecutorRepeatable(void *executor)
{
    Record *found = used("aclSetAclOpExecutorRepeatable", executor, EXECUTOR);
    int code = doubleStep("aclSetAclOpExecutorRepeatable");
    if (code == 0 && found != NULL) {
        found->repeats = true;
    }
    return code;
}

int aclDestroyAclOpExecutor(void *executor)
{
    Record *found = find(executor);
    if (found != NULL) {
        found->size = 0; /* its arguments are not its own */
    }
    return release("aclDestroyAclOpExecutor", executor, EXECUTOR);
}

/* Writes an output, or every item of one that is a list. */
static void writeTo(const char *function, Record *output)
{
    for (size_t i = 0; i < output->size; ++i) {
        if (output->items[i] != NULL) {
            writeTo(function, output->items[i]);
        }
    }
    if (output->storage != NULL) {
        Record *memory = used(function, output->storage->address, MEMORY);
        memset(memory->address, 1, memory->bytes);
        memory->dirty = true;
    }
}

int doubleExecute(const char *function, void *workspace, uint64_t workspaceSize, void *executor, void *stream)
{
    int code = doubleStep(function);
    Record *plan = used(function, executor, EXECUTOR);
    used(function, stream, STREAM);
    if (plan == NULL) {
        return code;
    }
    if (workspaceSize != plan->bytes || (workspaceSize == 0) != (workspace == NULL)) {
        fault("%s: not the workspace that was planned", function);
    }
    if (workspace != NULL && used(function, workspace, MEMORY)->bytes < workspaceSize) {
        fault("%s: the workspace is too small", function);
    }
    for (size_t i = 0; i < plan->size; ++i) {
        if (!plan->items[i]->alive) {
            fault("%s: an argument has been released", function);
        } else if (code == 0 && plan->items[i]->isOutput) {
            writeTo(function, plan->items[i]);
        }
    }
    pending = pending || code == 0;
    plan->alive = plan->repeats; /* taken, whatever it returns */
    return code;
}
