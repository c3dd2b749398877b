/* A host program over a handful of operators, right and wrong; says what does not hold. Built under sanitizers. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_einsum.h"
#include "aclnnop/aclnn_foreach_add_scalar_list.h"
#include "aclnnop/aclnn_split_tensor.h"
#include "phases.h"
#include "world.h"

static int failures;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                     \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)
#define IS(status, expected, kind)                                                                                     \
    do {                                                                                                               \
        const int status_ = (status);                                                                                  \
        CHECK(status_ == (expected));                                                                                  \
        CHECK(strcmp(world_kind(), kind) == 0);                                                                        \
        CHECK((expected) == 0 || world_error()[0] != 0);                                                               \
    } while (0)

static float *memory;                      /* of all tensors: nothing is computed */
static void *const GARBAGE = &failures;    /* an address, but of no object */
static void *workspace;

static aclTensor *tensor_at(void *data, int64_t rows, int64_t columns)
{
    const int64_t dims[] = {rows, columns};
    return aclCreateTensor(dims, 2, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, dims, 2, data);
}

static aclTensor *tensor(int64_t rows, int64_t columns) { return tensor_at(memory, rows, columns); }

typedef struct {
    aclTensor *self, *other, *out;
    aclScalar *alpha;
    uint64_t size;
    aclOpExecutor *executor;
} add;

static add new_add(void *out)
{
    float one = 1;
    add made = {tensor(2, 3), tensor(1, 3), tensor_at(out, 2, 3), aclCreateScalar(&one, ACL_FLOAT), 0, NULL};
    CHECK(aclnnAddGetWorkspaceSize(made.self, made.other, made.alpha, made.out, &made.size, &made.executor) == 0);
    return made;
}

static void end_add(add *made)
{
    CHECK(aclDestroyTensor(made->self) == 0 && aclDestroyTensor(made->other) == 0);
    CHECK(aclDestroyTensor(made->out) == 0 && aclDestroyScalar(made->alpha) == 0);
}

static void test_legal_call(void)
{
    float *out = world_memory(7 * sizeof *out);
    add made = new_add(out);
    CHECK(made.size > 0 && made.executor != NULL);
    IS(aclnnAdd(workspace, made.size, made.executor, &world_stream), 0, "numerics.none");
    uint32_t bits;
    for (int i = 0; i < 6; i++) {
        memcpy(&bits, &out[i], sizeof bits);
        CHECK(isnan(out[i]) && bits == SIM_PATTERN_FLOAT);
    }
    memcpy(&bits, &out[6], sizeof bits);
    CHECK(bits == 0xEEEEEEEE && world_written == 24);
    IS(aclnnAdd(workspace, made.size, made.executor, &world_stream), 561000, "executor.reused");
    end_add(&made);
}

static void test_refused_call(void)
{
    add made = new_add(memory);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    aclTensor *wide = tensor(2, 4);
    CHECK(aclnnAddGetWorkspaceSize(made.self, wide, made.alpha, made.out, &size, &executor) == 161002);
    CHECK(strncmp(world_error(), "aclnnAdd/", 9) == 0 && executor == NULL);
    CHECK(aclnnAddGetWorkspaceSize(NULL, wide, made.alpha, made.out, &size, &executor) == 161001);
    IS(aclnnAddGetWorkspaceSize(made.self, made.other, made.alpha, made.out, NULL, &executor), 161001, "argument.null");
    IS(aclnnAddGetWorkspaceSize(made.self, made.other, made.alpha, made.out, &size, NULL), 161001, "argument.null");
    IS(aclnnAddGetWorkspaceSize(GARBAGE, made.other, made.alpha, made.out, &size, &executor), 161002, "handle.unknown");
    IS(aclnnAddGetWorkspaceSize((aclTensor *)(void *)made.alpha, wide, made.alpha, made.out, &size, &executor), 161002,
        "handle.other-kind");
    CHECK(aclDestroyTensor(wide) == 0);
    IS(aclnnAddGetWorkspaceSize(made.self, wide, made.alpha, made.out, &size, &executor), 161002, "handle.destroyed");
    CHECK(aclDestroyAclOpExecutor(made.executor) == 0);
    IS(aclDestroyAclOpExecutor(made.executor), 561000, "executor.destroyed");
    IS(aclnnAdd(workspace, made.size, made.executor, &world_stream), 561000, "executor.destroyed");
    end_add(&made);
}

