/* Blocks of device memory that are filled from another block as if that were the host's, and the other way round: CANN
 * goes by the addresses, so that all of it is right.
 *
 * links: old
 * calls: none
 * warning: memory.copy-kind 7
 * says: the last value is 15
 */
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        std::vector<int32_t> values(16), back(16);
        std::iota(values.begin(), values.end(), 0);
        const size_t size = values.size() * sizeof(int32_t);
        host::Memory first(size), second(size), third(size);
        CHECK(aclrtMemcpy(first.get(), size, values.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));
        CHECK(aclrtMemcpy(second.get(), size, first.get(), size, ACL_MEMCPY_HOST_TO_DEVICE));
        CHECK(aclrtMemcpyAsync(third.get(), size, second.get(), size, ACL_MEMCPY_DEVICE_TO_HOST, stream));
        stream.wait();
        CHECK(aclrtMemcpy2d(second.get(), 32, third.get(), 32, 32, 2, ACL_MEMCPY_HOST_TO_HOST));
        CHECK(aclrtMemcpy2dAsync(first.get(), 32, second.get(), 32, 32, 2, ACL_MEMCPY_HOST_TO_DEVICE, stream));
        stream.wait();
        CHECK(aclrtMemcpy(back.data(), size, first.get(), size, ACL_MEMCPY_DEVICE_TO_DEVICE));
        CHECK(aclrtMemcpy(values.data(), size, back.data(), size, ACL_MEMCPY_DEVICE_TO_HOST));
        std::printf("the last value is %d\n", values.back());
    });
}
