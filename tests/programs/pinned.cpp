/* Pinned memory of the host: two buffers take turns, one is copied to the device while the other is filled.
 *
 * links: old
 * calls: aclnnInplaceAdd 4
 */
#include <array>

#include "aclnnop/aclnn_add.h"
#include "host.hpp"

class Pinned {
public:
    explicit Pinned(size_t count) : count_(count) { CHECK(aclrtMallocHost(&address_, count * sizeof(float))); }
    Pinned(const Pinned &) = delete;
    Pinned &operator=(const Pinned &) = delete;
    ~Pinned() { aclrtFreeHost(address_); }
    float *begin() { return static_cast<float *>(address_); }
    float *end() { return begin() + count_; }
    size_t bytes() const { return count_ * sizeof(float); }

private:
    void *address_ = nullptr;
    size_t count_;
};

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream copies, work;
        Pinned even(1024), odd(1024);
        const std::array<Pinned *, 2> turns{&even, &odd};
        host::Tensor sum({1024}, ACL_FLOAT, std::vector<float>(1024, 0.0f)), part({1024}, ACL_FLOAT);
        float one = 1.0f;
        aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
        for (int i = 0; i < 4; i++) {
            Pinned &next = *turns[i % 2];
            std::iota(next.begin(), next.end(), static_cast<float>(i));
            CHECK(aclrtMemcpyAsync(part.data(), next.bytes(), next.begin(), next.bytes(), ACL_MEMCPY_HOST_TO_DEVICE,
                                   copies));
            copies.wait();
            RUN(aclnnInplaceAdd, work, sum.get(), part.get(), alpha);
        }
        aclDestroyScalar(alpha);
        CHECK(aclrtMemcpyAsync(even.begin(), even.bytes(), sum.data(), even.bytes(),
                               ACL_MEMCPY_DEVICE_TO_HOST, copies));
        copies.wait();
    });
}
