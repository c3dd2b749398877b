/* Nothing is linked: the libraries are opened by name and the operator is looked up, as frameworks do.
 *
 * links: none
 * calls: aclnnRelu 1
 */
#include "aclnnop/aclnn_relu.h"
#include "acl/acl.h"
#include "aclnn/acl_meta.h"

#include <cstdio>
#include <stdexcept>
#include <string>

#include <dlfcn.h>

static void *find(const char *symbol)
{
    for (const char *name : {"libcust_opapi.so", "libopapi_math.so", "libopapi_nn.so", "libopapi_cv.so", "libopapi_transformer.so",
                             "libopapi.so", "libnnopbase.so", "libascendcl.so"}) {
        void *library = dlopen(name, RTLD_LAZY);
        void *found = library == nullptr ? nullptr : dlsym(library, symbol);
        if (found != nullptr) {
            return found;
        }
    }
    throw std::runtime_error(std::string("not found: ") + symbol);
}

#define CALL(function, ...) reinterpret_cast<decltype(&function)>(find(#function))(__VA_ARGS__)

int main()
{
    try {
        CALL(aclInit, nullptr);
        CALL(aclrtSetDevice, 0);
        void *memory = nullptr;
        CALL(aclrtMalloc, &memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
        const int64_t shape[1] = {8};
        const int64_t strides[1] = {1};
        aclTensor *x = CALL(aclCreateTensor, shape, 1, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 1, memory);
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        int status = CALL(aclnnReluGetWorkspaceSize, x, x, &size, &executor);
        void *workspace = nullptr;
        if (status == 0 && size != 0) {
            status = CALL(aclrtMalloc, &workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
        }
        if (status == 0) {
            status = CALL(aclnnRelu, workspace, size, executor, nullptr);
        }
        CALL(aclrtSynchronizeStream, nullptr);
        if (workspace != nullptr) {
            CALL(aclrtFree, workspace);
        }
        CALL(aclDestroyTensor, x);
        CALL(aclrtFree, memory);
        CALL(aclrtResetDevice, 0);
        CALL(aclFinalize);
        return status;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}
