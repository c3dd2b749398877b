/* A thread that serves callbacks, which a stream launches behind its work.
 *
 * links: old
 * calls: aclnnRelu 2
 * says: 2 results
 */
#include <atomic>
#include <thread>

#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

#include <pthread.h>

namespace {

std::atomic<bool> serving{true};
std::atomic<int> results{0};

void *serve(void *context)
{
    (void)aclrtSetCurrentContext(context);
    while (serving) {
        (void)aclrtProcessReport(10);
    }
    return nullptr;
}

void count(void *amount) { results += *static_cast<int *>(amount); }

} // namespace

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        aclrtContext context = nullptr;
        CHECK(aclrtGetCurrentContext(&context));
        pthread_t thread;
        if (pthread_create(&thread, nullptr, serve, context) != 0) {
            throw std::runtime_error("no thread");
        }
        CHECK(aclrtSubscribeReport(static_cast<uint64_t>(thread), stream));
        host::Tensor x({32}, ACL_FLOAT), y({32}, ACL_FLOAT);
        int one = 1;
        for (int i = 0; i < 2; i++) {
            RUN(aclnnRelu, stream, x.get(), y.get());
            CHECK(aclrtLaunchCallback(count, &one, ACL_CALLBACK_BLOCK, stream));
        }
        stream.wait();
        CHECK(aclrtUnSubscribeReport(static_cast<uint64_t>(thread), stream));
        serving = false;
        pthread_join(thread, nullptr);
        std::printf("%d results\n", results.load());
    });
}
