/* Arrays of integers, of truth values and of numbers: a permutation, and the gradients of a convolution.
 *
 * links: old
 * calls: aclnnPermute 1, aclnnConvolutionBackward 1
 */
#include "aclnnop/aclnn_convolution_backward.h"
#include "aclnnop/aclnn_permute.h"
#include "host.hpp"

#include <array>

template <typename Handle, aclnnStatus (*Destroy)(const Handle *)>
class Owned {
public:
    explicit Owned(Handle *handle) : handle_(handle)
    {
        if (handle == nullptr) {
            throw std::runtime_error("an array could not be created");
        }
    }
    Owned(const Owned &) = delete;
    Owned &operator=(const Owned &) = delete;
    ~Owned() { Destroy(handle_); }
    Handle *get() const { return handle_; }

private:
    Handle *handle_;
};

using IntArray = Owned<aclIntArray, aclDestroyIntArray>;
using BoolArray = Owned<aclBoolArray, aclDestroyBoolArray>;
using FloatArray = Owned<aclFloatArray, aclDestroyFloatArray>;

static aclIntArray *ints(const std::vector<int64_t> &values)
{
    return aclCreateIntArray(values.data(), values.size());
}

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor x({2, 3, 4}, ACL_FLOAT16);
        host::Tensor turned({4, 2, 3}, ACL_FLOAT16);
        IntArray order(ints({2, 0, 1}));
        RUN(aclnnPermute, stream, x.get(), order.get(), turned.get());

        host::Tensor gradOutput({2, 8, 6, 6}, ACL_FLOAT16, ACL_FORMAT_NCHW);
        host::Tensor input({2, 4, 8, 8}, ACL_FLOAT16, ACL_FORMAT_NCHW);
        host::Tensor weight({8, 4, 3, 3}, ACL_FLOAT16, ACL_FORMAT_NCHW);
        host::Tensor gradInput({2, 4, 8, 8}, ACL_FLOAT16, ACL_FORMAT_NCHW);
        host::Tensor gradWeight({8, 4, 3, 3}, ACL_FLOAT16, ACL_FORMAT_NCHW);
        host::Tensor gradBias({8}, ACL_FLOAT16);
        const std::array<bool, 3> wanted = {true, true, true};
        BoolArray mask(aclCreateBoolArray(wanted.data(), wanted.size()));
        IntArray biasSizes(ints({8}));
        IntArray stride(ints({1, 1}));
        IntArray padding(ints({0, 0}));
        IntArray dilation(ints({1, 1}));
        IntArray outputPadding(ints({0, 0}));
        RUN(aclnnConvolutionBackward, stream, gradOutput.get(), input.get(), weight.get(), biasSizes.get(), stride.get(),
            padding.get(), dilation.get(), false, outputPadding.get(), 1, mask.get(), int8_t{1}, gradInput.get(),
            gradWeight.get(), gradBias.get());

        const std::array<float, 2> numbers = {0.5f, 2.0f};
        FloatArray scales(aclCreateFloatArray(numbers.data(), numbers.size()));
        uint64_t counts[3] = {0, 0, 0};
        CHECK(aclGetIntArraySize(order.get(), &counts[0]));
        CHECK(aclGetBoolArraySize(mask.get(), &counts[1]));
        CHECK(aclGetFloatArraySize(scales.get(), &counts[2]));
        std::printf("%llu %llu %llu\n", static_cast<unsigned long long>(counts[0]),
                    static_cast<unsigned long long>(counts[1]), static_cast<unsigned long long>(counts[2]));
    });
}
