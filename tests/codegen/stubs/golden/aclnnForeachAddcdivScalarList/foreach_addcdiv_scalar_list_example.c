/* Calls aclnnForeachAddcdivScalarList of CANN 9.1.0 with the example of its spec, and prints the results. Generated
 * by opspec. Exit status: 0 success, 1 a step failed. */
#include <stdio.h>
#include <stdlib.h>
#include "foreach_addcdiv_scalar_list.h"

static float x1_0_data[6] = {0.5F, -1.0F, 1.5F, -0.25F, 2.0F, -0.75F};
static const int64_t dims_2_3[2] = {2, 3};
static float x1_1_data[4] = {0.5F, -1.0F, 1.5F, -0.25F};
static const int64_t dims_4[1] = {4};
static float x2_0_data[6] = {0.5F, -1.0F, 1.5F, -0.25F, 2.0F, -0.75F};
static float x2_1_data[4] = {0.5F, -1.0F, 1.5F, -0.25F};
static float x3_0_data[6] = {0.5F, -1.0F, 1.5F, -0.25F, 2.0F, -0.75F};
static float x3_1_data[4] = {0.5F, -1.0F, 1.5F, -0.25F};
static float scalars_data[2] = {0.5F, -1.0F};
static const int64_t dims_2[1] = {2};
static float out_0_data[6];
static float out_1_data[4];
static void *memory[10]; /* on the device: of the tensors and of the workspace */
static bool good = true; /* whether nothing has failed */

/* Says which step failed, if it did. */
static bool succeeded(const char *step, const char *subject, int code)
{
    if (code != 0) {
        const char *message = aclGetRecentErrMsg();
        fprintf(stderr, "aclnnForeachAddcdivScalarList_example: %s(%s) failed with code %d: %s\n", step, subject, code,
                message != NULL ? message : "no message");
    }
    return code == 0;
}

/* Copies a tensor's data to the device. */
static void *upload(int place, const char *name, void *host, size_t bytes)
{
    good = good &&
        succeeded("aclrtMalloc", name, aclrtMalloc(&memory[place], bytes, ACL_MEM_MALLOC_HUGE_FIRST)) &&
        succeeded("aclrtMemcpy", name, aclrtMemcpy(memory[place], bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    return memory[place];
}

/* The workspace of the call, which main frees. */
static void *allocate(size_t bytes, void *place)
{
    const int code = aclrtMalloc((void **)place, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    return succeeded("aclrtMalloc", "workspace", code) ? *(void **)place : NULL;
}

static void callOperator(aclrtStream stream)
{
    const OpTensor x1_0_tensor = opTensor(upload(0, "x1_0", x1_0_data, sizeof x1_0_data), ACL_FLOAT, dims_2_3, 2);
    const OpTensor x1_1_tensor = opTensor(upload(1, "x1_1", x1_1_data, sizeof x1_1_data), ACL_FLOAT, dims_4, 1);
    const OpTensor *const x1_items[2] = {&x1_0_tensor, &x1_1_tensor};
    const OpTensorList x1_list = {x1_items, 2};
    const OpTensor x2_0_tensor = opTensor(upload(2, "x2_0", x2_0_data, sizeof x2_0_data), ACL_FLOAT, dims_2_3, 2);
    const OpTensor x2_1_tensor = opTensor(upload(3, "x2_1", x2_1_data, sizeof x2_1_data), ACL_FLOAT, dims_4, 1);
    const OpTensor *const x2_items[2] = {&x2_0_tensor, &x2_1_tensor};
    const OpTensorList x2_list = {x2_items, 2};
    const OpTensor x3_0_tensor = opTensor(upload(4, "x3_0", x3_0_data, sizeof x3_0_data), ACL_FLOAT, dims_2_3, 2);
    const OpTensor x3_1_tensor = opTensor(upload(5, "x3_1", x3_1_data, sizeof x3_1_data), ACL_FLOAT, dims_4, 1);
    const OpTensor *const x3_items[2] = {&x3_0_tensor, &x3_1_tensor};
    const OpTensorList x3_list = {x3_items, 2};
    const OpTensor scalars_tensor = opTensor(upload(6, "scalars", scalars_data, sizeof scalars_data), ACL_FLOAT, dims_2,
        1);
    const OpTensor out_0_tensor = opTensor(upload(7, "out_0", out_0_data, sizeof out_0_data), ACL_FLOAT, dims_2_3, 2);
    const OpTensor out_1_tensor = opTensor(upload(8, "out_1", out_1_data, sizeof out_1_data), ACL_FLOAT, dims_4, 1);
    const OpTensor *const out_items[2] = {&out_0_tensor, &out_1_tensor};
    const OpTensorList out_list = {out_items, 2};
    ForeachAddcdivScalarListArguments arguments;
    arguments.x1 = &x1_list;
    arguments.x2 = &x2_list;
    arguments.x3 = &x3_list;
    arguments.scalars = &scalars_tensor;
    arguments.out = &out_list;
    good = good && callForeachAddcdivScalarList(&arguments, stream, allocate, &memory[9]) == 0;
}

static void printFloat(const char *name, const float *values, size_t count)
{
    printf("%s:", name);
    for (size_t i = 0; i < count && i < 8; ++i) {
        printf(" %g", (double)values[i]);
    }
    printf("%s\n", count > 8 ? " ..." : "");
}

int main(void)
{
    aclrtStream stream = NULL;
    const bool initialised = succeeded("aclInit", "", aclInit(NULL));
    const bool set = initialised && succeeded("aclrtSetDevice", "", aclrtSetDevice(0));
    good = set && succeeded("aclrtCreateStream", "", aclrtCreateStream(&stream));
    if (good) {
        callOperator(stream);
        good = succeeded("aclrtSynchronizeStream", "", aclrtSynchronizeStream(stream)) && good;
    }
    good = good && succeeded("aclrtMemcpy", "out_0", aclrtMemcpy(out_0_data, sizeof out_0_data, memory[7],
        sizeof out_0_data, ACL_MEMCPY_DEVICE_TO_HOST));
    good = good && succeeded("aclrtMemcpy", "out_1", aclrtMemcpy(out_1_data, sizeof out_1_data, memory[8],
        sizeof out_1_data, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int i = 0; i < 10; ++i) {
        good = (memory[i] == NULL || succeeded("aclrtFree", "", aclrtFree(memory[i]))) && good;
    }
    good = (stream == NULL || succeeded("aclrtDestroyStream", "", aclrtDestroyStream(stream))) && good;
    good = (!set || succeeded("aclrtResetDevice", "", aclrtResetDevice(0))) && good;
    good = (!initialised || succeeded("aclFinalize", "", aclFinalize())) && good;
    if (good) {
        printFloat("out_0", out_0_data, 6);
        printFloat("out_1", out_1_data, 4);
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
