/* A copy of float values into memory that was allocated for halves.
 *
 * links: old
 * calls: none
 * error: memory.out-of-bounds
 */
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        std::vector<float> values(64, 1.0f);
        host::Memory memory(values.size() * 2);
        const size_t size = values.size() * sizeof(float);
        std::printf("%d\n", aclrtMemcpy(memory.get(), size, values.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));
    });
}
