/* What streams and the host do with the same memory: in order, and not. Of each mistake the right way is beside it. */
#include <pthread.h>

#include "scenario.h"

enum { SIZE = 64 };
static aclrtStream first, second, third;
static aclrtEvent event;
static char *block, *other, *host;

static void start(void)
{
    begin();
    OK(aclrtCreateStream(&first));
    OK(aclrtCreateStream(&second));
    OK(aclrtCreateStream(&third));
    OK(aclrtCreateEvent(&event));
    block = device_memory(SIZE);
    other = device_memory(SIZE);
    OK(aclrtMallocHost((void **)&host, SIZE));
    memset(host, 1, SIZE);
}

static void stop(void)
{
    OK(aclrtSynchronizeDevice());
    if (block != NULL)
        OK(aclrtFree(block));
    OK(aclrtFree(other));
    if (host != NULL)
        OK(aclrtFreeHost(host));
    OK(aclrtDestroyEvent(event));
    OK(aclrtDestroyStream(first));
    OK(aclrtDestroyStream(second));
    OK(aclrtDestroyStream(third));
    end();
}

static void write_in(aclrtStream stream) { OK(aclrtMemsetAsync(block, SIZE, 1, SIZE, stream)); }

static void read_in(aclrtStream stream)
{
    OK(aclrtMemcpyAsync(other, SIZE, block, SIZE, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
}

static void to_device(aclrtStream stream)
{
    OK(aclrtMemcpyAsync(block, SIZE, host, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

static void to_host(aclrtStream stream)
{
    OK(aclrtMemcpyAsync(host, SIZE, block, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, stream));
}

/* --- two streams -------------------------------------------------------------------------------------------------- */

static void read_behind_write(void)
{
    start();
    write_in(first);
    read_in(second); /* told */
    stop();
}

static void write_behind_read(void)
{
    start();
    read_in(first);
    write_in(second); /* told */
    stop();
}

static void write_behind_write(void)
{
    start();
    write_in(first);
    write_in(second); /* told */
    stop();
}

static void event_too_early(void)
{
    start();
    OK(aclrtRecordEvent(event, first));
    write_in(first);
    OK(aclrtStreamWaitEvent(second, event));
    read_in(second); /* told: the event was recorded before */
    stop();
}

static void other_stream_waits(void)
{
    start();
    write_in(first);
    OK(aclrtRecordEvent(event, first));
    OK(aclrtStreamWaitEvent(third, event));
    read_in(second); /* told */
    stop();
}

static void default_stream(void)
{
    start();
    write_in(NULL);
    read_in(first); /* a warning */
    stop();
}

static void event_between(void)
{
    start();
    write_in(first);
    OK(aclrtRecordEvent(event, first));
    OK(aclrtStreamWaitEvent(second, event));
    read_in(second);
    OK(aclrtRecordEvent(event, second));
    OK(aclrtStreamWaitEvent(third, event));
    write_in(third); /* behind both */
    stop();
}

static void host_between(void)
{
    aclrtStreamStatus status;
    start();
    write_in(first);
    OK(aclrtSynchronizeStream(first));
    read_in(second);
    OK(aclrtRecordEvent(event, second));
    OK(aclrtSynchronizeEvent(event));
    write_in(third);
    OK(aclrtStreamQuery(third, &status));
    write_in(NULL);
    OK(aclrtSynchronizeDevice());
    write_in(first);
    stop();
}

static void nothing_written(void)
{
    char *more = NULL;
    start();
    more = device_memory(SIZE);
    read_in(first);
    OK(aclrtMemcpyAsync(more, SIZE, block, SIZE, ACL_MEMCPY_DEVICE_TO_DEVICE, second));
    OK(aclrtSynchronizeDevice());
    OK(aclrtFree(more));
    stop();
}

static void other_bytes(void)
{
    start();
    OK(aclrtMemsetAsync(block, SIZE, 1, SIZE / 2, first));
    OK(aclrtMemsetAsync(block + SIZE / 2, SIZE / 2, 1, SIZE / 2, second));
    stop();
}

static void columns(size_t place)
{
    start();
    OK(aclrtMemcpy2dAsync(block, 16, other, 16, 4, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, first));
    OK(aclrtMemcpy2dAsync(block + place, 16, other, 16, 4, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, second));
    stop();
}

static void other_columns(void) { columns(8); }
static void same_columns(void) { columns(0); } /* told */

/* More streams than a clock has room for at first. */
static void many_streams(void)
{
    enum { MANY = 100 };
    aclrtStream streams[MANY];
    start();
    for (int i = 0; i < MANY; i++) {
        OK(aclrtCreateStream(&streams[i]));
        if (i > 0)
            OK(aclrtStreamWaitEvent(streams[i], event));
        write_in(streams[i]);
        OK(aclrtRecordEvent(event, streams[i]));
    }
    OK(aclrtSynchronizeStream(streams[MANY - 1]));
    OK(aclrtFree(block));
    block = NULL;
    for (int i = 0; i < MANY; i++)
        OK(aclrtDestroyStream(streams[i]));
    stop();
}

/* --- freed -------------------------------------------------------------------------------------------------------- */

static void free_read(void)
{
    start();
    read_in(first);
    OK(aclrtFree(block)); /* told */
    block = NULL;
    stop();
}

static void free_host(void)
{
    start();
    to_device(first);
    OK(aclrtFreeHost(host)); /* told */
    host = NULL;
    stop();
}

static void free_behind(void)
{
    start();
    to_device(first);
    OK(aclrtSynchronizeStream(first));
    OK(aclrtFreeHost(host));
    host = NULL;
    read_in(first);
    OK(aclrtFreeWithDevSync(block));
    block = NULL;
    stop();
}

/* --- the host ----------------------------------------------------------------------------------------------------- */

static void overwrite_host(void)
{
    start();
    to_device(first);
    OK(aclrtMemset(host, SIZE, 2, SIZE)); /* told */
    stop();
}

static void overwrite_device(void)
{
    char text[SIZE] = "";
    start();
    read_in(first);
    OK(aclrtMemcpy(block, SIZE, text, SIZE, ACL_MEMCPY_HOST_TO_DEVICE)); /* told */
    stop();
}

static void read_host(void)
{
    start();
    to_host(first);
    OK(aclrtMemcpy(other, SIZE, host, SIZE, ACL_MEMCPY_HOST_TO_DEVICE)); /* told */
    stop();
}

static void host_behind(void)
{
    start();
    to_device(first);
    OK(aclrtRecordEvent(event, first));
    OK(aclrtSynchronizeEvent(event));
    OK(aclrtMemset(host, SIZE, 2, SIZE));
    to_host(first);
    OK(aclrtSynchronizeStream(first));
    OK(aclrtMemcpy(other, SIZE, host, SIZE, ACL_MEMCPY_HOST_TO_DEVICE));
    stop();
}

/* Memory that the simulator did not give out may be anything by now. */
static void stack(void)
{
    char text[SIZE] = "";
    start();
    OK(aclrtMemcpyAsync(block, SIZE, text, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, first));
    OK(aclrtMemcpy(text, SIZE, other, SIZE, ACL_MEMCPY_DEVICE_TO_HOST));
    stop();
}

/* --- callbacks ---------------------------------------------------------------------------------------------------- */

static void free_block(void *unused)
{
    (void)unused;
    OK(aclrtFree(block));
    block = NULL;
}

static void host_function(void)
{
    start();
    write_in(first);
    OK(aclrtLaunchHostFunc(first, free_block, NULL));
    stop();
}

static void callback(void)
{
    start();
    OK(aclrtSubscribeReport((uint64_t)pthread_self(), first));
    write_in(first);
    OK(aclrtLaunchCallback(free_block, NULL, ACL_CALLBACK_BLOCK, first));
    OK(aclrtProcessReport(1000));
    OK(aclrtUnSubscribeReport((uint64_t)pthread_self(), first));
    stop();
}

int main(int argc, char **argv)
{
    static const scenario list[] = {{"read_behind_write", read_behind_write}, {"write_behind_read", write_behind_read},
        {"write_behind_write", write_behind_write}, {"event_too_early", event_too_early},
        {"other_stream_waits", other_stream_waits}, {"default_stream", default_stream}, {"event_between", event_between},
        {"host_between", host_between}, {"nothing_written", nothing_written}, {"other_bytes", other_bytes},
        {"other_columns", other_columns}, {"same_columns", same_columns}, {"many_streams", many_streams},
        {"free_read", free_read}, {"free_host", free_host}, {"free_behind", free_behind},
        {"overwrite_host", overwrite_host}, {"overwrite_device", overwrite_device}, {"read_host", read_host},
        {"host_behind", host_behind}, {"stack", stack}, {"host_function", host_function}, {"callback", callback}};
    return run_scenario(list, sizeof list / sizeof list[0], argc, argv);
}
