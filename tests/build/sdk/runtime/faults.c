/* A program that checks every status and cleans up, whatever fails. */
#include "scenario.h"

#include "hccl/hccl.h"

static int failed(const char *what, int status)
{
    if (status != 0) {
        const char *message = aclGetRecentErrMsg();
        printf("%s: %d: %s\n", what, status, message != NULL ? message : "");
    }
    return status != 0;
}
#define FAILED(call) failed(#call, (int)(call))

static int copy(void *block, aclrtStream stream)
{
    char host[32] = "";
    if (FAILED(aclrtMemcpy(block, 32, host, 32, ACL_MEMCPY_HOST_TO_DEVICE)))
        return 1;
    if (FAILED(aclrtMemsetAsync(block, 32, 1, 32, stream)))
        return 1;
    return FAILED(aclrtSynchronizeStream(stream));
}

static int communicate(void)
{
    HcclComm comm = NULL;
    char name[128];
    int32_t device = 0;
    if (FAILED(HcclCommInitAll(1, &device, &comm)))
        return 1;
    const int status = FAILED(HcclGetCommName(comm, name));
    return FAILED(HcclCommDestroy(comm)) || status;
}

static int on_device(void)
{
    aclrtStream stream = NULL;
    void *block = NULL, *host = NULL;
    if (FAILED(aclrtCreateStream(&stream)))
        return 1;
    int status = FAILED(aclrtMalloc(&block, 32, ACL_MEM_MALLOC_HUGE_FIRST));
    if (status == 0)
        status = FAILED(aclrtMallocHost(&host, 32));
    if (status == 0)
        status = copy(block, stream);
    if (status == 0)
        status = communicate();
    if (block != NULL)
        OK(aclrtFree(block));
    if (host != NULL)
        OK(aclrtFreeHost(host));
    OK(aclrtDestroyStream(stream));
    return status;
}

int main(void)
{
    if (FAILED(aclInit(NULL)))
        return 1;
    int status = FAILED(aclrtSetDevice(0));
    if (status == 0) {
        status = on_device();
        OK(aclrtResetDevice(0));
    }
    OK(aclFinalize());
    return status;
}
