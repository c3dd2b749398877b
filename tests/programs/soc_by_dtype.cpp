/* One program for all SoCs: where there is no BFLOAT16 it computes in FLOAT16.
 *
 * links: new
 * soc: Ascend910A
 * calls: aclnnSoftmax 1
 * says: FLOAT16 on Ascend910A
 */
#include <map>

#include "aclnnop/aclnn_softmax.h"
#include "host.hpp"

static aclDataType dtype_of(const std::string &soc)
{
    static const std::map<std::string, aclDataType> old = {{"Ascend310P", ACL_FLOAT16}, {"Ascend910A", ACL_FLOAT16},
                                                           {"Ascend910Pro", ACL_FLOAT16}};
    for (const auto &[prefix, dtype] : old) {
        if (soc.compare(0, prefix.size(), prefix) == 0) {
            return dtype;
        }
    }
    return ACL_BF16;
}

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        const std::string soc = aclrtGetSocName();
        const aclDataType dtype = dtype_of(soc);
        host::Tensor x({2, 16}, dtype), y({2, 16}, dtype);
        RUN(aclnnSoftmax, stream, x.get(), int64_t{1}, y.get());
        std::printf("%s on %s\n", dtype == ACL_BF16 ? "BFLOAT16" : "FLOAT16", soc.c_str());
    });
}
