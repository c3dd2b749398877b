/* A program of the runtime alone: a device is set up, and no operator is called.
 *
 * links: old
 * calls: none
 */
#include "acl/acl.h"

int main(void)
{
    uint32_t count = 0;
    int status = aclInit(NULL);
    status = status != 0 ? status : aclrtGetDeviceCount(&count);
    status = status != 0 ? status : aclrtSetDevice(0);
    status = status != 0 ? status : aclrtResetDevice(0);
    aclFinalize();
    return status != 0 || count == 0;
}
