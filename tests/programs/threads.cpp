/* Four threads on one device, each with its own context, stream and tensors; what is shared is locked.
 *
 * links: new
 * calls: aclnnAdds 4, aclnnRelu 12
 * says: 4 threads, 12 rounds
 */
#include <atomic>
#include <mutex>
#include <thread>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

namespace {

class Context {
public:
    explicit Context(int32_t device) { CHECK(aclrtCreateContext(&context_, device)); }
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;
    ~Context() { aclrtDestroyContext(context_); }
    void use() const { CHECK(aclrtSetCurrentContext(context_)); }

private:
    aclrtContext context_ = nullptr;
};

std::mutex lock;
std::string failure;
std::atomic<int> rounds{0};

void work(int number)
try {
    Context context(0);
    context.use();
    host::Stream stream;
    host::Tensor x({64, 64}, ACL_FLOAT), y({64, 64}, ACL_FLOAT);
    float value = static_cast<float>(number), one = 1.0f;
    aclScalar *other = aclCreateScalar(&value, ACL_FLOAT), *alpha = aclCreateScalar(&one, ACL_FLOAT);
    RUN(aclnnAdds, stream, x.get(), other, alpha, y.get());
    aclDestroyScalar(other);
    aclDestroyScalar(alpha);
    for (int i = 0; i < 3; i++, rounds++) {
        RUN(aclnnRelu, stream, x.get(), y.get());
    }
} catch (const std::exception &error) {
    const std::lock_guard<std::mutex> guard(lock);
    failure = error.what();
}

} // namespace

int main()
{
    return host::guarded([] {
        host::Session session;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; i++) {
            threads.emplace_back(work, i);
        }
        for (std::thread &thread : threads) {
            thread.join();
        }
        if (!failure.empty()) {
            throw std::runtime_error(failure);
        }
        std::printf("%zu threads, %d rounds\n", threads.size(), rounds.load());
    });
}