static void test_second_phase(void)
{
#define WRONG(run, status, kind)                                                                                       \
    do {                                                                                                               \
        add made = new_add(memory);                                                                                    \
        IS(run, status, kind);                                                                                         \
        IS(aclnnAdd(workspace, made.size, made.executor, &world_stream), 561000, "executor.reused");                   \
        end_add(&made);                                                                                                \
    } while (0)
    WRONG(aclnnAdd(NULL, made.size, made.executor, &world_stream), 561103, "workspace.null");
    WRONG(aclnnAdd(workspace, made.size - 1, made.executor, &world_stream), 361001, "workspace.size");
    WRONG(aclnnAdd(&made, made.size, made.executor, &world_stream), 361001, "workspace.memory");
    WRONG(aclnnAdd(memory, made.size, made.executor, &world_stream), 361001, "workspace.memory");
    WRONG(aclnnAdd(workspace, made.size, made.executor, GARBAGE), 361001, "stream.unknown");
    IS(aclnnAdd(workspace, 0, NULL, &world_stream), 561103, "executor.null");
    IS(aclnnAdd(workspace, 0, GARBAGE, &world_stream), 561000, "executor.unknown");
    add made = new_add(memory);
    IS(aclnnCat(workspace, made.size, made.executor, &world_stream), 561000, "executor.other-operator");
    CHECK(aclDestroyTensor(made.other) == 0);
    made.other = tensor(1, 3); /* another object, whatever its address */
    IS(aclnnAdd(workspace, made.size, made.executor, &world_stream), 561103, "tensor.destroyed");
    end_add(&made);
    float *freed = world_memory(24);
    world_free(freed);
    void *const wrong[] = {NULL, freed, &made};
    for (int i = 0; i < 3; i++) {
        made = new_add(wrong[i]);
        IS(aclnnAdd(workspace, made.size, made.executor, &world_stream), 361001, "tensor.memory");
        end_add(&made);
    }
}

/* As on a device: the call is done, what does not fit is not written to. */
static void test_small_buffers(void)
{
    float *small = world_memory(23);
    add made = new_add(small);
    const size_t written = world_written;
    IS(aclnnAdd(workspace, made.size, made.executor, &world_stream), 0, "tensor.memory");
    CHECK(world_written == written && ((unsigned char *)small)[22] == 0xEE);
    IS(aclnnAdd(workspace, made.size, made.executor, &world_stream), 561000, "executor.reused");
    end_add(&made);
}

static void test_repeatable(void)
{
    float *first = world_memory(24), *second = world_memory(24);
    add made = new_add(first);
    IS(aclSetTensorAddr(made.executor, 2, made.out, second), 161002, "executor.not-repeatable");
    CHECK(aclSetAclOpExecutorRepeatable(made.executor) == 0);
    IS(aclSetAclOpExecutorRepeatable(NULL), 561103, "executor.null");
    CHECK(aclnnAdd(workspace, made.size, made.executor, &world_stream) == 0);
    CHECK(isnan(first[5]) && !isnan(second[5]));
    CHECK(aclSetOutputTensorAddr(made.executor, 0, made.out, second) == 0);
    CHECK(aclSetInputTensorAddr(made.executor, 1, made.other, first) == 0);
    CHECK(aclSetTensorAddr(made.executor, 2, made.out, second) == 0);
    IS(aclSetInputTensorAddr(made.executor, 2, made.out, second), 161002, "executor.no-tensor");
    CHECK(aclnnAdd(workspace, made.size, made.executor, &world_stream) == 0 && isnan(second[5]));
    CHECK(aclDestroyAclOpExecutor(made.executor) == 0);
    end_add(&made);
}

