/* A program that crashes between its phases: what it had called is told all the same.
 *
 * links: old
 * signal: SIGSEGV
 * calls: aclnnRelu 1
 */
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

int main()
{
    host::Session session;
    host::Tensor x({16}, ACL_FLOAT);
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    aclnnReluGetWorkspaceSize(x.get(), x.get(), &size, &executor);
    volatile int *nowhere = nullptr;
    return *nowhere;
}
