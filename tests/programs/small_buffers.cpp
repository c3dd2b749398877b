/* Indices of eight bytes each in memory for four: on a device that goes unnoticed, here it is told, and no more. A tensor
 * that ends within the bytes that aclrtMalloc adds is a warning.
 *
 * links: old
 * calls: aclnnAdd 2
 * error: tensor.memory
 * warning: memory.past-size
 */
#include "host.hpp"

#include "aclnnop/aclnn_add.h"

namespace {

/* A tensor over memory that was made for something smaller. */
class Over {
public:
    Over(const host::Memory &memory, int64_t length)
        : handle_(aclCreateTensor(&length, 1, ACL_INT64, &one, 0, ACL_FORMAT_ND, &length, 1, memory.get()))
    {
    }
    Over(const Over &) = delete;
    Over &operator=(const Over &) = delete;
    ~Over() { aclDestroyTensor(handle_); }
    const aclTensor *get() const { return handle_; }

private:
    static constexpr int64_t one = 1;
    aclTensor *handle_;
};

void add(const host::Memory &memory, int64_t length)
{
    host::Stream stream;
    host::Tensor other({length}, ACL_INT64), out({length}, ACL_INT64);
    Over self(memory, length);
    int64_t once = 1;
    aclScalar *alpha = aclCreateScalar(&once, ACL_INT64);
    RUN(aclnnAdd, stream, self.get(), other.get(), alpha, out.get());
    aclDestroyScalar(alpha);
}

} // namespace

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Memory memory(16 * sizeof(int32_t));
        add(memory, 16); /* 128 bytes of 64 */
        add(memory, 12); /* 96 bytes: as many as there are */
    });
}
