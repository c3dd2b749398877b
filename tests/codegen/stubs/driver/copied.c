/* Says on standard error what bytes a program copies to the device: the linker sends its aclrtMemcpy here. */
#include <stdio.h>

#include "acl/acl.h"

aclError __real_aclrtMemcpy(void *to, size_t room, const void *from, size_t count, aclrtMemcpyKind kind);
aclError __wrap_aclrtMemcpy(void *to, size_t room, const void *from, size_t count, aclrtMemcpyKind kind);

aclError __wrap_aclrtMemcpy(void *to, size_t room, const void *from, size_t count, aclrtMemcpyKind kind)
{
    const unsigned char *bytes = from;
    for (size_t i = 0; kind == ACL_MEMCPY_HOST_TO_DEVICE && i < count; ++i) {
        fprintf(stderr, "%s%02x%s", i == 0 ? "copied " : "", bytes[i], i + 1 == count ? "\n" : "");
    }
    return __real_aclrtMemcpy(to, room, from, count, kind);
}
