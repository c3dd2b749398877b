/* Device memory: what is right, and what is told. */
#include "scenario.h"

#include <stdint.h>

#include "sim.h"

/* A whole life that nothing is to be told of. */
static void clean(void)
{
    aclrtStream stream = NULL;
    char text[64] = "there and back", back[64] = "";
    begin();
    OK(aclrtCreateStream(&stream));
    void *first = device_memory(64), *second = device_memory(64), *host = NULL;
    IS((uintptr_t)first % 512, 0);
    OK(aclrtMallocHost(&host, 64));
    OK(aclrtMemcpy(first, 64, text, 64, ACL_MEMCPY_HOST_TO_DEVICE));
    OK(aclrtMemcpyAsync(second, 64, first, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    OK(aclrtMemcpyAsync(host, 64, second, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    OK(aclrtSynchronizeStream(stream));
    OK(aclrtMemcpy(back, 64, second, 64, ACL_MEMCPY_DEFAULT));
    OK(strcmp(back, text));
    OK(memcmp(host, text, 64));
    OK(aclrtMemset(first, 64, 7, 32));
    OK(aclrtMemsetAsync(second, 64, 9, 64, stream));
    OK(aclrtSynchronizeDevice());
    OK(aclrtMemcpy(back, 64, first, 64, ACL_MEMCPY_DEVICE_TO_HOST));
    IS(back[31] == 7 && back[32] == text[32], 1);
    OK(aclrtMemcpy2d(back, 8, second, 16, 4, 4, ACL_MEMCPY_DEVICE_TO_HOST));
    IS(back[8] == 9 && back[7] == 7 && back[27] == 9, 1);
    OK(aclrtMemcpy2dAsync(first, 16, back, 8, 8, 4, ACL_MEMCPY_HOST_TO_DEVICE, NULL));
    OK(aclrtSynchronizeStreamWithTimeout(NULL, 1000));
    OK(aclrtFree(first));
    OK(aclrtFree(second));
    OK(aclrtFreeHost(host));
    OK(aclrtDestroyStream(stream));
    end();
}

static void statuses(void)
{
    void *address = NULL;
    char host[8] = "";
    IS(aclrtMalloc(&address, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_CONTEXT_NULL);
    begin();
    IS(aclrtMalloc(NULL, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
    IS(aclrtMalloc(&address, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
    IS(aclrtMalloc(&address, 8, (aclrtMemMallocPolicy)99), ACL_ERROR_INVALID_PARAM);
    OK(aclrtMalloc(&address, 8, (aclrtMemMallocPolicy)(ACL_MEM_MALLOC_HUGE_ONLY | ACL_MEM_TYPE_HIGH_BAND_WIDTH)));
    void *second = address;
    IS(aclrtMemcpy(NULL, 8, host, 8, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
    IS(aclrtMemcpy(second, 8, NULL, 8, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
    IS(aclrtMemcpy(second, 8, host, 8, (aclrtMemcpyKind)77), ACL_ERROR_INVALID_PARAM);
    IS(aclrtMemcpy(second, 8, host, 0, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemcpy(second, 4, host, 8, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemset(second, 4, 0, 8), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemcpy2d(second, 4, host, 4, 8, 1, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
    IS(aclrtMemcpy2d(second, 4, host, 4, 4, 0, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
    IS(aclrtFree(NULL), ACL_ERROR_INVALID_PARAM);
    OK(aclrtFree(second));
    end();
}

/* 64 GiB a device, none of which is taken before it is written to. */
static void room(void)
{
    void *blocks[4], *more = NULL;
    size_t left = 0, total = 0;
    begin();
    for (int i = 0; i < 3; i++)
        blocks[i] = device_memory((size_t)20 << 30);
    memset((char *)blocks[2] + ((size_t)20 << 30) - 8, 1, 8);
    IS(aclrtMalloc(&more, (size_t)5 << 30, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION);
    OK(aclrtGetMemInfo(ACL_HBM_MEM, &left, &total));
    IS(left >> 30, 4);
    IS(total >> 30, 64);
    const size_t absurd[] = {SIZE_MAX, SIZE_MAX - 511, SIZE_MAX / 2, (size_t)64 << 30, (size_t)-4096};
    for (int i = 0; i < 5; i++)
        IS(aclrtMalloc(&more, absurd[i], ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION);
    OK(aclrtSetDevice(1));
    blocks[3] = device_memory((size_t)20 << 30);
    for (int i = 0; i < 4; i++)
        OK(aclrtFree(blocks[i]));
    for (int i = 0; i < 1100; i++) { /* what is kept of freed blocks is bounded */
        more = device_memory((size_t)60 << 30);
        memset(more, 1, 100);
        OK(aclrtFree(more));
    }
    OK(aclrtResetDevice(1));
    end();
}

static void out_of_bounds(void)
{
    char host[192] = "";
    size_t left = 99;
    begin();
    char *block = device_memory(100);
    IS(aclrtMemcpy(block, 161, host, 161, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemcpy(host, 128, block + 60, 101, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemcpy2d(host, 8, block, 64, 5, 4, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemcpy2d(host, 8, block, SIZE_MAX / 2, 5, 4, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemset(block - 1, 50, 0, 50), ACL_ERROR_RT_PARAM_INVALID);
    IS(sim_memory_check(block, 100, &left), SIM_MEMORY_VALID);
    IS(left, 100);
    IS(sim_memory_check(block + 90, 10, &left), SIM_MEMORY_VALID);
    IS(sim_memory_check(block + 90, 11, &left), SIM_MEMORY_PAST_SIZE);
    IS(left, 10);
    IS(sim_memory_check(block + 100, 60, &left), SIM_MEMORY_PAST_SIZE);
    IS(left, 0);
    IS(sim_memory_check(block + 90, 71, &left), SIM_MEMORY_PAST_END);
    IS(left, 10);
    IS(sim_memory_check(block + 1, SIZE_MAX, &left), SIM_MEMORY_PAST_END);
    IS(sim_memory_check(block - 1, 1, &left), SIM_MEMORY_PAST_END);
    IS(sim_memory_check(block + 161, 0, &left), SIM_MEMORY_PAST_END);
    IS(sim_memory_check(host, 1, &left), SIM_MEMORY_UNKNOWN);
    IS(sim_memory_check(NULL, 0, NULL), SIM_MEMORY_UNKNOWN);
    OK(aclrtFree(block));
    IS(sim_memory_check(block, 1, NULL), SIM_MEMORY_FREED);
    end();
}

/* aclrtMalloc gives 32 bytes more than the next multiple of 32, aclrtMallocAlign32 that multiple, host memory nothing:
 * what is used of it is told, and done as on a device. */
static void rounding(void)
{
    char host[128] = "";
    void *aligned = NULL, *pinned = NULL;
    begin();
    char *block = device_memory(16), *watched = device_memory(16), *full = device_memory(32);
    OK(aclrtMallocAlign32(&aligned, 16, ACL_MEM_MALLOC_HUGE_FIRST));
    OK(aclrtMallocHost(&pinned, 16));
    host[63] = 5;
    OK(aclrtMemcpy(block, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE));
    IS(block[63], 5);
    IS(aclrtMemcpy(block, 65, host, 65, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
    OK(aclrtMemset(full, 64, 0, 64));
    OK(aclrtMemcpy(aligned, 32, host, 32, ACL_MEMCPY_HOST_TO_DEVICE));
    IS(aclrtMemcpy(aligned, 33, host, 33, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemcpy(pinned, 17, host, 17, ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
    watched[16] = 1; /* by the host, seen when it is freed */
    OK(aclrtFree(watched));
    OK(aclrtFree(block));
    OK(aclrtFree(full));
    OK(aclrtFree(aligned));
    OK(aclrtFreeHost(pinned));
    end();
}

/* Host code that writes to device memory itself, past its end: seen at the next chance. */
static void red_zones(void)
{
    begin();
    char *first = device_memory(100), *second = device_memory(100), *third = device_memory(100);
    first[160] = 1;
    OK(aclrtSynchronizeDevice());
    OK(aclrtSynchronizeDevice());
    second[-3] = 1;
    OK(aclrtFree(second));
    third[671] = 1;
    OK(aclrtFree(first));
    OK(aclrtResetDevice(0));
    OK(aclFinalize());
}

static void use_after_free(void)
{
    char host[64] = "";
    begin();
    char *block = device_memory(64);
    OK(aclrtFree(block));
    IS(aclrtMemcpy(block, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemcpy(host, 64, block, 64, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemcpy(host, 64, block, 64, ACL_MEMCPY_DEFAULT), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemset(block, 64, 0, 64), ACL_ERROR_RT_PARAM_INVALID);
    block[5] = 1; /* by the host, seen at exit */
    end();
}

static void wrong_free(void)
{
    int local = 0;
    void *host = NULL;
    begin();
    char *block = device_memory(64);
    OK(aclrtMallocHost(&host, 8));
    IS(aclrtFree(block + 8), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtFree(&local), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtFree(host), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtFreeHost(block), ACL_ERROR_RT_PARAM_INVALID);
    OK(aclrtFree(block));
    IS(aclrtFree(block), ACL_ERROR_RT_PARAM_INVALID);
    OK(aclrtFreeHost(host));
    IS(aclrtFreeHost(host), ACL_ERROR_RT_PARAM_INVALID);
    end();
}

static void confusion(void)
{
    char host[64] = "";
    void *pinned = NULL;
    begin();
    char *block = device_memory(64);
    OK(aclrtMallocHost(&pinned, 64));
    OK(aclrtMemcpy(host, 64, pinned, 64, ACL_MEMCPY_DEVICE_TO_HOST));
    OK(aclrtMemcpy(host, 64, host, 64, ACL_MEMCPY_DEVICE_TO_HOST));
    OK(aclrtMemcpy(block, 64, block, 64, ACL_MEMCPY_HOST_TO_DEVICE));
    OK(aclrtMemcpy(host, 64, block, 64, ACL_MEMCPY_HOST_TO_HOST));
    OK(aclrtMemcpyAsync(block, 64, block, 64, ACL_MEMCPY_HOST_TO_DEVICE, NULL));
    OK(aclrtSynchronizeStream(NULL));
    OK(aclrtMemcpy2d(block, 8, block, 8, 8, 2, ACL_MEMCPY_DEVICE_TO_HOST));
    IS(aclrtMemcpy(host, 64, (void *)64, 64, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemcpy((void *)-64, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
    IS(aclrtMemcpy(pinned, 65, host, 65, ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
    OK(aclrtMemcpy(pinned, 64, host, 64, ACL_MEMCPY_HOST_TO_HOST));
    aclrtPtrAttributes about;
    OK(aclrtPointerGetAttributes(block, &about));
    IS(about.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    OK(aclrtPointerGetAttributes(pinned, &about));
    IS(about.location.type, ACL_MEM_LOCATION_TYPE_HOST);
    OK(aclrtPointerGetAttributes(host, &about));
    IS(about.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    OK(aclrtFree(block));
    OK(aclrtFreeHost(pinned));
    end();
}

static void leaks(void)
{
    void *host = NULL;
    aclrtStream stream = NULL;
    aclrtEvent event = NULL;
    aclrtContext context = NULL;
    begin();
    (void)device_memory(64);
    (void)device_memory(1234);
    OK(aclrtMallocHost(&host, 5));
    OK(aclrtCreateContext(&context, 1));
    OK(aclrtCreateStream(&stream));
    OK(aclrtCreateEvent(&event));
    IS(aclCreateDataBuffer(host, 5) != NULL, 1);
}

static void *kept; /* freed behind main */

__attribute__((destructor)) static void free_kept(void)
{
    if (kept == NULL)
        return;
    OK(aclrtFree(kept));
    end();
}

static void freed_late(void)
{
    begin();
    kept = device_memory(64);
}

static void written(const void *address, size_t size, const void *stream)
{
    const sim_use use = {.address = address, .size = size, .writes = true, .whole = true, .work = "op", .what = "out"};
    sim_memory_use(&use, stream);
}

static void unsynchronised(void)
{
    char host[64] = "";
    aclrtStream first, second;
    aclrtEvent event;
    aclrtStreamStatus status;
    begin();
    OK(aclrtCreateStream(&first));
    OK(aclrtCreateStreamWithConfig(&second, 1, ACL_STREAM_FAST_LAUNCH));
    OK(aclrtCreateEvent(&event));
    char *block = device_memory(64);
    written(block, 16, first);
    OK(aclrtMemcpy(host, 48, block + 16, 48, ACL_MEMCPY_DEVICE_TO_HOST)); /* other bytes */
    OK(aclrtMemcpy(host, 64, block, 64, ACL_MEMCPY_DEVICE_TO_HOST));      /* told: 1 */
    OK(aclrtSynchronizeStream(second));
    OK(aclrtMemcpy(host, 64, block, 64, ACL_MEMCPY_DEVICE_TO_HOST)); /* told: 2 */
    OK(aclrtRecordEvent(event, first));
    OK(aclrtStreamWaitEvent(second, event));
    OK(aclrtSynchronizeStream(second));
    OK(aclrtMemcpy(host, 64, block, 64, ACL_MEMCPY_DEVICE_TO_HOST)); /* behind the other stream's wait */
    written(block, 64, NULL);
    written(block, 64, first); /* a warning: perhaps the default stream is waited for */
    OK(aclrtRecordEvent(event, first));
    OK(aclrtSynchronizeEvent(event));
    OK(aclrtMemcpy(host, 64, block, 64, ACL_MEMCPY_DEVICE_TO_HOST)); /* told: 3, of the default stream */
    OK(aclrtSynchronizeStream(NULL));
    OK(aclrtMemcpy(host, 64, block, 64, ACL_MEMCPY_DEVICE_TO_HOST));
    OK(aclrtMemcpyAsync(block, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, first));
    OK(aclrtStreamQuery(first, &status));
    IS(status, ACL_STREAM_STATUS_COMPLETE);
    OK(aclrtMemcpy(host, 64, block, 64, ACL_MEMCPY_DEVICE_TO_HOST));
    OK(aclrtMemsetAsync(block, 64, 1, 64, first));
    OK(aclrtFree(block)); /* told */
    OK(aclrtDestroyEvent(event));
    OK(aclrtDestroyStream(first));
    OK(aclrtDestroyStream(second));
    end();
}

int main(int argc, char **argv)
{
    static const scenario list[] = {{"clean", clean}, {"statuses", statuses}, {"room", room},
        {"out_of_bounds", out_of_bounds}, {"rounding", rounding}, {"red_zones", red_zones}, {"use_after_free", use_after_free},
        {"wrong_free", wrong_free}, {"confusion", confusion}, {"leaks", leaks}, {"freed_late", freed_late},
        {"unsynchronised", unsynchronised}};
    return run_scenario(list, sizeof list / sizeof list[0], argc, argv);
}
