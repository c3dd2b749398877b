/* Process, devices, contexts, streams, events, callbacks, values. */
#define _POSIX_C_SOURCE 200809L
#include "scenario.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acl/acl_op_compiler.h"
#include "opspec_rules.h"
#include "sim.h"

static void process(void)
{
    uint64_t left = 9;
    int32_t version[3] = {0};
    IS(aclFinalize(), ACL_ERROR_UNINITIALIZE);
    OK(aclInit("/no/such/file.json"));
    IS(aclInit(NULL), ACL_ERROR_REPEAT_INITIALIZE);
    OK(aclFinalizeReference(&left));
    IS(left, 1);
    OK(aclFinalizeReference(&left));
    IS(left, 0);
    IS(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
    OK(aclInit(NULL));
    OK(aclrtGetVersion(&version[0], &version[1], &version[2]));
    IS(version[0], 1);
    OK(aclFinalize());
}

static void errors(void)
{
    uint32_t count = 0;
    begin();
    IS(aclGetRecentErrMsg() == NULL, 1);
    OK(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
    IS(aclrtGetDeviceCount(NULL), ACL_ERROR_INVALID_PARAM);
    IS(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
    OK(aclrtGetDeviceCount(&count));
    IS(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
    OK(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    OK(strcmp(aclGetRecentErrMsg(), "aclrtGetDeviceCount: count is null"));
    IS(aclGetRecentErrMsg() == NULL, 1);
    IS(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
    IS(strstr(aclGetRecentErrMsg(), "99") != NULL, 1);
    end();
}

static void machine(void)
{
    uint32_t count = 0;
    int32_t can = 0;
    int64_t value = 0;
    aclrtRunMode mode = ACL_DEVICE;
    aclrtDeviceStatus status;
    const char *wanted = getenv("OPSPEC_SOC_NAME");
    begin();
    OK(aclrtGetDeviceCount(&count));
    printf("%s %d %d %u\n", aclrtGetSocName(), (int)sim_product(), (int)sim_member(), count);
    OK(strcmp(aclrtGetSocName(), wanted != NULL ? wanted : "Ascend910B4"));
    OK(aclrtGetRunMode(&mode));
    IS(mode, ACL_HOST);
    OK(aclrtQueryDeviceStatus(1, &status));
    IS(aclrtQueryDeviceStatus((int32_t)count, &status), ACL_ERROR_RT_INVALID_DEVICEID);
    OK(aclrtDeviceCanAccessPeer(&can, 0, 1));
    IS(can, 1);
    OK(aclrtDeviceEnablePeerAccess(1, 0));
    OK(aclrtDeviceDisablePeerAccess(1));
    OK(aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &value));
    IS(value > 0, 1);
    end();
}

/* Programs set a device twice and reset it once or twice: neither is told. */
static void devices(void)
{
    int32_t device = -1;
    aclrtStream stream;
    OK(aclInit(NULL));
    IS(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    IS(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_NULL);
    IS(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
    for (int times = 1; times <= 2; times++) {
        OK(aclrtSetDevice(3));
        OK(aclrtSetDevice(3));
        OK(aclrtGetDevice(&device));
        IS(device, 3);
        for (int i = 0; i < times; i++)
            OK(aclrtResetDevice(3));
        IS(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
        IS(sim_device_is_set(), 0);
    }
    OK(aclrtSetDevice(2));
    OK(aclrtSetDevice(2));
    OK(aclrtCreateStream(&stream));
    IS(sim_stream_is_live(stream), 1);
    OK(aclrtResetDeviceForce(2)); /* a warning: the stream goes with it */
    IS(sim_stream_is_live(stream), 0);
    OK(aclFinalize());
}

static void contexts(void)
{
    aclrtContext first = NULL, second = NULL, found = NULL, standard = NULL;
    aclrtStream stream;
    int32_t device = -1;
    int64_t value = 5;
    begin();
    OK(aclrtGetCurrentContext(&standard));
    OK(aclrtCreateStream(&stream));
    IS(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
    OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
    OK(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    IS(value, 1);
    OK(aclrtSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 3));
    OK(aclrtGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &value));
    IS(value, 3);
    IS(aclrtSetSysParamOpt((aclSysParamOpt)3, 3), ACL_ERROR_INVALID_PARAM);
    OK(aclrtCreateContext(&first, 1));
    OK(aclrtGetDevice(&device));
    IS(device, 1);
    IS(aclrtSynchronizeStream(stream), ACL_ERROR_RT_STREAM_CONTEXT); /* of another context: told */
    OK(aclrtCreateContext(&second, 1));
    OK(aclrtGetCurrentContext(&found));
    IS(found == second, 1);
    OK(aclrtSetCurrentContext(standard));
    OK(aclrtSynchronizeStream(stream));
    IS(aclrtDestroyContext(standard), ACL_ERROR_RT_PARAM_INVALID);
    OK(aclrtDestroyContext(second));
    OK(aclrtSetCurrentContext(first));
    OK(aclrtDestroyContext(first));
    OK(aclrtGetDevice(&device)); /* the device that was set again */
    IS(device, 0);
    IS(aclrtSetCurrentContext(first), ACL_ERROR_RT_CONTEXT_NULL); /* told */
    IS(aclrtDestroyContext(first), ACL_ERROR_RT_CONTEXT_NULL);    /* told */
    IS(aclrtDestroyContext(&device), ACL_ERROR_RT_CONTEXT_NULL);  /* told */
    IS(aclrtDestroyContext(NULL), ACL_ERROR_INVALID_PARAM);
    OK(aclrtDestroyStream(stream));
    end();
}

static void streams(void)
{
    aclrtStream stream = NULL;
    aclrtStreamStatus status;
    uint32_t value = 9;
    int32_t id = -1, nothing = 0;
    IS(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
    IS(aclrtSynchronizeStream(NULL), ACL_ERROR_RT_CONTEXT_NULL);
    begin();
    IS(aclrtCreateStreamWithConfig(&stream, 0, 0x8000), ACL_ERROR_INVALID_PARAM);
    OK(aclrtCreateStreamWithConfig(&stream, 3, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC));
    OK(aclrtStreamGetPriority(stream, &value));
    IS(value, 3);
    OK(aclrtStreamGetFlags(stream, &value));
    IS(value, 3);
    OK(aclrtStreamGetId(stream, &id));
    IS(id > 0, 1);
    OK(aclrtSetStreamOverflowSwitch(stream, 1));
    OK(aclrtGetStreamOverflowSwitch(stream, &value));
    IS(value, 1);
    OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
    IS(aclrtSetStreamFailureMode(stream, 2), ACL_ERROR_INVALID_PARAM);
    OK(aclrtStreamQuery(NULL, &status));
    IS(aclrtSynchronizeStreamWithTimeout(stream, -2), ACL_ERROR_INVALID_PARAM);
    OK(aclrtSynchronizeDeviceWithTimeout(0));
    OK(aclrtDestroyStream(stream));
    IS(aclrtSynchronizeStream(stream), ACL_ERROR_RT_STREAM_CONTEXT);                                   /* told */
    IS(aclrtDestroyStream(stream), ACL_ERROR_RT_STREAM_CONTEXT);                                       /* told */
    IS(aclrtMemcpyAsync(&id, 4, &value, 4, ACL_MEMCPY_HOST_TO_HOST, stream), ACL_ERROR_RT_STREAM_CONTEXT); /* told */
    IS(aclrtSynchronizeStream(&nothing), ACL_ERROR_RT_STREAM_CONTEXT);                                 /* told */
    IS(aclrtSynchronizeStream((void *)5), ACL_ERROR_RT_STREAM_CONTEXT);                                /* told */
    IS(aclrtDestroyStream(NULL), ACL_ERROR_INVALID_PARAM);
    for (int i = 0; i < 10000; i++) { /* what is kept of destroyed ones is bounded */
        OK(aclrtCreateStream(&stream));
        OK(aclrtDestroyStreamForce(stream));
    }
    end();
}

static void events(void)
{
    aclrtEvent first, second, third;
    aclrtEventRecordedStatus recorded;
    aclrtEventStatus old;
    aclrtEventWaitStatus waited;
    float ms = -1;
    uint64_t stamp = 0;
    begin();
    OK(aclrtCreateEvent(&first));
    OK(aclrtCreateEventWithFlag(&second, ACL_EVENT_TIME_LINE));
    OK(aclrtCreateEventExWithFlag(&third, ACL_EVENT_SYNC));
    IS(aclrtCreateEventWithFlag(&third, 0x800), ACL_ERROR_INVALID_PARAM);
    OK(aclrtQueryEventStatus(first, &recorded));
    IS(recorded, ACL_EVENT_RECORDED_STATUS_NOT_READY);
    IS(aclrtEventElapsedTime(&ms, first, second), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
    OK(aclrtRecordEvent(first, NULL));
    OK(aclrtRecordEvent(second, NULL));
    OK(aclrtStreamWaitEventWithTimeout(NULL, first, 100));
    OK(aclrtSynchronizeEvent(second));
    OK(aclrtSynchronizeEventWithTimeout(first, 0));
    OK(aclrtQueryEvent(second, &old));
    IS(old, ACL_EVENT_STATUS_COMPLETE);
    OK(aclrtQueryEventWaitStatus(second, &waited));
    IS(waited, ACL_EVENT_WAIT_STATUS_COMPLETE);
    OK(aclrtEventElapsedTime(&ms, first, second));
    IS(ms >= 0 && ms < 1000, 1);
    IS(aclrtEventElapsedTime(&ms, second, first), ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL);
    OK(aclrtEventGetTimestamp(first, &stamp));
    OK(aclrtResetEvent(first, NULL));
    OK(aclrtQueryEventStatus(first, &recorded));
    IS(recorded, ACL_EVENT_RECORDED_STATUS_NOT_READY);
    OK(aclrtDestroyEvent(first));
    IS(aclrtRecordEvent(first, NULL), ACL_ERROR_RT_INVALID_HANDLE); /* told */
    IS(aclrtDestroyEvent(first), ACL_ERROR_RT_INVALID_HANDLE);      /* told */
    IS(aclrtSynchronizeEvent(&ms), ACL_ERROR_RT_INVALID_HANDLE);    /* told */
    OK(aclrtDestroyEvent(second));
    OK(aclrtDestroyEvent(third));
    end();
}

/* --- callbacks ---------------------------------------------------------------------------------------------------- */

typedef struct {
    pthread_mutex_t lock;
    int called;
    int stop;
} counter;

static void count(void *data)
{
    counter *c = data;
    pthread_mutex_lock(&c->lock);
    c->called++;
    pthread_mutex_unlock(&c->lock);
}

static void *report(void *data)
{
    counter *c = data;
    for (int stop = 0; !stop;) {
        (void)aclrtProcessReport(20);
        pthread_mutex_lock(&c->lock);
        stop = c->stop;
        pthread_mutex_unlock(&c->lock);
    }
    return NULL;
}

static void callbacks(void)
{
    counter c = {.lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread;
    aclrtStream stream;
    aclrtStreamStatus status;
    aclrtEvent event;
    begin();
    OK(aclrtCreateStream(&stream));
    OK(aclrtCreateEvent(&event));
    OK(aclrtLaunchHostFunc(stream, count, &c));
    IS(c.called, 1);
    IS(aclrtLaunchCallback(count, &c, ACL_CALLBACK_BLOCK, stream), ACL_ERROR_RT_STREAM_NO_CB_REG);
    IS(aclrtProcessReport(1), ACL_ERROR_THREAD_NOT_SUBSCRIBE);
    OK(aclrtSubscribeReport((uint64_t)pthread_self(), stream));
    IS(aclrtSubscribeReport((uint64_t)pthread_self(), stream), ACL_ERROR_REPEAT_SUBSCRIBE);
    OK(aclrtLaunchCallback(count, &c, ACL_CALLBACK_BLOCK, stream));
    OK(aclrtRecordEvent(event, stream));
    OK(aclrtStreamQuery(stream, &status));
    IS(status, ACL_STREAM_STATUS_NOT_READY);
    IS(aclrtSynchronizeStreamWithTimeout(stream, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    IS(aclrtSynchronizeEventWithTimeout(event, 1), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
    IS(aclrtSynchronizeDeviceWithTimeout(1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    OK(aclrtProcessReport(1000));
    IS(c.called, 2);
    OK(aclrtSynchronizeEvent(event));
    IS(aclrtProcessReport(1), ACL_ERROR_WAIT_CALLBACK_TIMEOUT);
    OK(aclrtUnSubscribeReport((uint64_t)pthread_self(), stream));
    OK(pthread_create(&thread, NULL, report, &c));
    OK(aclrtSubscribeReport((uint64_t)thread, stream));
    for (int i = 0; i < 50; i++)
        OK(aclrtLaunchCallback(count, &c, ACL_CALLBACK_NO_BLOCK, stream));
    OK(aclrtSynchronizeStream(stream));
    pthread_mutex_lock(&c.lock);
    IS(c.called, 52);
    c.stop = 1;
    pthread_mutex_unlock(&c.lock);
    OK(pthread_join(thread, NULL));
    OK(aclrtUnSubscribeReport((uint64_t)thread, stream));
    OK(aclrtDestroyEvent(event));
    OK(aclrtDestroyStream(stream));
    end();
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static float from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void values(void)
{
    char text[8];
    aclDataBuffer *buffer;
    IS(aclDataTypeSize(ACL_FLOAT16), 2);
    IS(aclDataTypeSize(ACL_COMPLEX128), 16);
    IS(aclDataTypeSize(ACL_BOOL), 1);
    IS(aclDataTypeSize(ACL_DT_UNDEFINED), 0);
    for (uint32_t half = 0; half <= 0xFFFF; half++) { /* there and back */
        const float value = aclFloat16ToFloat((aclFloat16)half);
        IS(isnan(value) ? 0x7E00 : aclFloatToFloat16(value),
            (half & 0x7FFF) > 0x7C00 ? 0x7E00 : half);
    }
    IS(aclFloat16ToFloat(0x3C00) == 1.0f && aclFloat16ToFloat(0x0001) == 0x1p-24f, 1);
    IS(aclFloatToFloat16(65504.0f), 0x7BFF);
    IS(aclFloatToFloat16(65519.996f), 0x7BFF);
    IS(aclFloatToFloat16(65520.0f), 0x7C00);
    IS(aclFloatToFloat16(from_bits(0x33000000)), 0); /* half of the smallest: to even */
    IS(aclFloatToFloat16(from_bits(0x33000001)), 1);
    IS(aclFloatToFloat16(-1.00048828125f), 0xBC00); /* half way: to even */
    IS(aclFloatToFloat16(1.00146484375f), 0x3C02);
    OK(aclSetCompileopt(ACL_OP_JIT_COMPILE, "disable"));
    IS(aclGetCompileoptSize(ACL_OP_JIT_COMPILE), 8);
    OK(aclGetCompileopt(ACL_OP_JIT_COMPILE, text, 8));
    OK(strcmp(text, "disable"));
    IS(aclGetCompileopt(ACL_OP_JIT_COMPILE, text, 7), ACL_ERROR_INVALID_PARAM);
    IS(aclSetCompileopt((aclCompileOpt)99, "x"), ACL_ERROR_INVALID_PARAM);
    IS(aclSetCompileopt(ACL_OP_JIT_COMPILE, NULL), ACL_ERROR_INVALID_PARAM);
    buffer = aclCreateDataBuffer(text, 8);
    IS(aclGetDataBufferAddr(buffer) == text && aclGetDataBufferSizeV2(buffer) == 8, 1);
    OK(aclUpdateDataBuffer(buffer, text + 1, 7));
    IS(aclGetDataBufferSizeV2(buffer), 7);
    OK(aclDestroyDataBuffer(buffer));
    IS(aclDestroyDataBuffer(buffer), ACL_ERROR_INVALID_PARAM); /* told */
    aclAppLog(ACL_INFO, __func__, __FILE__, __LINE__, "%s", "not shown");
}

/* --- threads and processes ---------------------------------------------------------------------------------------- */

static void *work(void *data)
{
    char host[64];
    aclrtStream stream;
    void *blocks[8];
    OK(aclrtSetDevice(*(int *)data % 2));
    for (int round = 0; round < 20; round++) {
        OK(aclrtCreateStream(&stream));
        for (int i = 0; i < 8; i++) {
            blocks[i] = device_memory(64);
            OK(aclrtMemsetAsync(blocks[i], 64, i, 64, stream));
        }
        OK(aclrtSynchronizeStream(stream));
        for (int i = 0; i < 8; i++) {
            OK(aclrtMemcpy(host, 64, blocks[i], 64, ACL_MEMCPY_DEVICE_TO_HOST));
            IS(host[63], i);
            OK(aclrtFree(blocks[i]));
        }
        IS(aclrtFree(host), ACL_ERROR_RT_PARAM_INVALID); /* each thread has its own message */
        IS(strstr(aclGetRecentErrMsg(), "aclrtFree") != NULL, 1);
        OK(aclrtDestroyStream(stream));
    }
    OK(aclrtResetDevice(*(int *)data % 2));
    return NULL;
}

static void threads(void)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    int numbers[THREADS];
    OK(aclInit(NULL));
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        OK(pthread_create(&thread[i], NULL, work, &numbers[i]));
    }
    for (int i = 0; i < THREADS; i++)
        OK(pthread_join(thread[i], NULL));
    OK(aclFinalize());
}

/* A context of the main thread, used by another one, as programs with a thread per rank do. */
static aclrtContext shared_context;

static void *use_context(void *data)
{
    int32_t device;
    void *block = NULL;
    IS(aclrtMalloc(&block, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_CONTEXT_NULL);
    OK(aclrtSetCurrentContext(shared_context));
    OK(aclrtGetDevice(&device));
    IS(device, 5);
    OK(aclrtSynchronizeStreamWithTimeout(data, 10000));
    OK(aclrtFree(device_memory(8)));
    OK(aclrtDestroyStream(data));
    OK(aclrtDestroyContext(shared_context));
    OK(aclrtResetDevice(5));
    return NULL;
}

static void context_of_another_thread(void)
{
    pthread_t thread;
    aclrtStream stream;
    OK(aclInit(NULL));
    OK(aclrtSetDevice(5));
    OK(aclrtCreateContext(&shared_context, 5));
    OK(aclrtCreateStream(&stream));
    OK(pthread_create(&thread, NULL, use_context, stream));
    OK(pthread_join(thread, NULL));
    OK(aclFinalize());
}

/* What the parent still holds when a child ends is not the child's leak. */
static void fork_child(void)
{
    int status = 1;
    begin();
    void *block = device_memory(8);
    const pid_t child = fork();
    if (child == 0)
        exit(0);
    IS(waitpid(child, &status, 0) == child && status == 0, 1);
    OK(aclrtFree(block));
    end();
}

static void without_init(void)
{
    OK(aclrtSetDevice(0));
    OK(aclrtFree(device_memory(8)));
    OK(aclrtResetDevice(0));
}

int main(int argc, char **argv)
{
    static const scenario list[] = {{"process", process}, {"errors", errors}, {"machine", machine},
        {"devices", devices}, {"contexts", contexts}, {"streams", streams}, {"events", events},
        {"callbacks", callbacks}, {"values", values}, {"threads", threads},
        {"context_of_another_thread", context_of_another_thread}, {"fork", fork_child},
        {"without_init", without_init}};
    return run_scenario(list, sizeof list / sizeof list[0], argc, argv);
}
