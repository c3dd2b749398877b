/* Globals: the session begins before main and ends behind it, with all that it keeps.
 *
 * links: old
 * calls: aclnnRelu 1
 * says: main is over
 */
#include "aclnnop/aclnn_relu.h"
#include "host.hpp"

namespace {

class Runtime {
public:
    static Runtime &instance()
    {
        static Runtime runtime;
        return runtime;
    }
    host::Session session;
    host::Stream stream;
    host::Tensor x{{128}, ACL_FLOAT}, y{{128}, ACL_FLOAT};
};

Runtime &runtime = Runtime::instance();

} // namespace

int main()
{
    return host::guarded([] {
        RUN(aclnnRelu, runtime.stream, runtime.x.get(), runtime.y.get());
        std::printf("main is over\n");
    });
}