/* Only the elements of a view are written. */
static void test_views(void)
{
    uint16_t *data = world_memory(40);
    const int64_t dims[] = {2, 3}, strides[] = {1, 4}, storage[] = {20}, empty[] = {0, 3};
    aclTensor *self = aclCreateTensor(dims, 2, ACL_FLOAT16, strides, 2, ACL_FORMAT_ND, storage, 1, data);
    aclTensor *out = aclCreateTensor(dims, 2, ACL_FLOAT16, strides, 2, ACL_FORMAT_ND, storage, 1, data);
    float one = 1;
    aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    CHECK(aclnnAddGetWorkspaceSize(self, self, alpha, out, &size, &executor) == 0);
    CHECK(aclnnAdd(workspace, size, executor, &world_stream) == 0);
    for (int i = 0; i < 20; i++) {
        const bool viewed = i >= 2 && i < 12 && (i - 2) % 4 < 2;
        CHECK(data[i] == (viewed ? SIM_PATTERN_FLOAT16 : 0xEEEE));
    }
    aclTensor *nothing = aclCreateTensor(empty, 2, ACL_FLOAT16, NULL, 0, ACL_FORMAT_ND, empty, 2, NULL);
    CHECK(aclnnAddGetWorkspaceSize(nothing, nothing, alpha, nothing, &size, &executor) == 0 && size == 0);
    CHECK(aclnnAdd(NULL, 0, executor, &world_stream) == 0);
    CHECK(aclnnInplaceAddGetWorkspaceSize(self, self, alpha, &size, &executor) == 0);
    CHECK(aclnnInplaceAdd(workspace, size, executor, &world_stream) == 0);
    aclDestroyTensor(self), aclDestroyTensor(out), aclDestroyTensor(nothing), aclDestroyScalar(alpha);
}

static void test_lists(void)
{
    float *left = world_memory(16), *right = world_memory(16);
    float values[] = {1, 2};
    const aclTensor *items[] = {tensor(2, 2), tensor(2, 2)}, *parts[] = {tensor_at(left, 2, 2), tensor_at(right, 2, 2)};
    const aclScalar *numbers[] = {aclCreateScalar(&values[0], ACL_FLOAT), aclCreateScalar(&values[1], ACL_FLOAT)};
    aclTensorList *list = aclCreateTensorList(items, 2), *out = aclCreateTensorList(parts, 2);
    aclScalarList *scalars = aclCreateScalarList(numbers, 2);
    uint64_t size = 0, count = 0;
    aclOpExecutor *executor = NULL;
    aclTensor *joined = tensor(2, 4);
    CHECK(aclGetTensorListSize(list, &count) == 0 && count == 2 && aclGetScalarListSize(scalars, &count) == 0 && count == 2);
    CHECK(aclnnForeachAddScalarListGetWorkspaceSize(list, scalars, out, &size, &executor) == 0);
    CHECK(aclSetAclOpExecutorRepeatable(executor) == 0);
    CHECK(aclSetDynamicInputTensorAddr(executor, 0, 1, list, right) == 0);
    CHECK(aclSetDynamicOutputTensorAddr(executor, 0, 1, out, left) == 0);
    CHECK(aclnnForeachAddScalarList(workspace, size, executor, &world_stream) == 0);
    CHECK(isnan(left[3]) && !isnan(right[0]));
    CHECK(aclDestroyAclOpExecutor(executor) == 0);
    CHECK(aclnnCatGetWorkspaceSize(list, 1, joined, &size, &executor) == 0);
    CHECK(aclnnCat(workspace, size, executor, &world_stream) == 0);
    CHECK(aclnnSplitTensorGetWorkspaceSize(joined, 2, 1, out, &size, &executor) == 0);
    CHECK(aclnnSplitTensor(workspace, size, executor, &world_stream) == 0 && isnan(right[0]));
    CHECK(aclnnSplitTensorGetWorkspaceSize(joined, 3, 1, out, &size, &executor) == 161002);
    CHECK(aclDestroyTensor(items[1]) == 0);
    IS(aclnnCatGetWorkspaceSize(list, 1, joined, &size, &executor), 161002, "handle.destroyed");
    CHECK(aclCreateTensorList(items, 2) == NULL && strcmp(world_kind(), "handle.destroyed") == 0);
    IS(aclDestroyTensorList(list), 0, "object.double-destroy");
    IS(aclDestroyTensor(items[0]), 161002, "object.double-destroy");
    CHECK(aclDestroyTensorList(out) == 0 && aclDestroyScalarList(scalars) == 0 && aclDestroyTensor(joined) == 0);
}

