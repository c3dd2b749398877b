/* The second of three calls is refused: what was made for it is taken apart again, and the third goes on.
 *
 * links: new
 * calls: aclnnMatmul 3, refused 1
 * error: aclnnMatmul/mat2-reduce-dim
 * says: 2 of 3
 */
#include "aclnnop/aclnn_matmul.h"
#include "host.hpp"

static bool multiplied(int64_t inner, aclrtStream stream)
try {
    host::Tensor a({16, 32}, ACL_FLOAT16), b({inner, 16}, ACL_FLOAT16), c({16, 16}, ACL_FLOAT16);
    RUN(aclnnMatmul, stream, a.get(), b.get(), c.get(), int8_t{0});
    return true;
} catch (const host::Failure &failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return false;
}

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        int done = 0;
        for (int64_t inner : {32, 31, 32}) {
            done += multiplied(inner, stream) ? 1 : 0;
        }
        std::printf("%d of 3\n", done);
    });
}
