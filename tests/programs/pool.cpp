/* One block of device memory that a pool hands out in parts of 32 bytes and 32 more, as CANN asks of those who do so.
 *
 * links: new
 * calls: aclnnMul 5, aclnnSoftmax 1
 */
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_softmax.h"
#include "host.hpp"

namespace {

class Pool {
public:
    explicit Pool(size_t size) : memory_(size) {}

    void *take(size_t size)
    {
        const size_t part = (size + 31) / 32 * 32 + 32;
        if (used_ + part > memory_.size()) {
            throw std::runtime_error("the pool is empty");
        }
        void *start = static_cast<char *>(memory_.get()) + used_;
        used_ += part;
        return start;
    }
    void reset(size_t used) { used_ = used; }
    size_t used() const { return used_; }

private:
    host::Memory memory_;
    size_t used_ = 0;
};

class Tensor {
public:
    Tensor(Pool &pool, std::vector<int64_t> shape)
    {
        std::vector<int64_t> strides(shape.size(), 1);
        for (size_t i = shape.size(); i-- > 1;) {
            strides[i - 1] = strides[i] * shape[i];
        }
        handle_ = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, strides.data(), 0, ACL_FORMAT_ND, shape.data(),
                                  shape.size(), pool.take(host::elements(shape) * sizeof(float)));
    }
    Tensor(const Tensor &) = delete;
    Tensor &operator=(const Tensor &) = delete;
    ~Tensor() { aclDestroyTensor(handle_); }
    aclTensor *get() const { return handle_; }

private:
    aclTensor *handle_;
};

} // namespace

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        Pool pool(1 << 16);
        Tensor x(pool, {7, 3}), y(pool, {3}), z(pool, {7, 3});
        const auto run = [&](auto execute, auto plan) {
            uint64_t size = 0;
            aclOpExecutor *executor = nullptr;
            host::check(plan(&size, &executor), "the first phase");
            const size_t before = pool.used();
            host::check(execute(size > 0 ? pool.take(size) : nullptr, size, executor, stream), "the second phase");
            stream.wait();
            pool.reset(before);
        };
        for (int i = 0; i < 5; i++) {
            run(aclnnMul, [&](auto... last) { return aclnnMulGetWorkspaceSize(x.get(), y.get(), z.get(), last...); });
        }
        run(aclnnSoftmax, [&](auto... last) { return aclnnSoftmaxGetWorkspaceSize(z.get(), 0, x.get(), last...); });
    });
}