static void test_strings(void)
{
    const int64_t dims[] = {2};
    const aclTensor *items[2];
    for (int i = 0; i < 2; i++)
        items[i] = aclCreateTensor(dims, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, dims, 1, memory);
    aclTensorList *list = aclCreateTensorList(items, 2);
    aclTensor *out = tensor(2, 2);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    char *endless = malloc(1 << 16);
    memset(endless, 'a', 1 << 16);
    CHECK(aclnnEinsumGetWorkspaceSize(list, "a,b->ab", out, &size, &executor) == 0);
    CHECK(aclnnEinsum(workspace, size, executor, &world_stream) == 0);
    CHECK(aclnnEinsumGetWorkspaceSize(list, NULL, out, &size, &executor) == 161001);
    if (aclnnEinsumGetWorkspaceSize(list, endless, out, &size, &executor) == 0)
        aclDestroyAclOpExecutor(executor);
    free(endless);
    aclDestroyTensorList(list), aclDestroyTensor(out);
}

/* What a C++ program's delete[] does. */
static void release(void *array)
{
    extern void _ZdaPv(void *) __attribute__((weak));
    if (_ZdaPv != NULL)
        _ZdaPv(array);
    else
        free(array);
}

static void test_getters(void)
{
    const int64_t dims[] = {2, 3}, storage[] = {6};
    bool truths[] = {true, false};
    float numbers[] = {1};
    int64_t *found = NULL, offset = 0;
    uint64_t count = 0;
    void *data = NULL;
    aclFormat format;
    aclDataType dtype;
    aclTensor *t = aclCreateTensor(dims, 2, ACL_INT8, NULL, 4, ACL_FORMAT_NCHW, storage, 1, memory);
    CHECK(aclGetViewShape(t, &found, &count) == 0 && count == 2 && found[1] == 3);
    release(found);
    CHECK(aclGetStorageShape(t, &found, &count) == 0 && count == 1 && found[0] == 6);
    release(found);
    CHECK(aclGetViewStrides(t, &found, &count) == 0 && count == 2 && found[0] == 3 && found[1] == 1);
    release(found);
    CHECK(aclGetViewOffset(t, &offset) == 0 && offset == 4 && aclGetFormat(t, &format) == 0 && format == ACL_FORMAT_NCHW);
    CHECK(aclGetDataType(t, &dtype) == 0 && dtype == ACL_INT8);
    CHECK(aclGetRawTensorAddr(t, &data) == 0 && data == memory && aclSetRawTensorAddr(t, &count) == 0);
    CHECK(aclGetRawTensorAddr(t, &data) == 0 && data == &count);
    CHECK(aclInitTensor(t, storage, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, storage, 1, memory) == 0);
    CHECK(aclGetDataType(t, &dtype) == 0 && dtype == ACL_FLOAT);
    IS(aclGetViewShape(NULL, &found, &count), 161001, "argument.null");
    IS(aclGetViewShape(t, NULL, &count), 161001, "argument.null");
    IS(aclGetDataType(GARBAGE, &dtype), 161002, "handle.unknown");
    CHECK(aclDestroyTensor(t) == 0 && aclDestroyTensor(NULL) == 0);
    IS(aclGetDataType(t, &dtype), 161002, "handle.destroyed");
    aclIntArray *ints = aclCreateIntArray(dims, 2);
    aclBoolArray *bools = aclCreateBoolArray(truths, 2);
    aclFloatArray *floats = aclCreateFloatArray(numbers, 1);
    CHECK(aclGetIntArraySize(ints, &count) == 0 && count == 2 && aclGetBoolArraySize(bools, &count) == 0 && count == 2);
    CHECK(aclGetFloatArraySize(floats, &count) == 0 && count == 1);
    IS(aclDestroyTensor((aclTensor *)(void *)ints), 161002, "handle.other-kind");
    CHECK(aclDestroyIntArray(ints) == 0 && aclDestroyBoolArray(bools) == 0 && aclDestroyFloatArray(floats) == 0);
    IS(aclDestroyIntArray(ints), 161002, "object.double-destroy");
}

