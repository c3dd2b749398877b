/* Device memory that is read after it was freed, and freed once more.
 *
 * links: old
 * calls: none
 * error: memory.use-after-free
 * error: memory.double-free
 */
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        void *memory = nullptr;
        std::vector<char> values(256, 'x');
        CHECK(aclrtMalloc(&memory, 256, ACL_MEM_MALLOC_HUGE_FIRST));
        CHECK(aclrtMemcpy(memory, 256, values.data(), 256, ACL_MEMCPY_HOST_TO_DEVICE));
        CHECK(aclrtFree(memory));
        const int read = aclrtMemcpy(values.data(), 256, memory, 256, ACL_MEMCPY_DEVICE_TO_HOST);
        const int freed = aclrtFree(memory);
        std::printf("%d %d\n", read, freed);
    });
}
