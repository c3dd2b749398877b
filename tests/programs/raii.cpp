/* One owner per handle, and exceptions: softmax of a tensor that a scalar was added to.
 *
 * links: new
 * calls: aclnnAdds 1, aclnnSoftmax 1
 */
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_softmax.h"
#include "host.hpp"

#include <memory>

struct DestroyScalar {
    void operator()(aclScalar *scalar) const { aclDestroyScalar(scalar); }
};

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor x({2, 8}, ACL_FLOAT, std::vector<float>(16, 0.5f));
        host::Tensor moved({2, 8}, ACL_FLOAT);
        host::Tensor probabilities({2, 8}, ACL_FLOAT);
        float one = 1.0f;
        std::unique_ptr<aclScalar, DestroyScalar> other(aclCreateScalar(&one, ACL_FLOAT));
        std::unique_ptr<aclScalar, DestroyScalar> alpha(aclCreateScalar(&one, ACL_FLOAT));
        RUN(aclnnAdds, stream, x.get(), other.get(), alpha.get(), moved.get());
        RUN(aclnnSoftmax, stream, moved.get(), int64_t{-1}, probabilities.get());
        std::printf("%zu values\n", probabilities.read<float>().size());
    });
}