static void test_bad_creation(void)
{
    const int64_t negative[] = {2, -1}, huge[] = {INT64_MAX, INT64_MAX};
    uint64_t size;
    aclOpExecutor *executor;
    float one = 1;
    CHECK(aclCreateTensor(negative, 2, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, negative, 2, memory) == NULL);
    CHECK(strcmp(world_kind(), "object.refused") == 0);
    CHECK(aclCreateTensor(NULL, 2, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, NULL, 0, memory) == NULL);
    CHECK(aclCreateIntArray(NULL, 2) == NULL && aclCreateScalar(NULL, ACL_FLOAT) == NULL);
    CHECK(aclCreateTensorList(NULL, 1) == NULL && aclCreateIntArray(huge, UINT64_MAX) == NULL);
    world_failing = "aclCreateTensor";
    CHECK(tensor(2, 2) == NULL);
    world_failing = NULL;
    aclTensor *deep = aclCreateTensor(huge, 2, ACL_FLOAT, huge, INT64_MAX, ACL_FORMAT_ND, huge, 2, memory);
    aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
    if (aclnnAddGetWorkspaceSize(deep, deep, alpha, deep, &size, &executor) == 0)
        CHECK(aclnnAdd(workspace, size, executor, &world_stream) == 0);
    aclDestroyTensor(deep), aclDestroyScalar(alpha);
}

static void test_faults(void)
{
    add made = new_add(memory);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    world_failing = "aclnnAddGetWorkspaceSize";
    CHECK(aclnnAddGetWorkspaceSize(made.self, made.other, made.alpha, made.out, &size, &executor) == 561000);
    world_failing = "aclnnAdd";
    CHECK(aclnnAdd(workspace, made.size, made.executor, &world_stream) == 361001);
    world_failing = NULL;
    IS(aclnnAdd(workspace, made.size, made.executor, &world_stream), 561000, "executor.reused");
    end_add(&made);
}

static void *work(void *arg)
{
    for (int i = 0; i < 300; i++) {
        add made = new_add(arg);
        CHECK(aclnnAdd(workspace, made.size, made.executor, &world_stream) == 0);
        end_add(&made);
    }
    return NULL;
}

static void test_threads(void)
{
    pthread_t threads[3];
    void *outs[3];
    for (int i = 0; i < 3; i++)
        outs[i] = world_memory(24);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, outs[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

/* A call that opspec fails to judge does not succeed. */
static void test_what_is_not_judged(void)
{
    static const opspec_operator other = {.version = OPSPEC_RULES_VERSION + 1, .name = "aclnnOther"};
    const opspec_passed none = opspec_passed_none(NULL, NULL, 0);
    IS(sim_judge(&other, &none), 561000, "");
}

int main(void)
{
    memory = world_memory(256);
    workspace = world_memory(1 << 20);
    test_legal_call();
    test_refused_call();
    test_second_phase();
    test_small_buffers();
    test_repeatable();
    test_views();
    test_lists();
    test_strings();
    test_getters();
    test_bad_creation();
    test_faults();
    test_what_is_not_judged();
    const int before = world_findings();
    test_threads();
    CHECK(world_findings() == before);
    CHECK(opspec_handles_count(OPSPEC_HANDLE_TENSOR) == 0 && opspec_handles_count(OPSPEC_HANDLE_EXECUTOR) == 0);
    printf("%d failures\n", failures);
    return failures != 0;
}
