/* A process that forks before it uses a device: parent and child call operators, and both are told.
 *
 * links: new
 * calls: aclnnRelu 3
 */
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

#include <sys/wait.h>
#include <unistd.h>

static int work(int times)
{
    return host::guarded([times] {
        host::Session session;
        host::Stream stream;
        host::Tensor x({16}, ACL_FLOAT);
        host::Tensor y({16}, ACL_FLOAT);
        for (int i = 0; i < times; ++i) {
            RUN(aclnnRelu, stream, x.get(), y.get());
        }
    });
}

int main()
{
    const pid_t child = fork();
    if (child == 0) {
        return work(1);
    }
    const int status = work(2);
    int ended = 0;
    waitpid(child, &ended, 0);
    return status != 0 || ended != 0;
}
