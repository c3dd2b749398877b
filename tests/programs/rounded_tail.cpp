/* Half-precision numbers are copied as if they were floats: within what aclrtMalloc adds to small blocks that is a
 * warning, beyond it an error.
 *
 * links: old
 * calls: none
 * error: memory.out-of-bounds
 * warning: memory.past-size 2
 * says: 0 0 107000
 */
#include "host.hpp"

static int copy(size_t elements)
{
    const std::vector<float> values(elements, 1.0f);
    host::Memory memory(elements * sizeof(uint16_t));
    const size_t size = elements * sizeof(float);
    return aclrtMemcpy(memory.get(), size, values.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
}

int main()
{
    return host::guarded([] {
        host::Session session;
        const int few = copy(8), more = copy(20), many = copy(64);
        std::printf("%d %d %d\n", few, more, many);
    });
}
