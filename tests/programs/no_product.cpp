/* An operator that the product does not have.
 *
 * soc: Ascend310B1
 * links: new
 * exit: 3
 * calls: aclnnSplitTensor 1, refused 1
 * error: aclnnSplitTensor/product
 * says: Ascend310B1
 */
#include "aclnnop/aclnn_split_tensor.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        const char *name = aclrtGetSocName();
        std::printf("%s\n", name == nullptr ? "no name" : name);
        host::Tensor whole({4}, ACL_FLOAT);
        host::Tensor half({2}, ACL_FLOAT);
        host::Tensor other({2}, ACL_FLOAT);
        aclTensor *handles[2] = {half.release(), other.release()};
        aclTensorList *list = aclCreateTensorList(handles, 2);
        int status = 0;
        try {
            RUN(aclnnSplitTensor, stream, whole.get(), uint64_t{2}, int64_t{0}, list);
        } catch (const host::Failure &) {
            status = 1;
        }
        aclDestroyTensorList(list);
        if (status != 0) {
            throw std::runtime_error("no split here");
        }
    });
}
