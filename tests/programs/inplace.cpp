/* Operators that write over their input, several calls on one tensor, on the default stream.
 *
 * links: old
 * calls: aclnnInplaceAdd 3, aclnnInplaceMul 1, aclnnInplaceFillScalar 1
 */
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_mul.h"
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Tensor x({3, 5}, ACL_INT32, std::vector<int32_t>(15, 2));
        host::Tensor y({5}, ACL_INT32, std::vector<int32_t>(5, 7));
        int32_t one = 1;
        aclScalar *scalar = aclCreateScalar(&one, ACL_INT32);
        for (int i = 0; i < 3; ++i) {
            RUN(aclnnInplaceAdd, nullptr, x.get(), y.get(), scalar);
        }
        RUN(aclnnInplaceMul, nullptr, x.get(), y.get());
        RUN(aclnnInplaceFillScalar, nullptr, y.get(), scalar);
        aclDestroyScalar(scalar);
        std::printf("%zu values\n", x.read<int32_t>().size());
    });
}
