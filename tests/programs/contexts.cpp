/* A context and a stream per thread on one device; the main thread takes each context up again to clean it.
 *
 * links: new
 * calls: aclnnRelu 6
 */
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

#include <thread>

static void work(aclrtContext context, std::string *failure)
{
    try {
        CHECK(aclrtSetCurrentContext(context));
        aclrtContext current = nullptr;
        CHECK(aclrtGetCurrentContext(&current));
        host::Stream stream;
        host::Tensor x({4, 4}, ACL_FLOAT, std::vector<float>(16, 1.0f));
        host::Tensor y({4, 4}, ACL_FLOAT);
        for (int i = 0; i < 3; ++i) {
            RUN(aclnnRelu, stream, x.get(), y.get());
        }
        if (current != context) {
            *failure = "another context is current";
        }
    } catch (const std::exception &error) {
        *failure = error.what();
    }
}

int main()
{
    return host::guarded([] {
        CHECK(aclInit(nullptr));
        aclrtContext contexts[2] = {nullptr, nullptr};
        std::string failures[2];
        std::vector<std::thread> threads;
        for (auto &context : contexts) {
            CHECK(aclrtCreateContext(&context, 0));
        }
        for (int i = 0; i < 2; ++i) {
            threads.emplace_back(work, contexts[i], &failures[i]);
        }
        for (auto &thread : threads) {
            thread.join();
        }
        for (auto &context : contexts) {
            CHECK(aclrtDestroyContext(context));
        }
        CHECK(aclFinalize());
        for (auto &failure : failures) {
            if (!failure.empty()) {
                throw std::runtime_error(failure);
            }
        }
    });
}
