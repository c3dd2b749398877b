/* Lists of tensors: joined, split again, and updated together. A list owns the tensors that were given to it.
 *
 * links: new
 * calls: aclnnCat 1, aclnnSplitTensor 1, aclnnForeachAddcdivScalarList 1
 */
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_list.h"
#include "aclnnop/aclnn_split_tensor.h"
#include "host.hpp"

class TensorList {
public:
    explicit TensorList(std::vector<host::Tensor> tensors) : tensors_(std::move(tensors))
    {
        std::vector<aclTensor *> handles;
        for (auto &tensor : tensors_) {
            handles.push_back(tensor.release());
        }
        list_ = aclCreateTensorList(handles.data(), handles.size());
    }
    TensorList(const TensorList &) = delete;
    TensorList &operator=(const TensorList &) = delete;
    ~TensorList() { aclDestroyTensorList(list_); }
    aclTensorList *get() const { return list_; }
    uint64_t size() const
    {
        uint64_t count = 0;
        CHECK(aclGetTensorListSize(list_, &count));
        return count;
    }

private:
    std::vector<host::Tensor> tensors_;
    aclTensorList *list_ = nullptr;
};

static TensorList several(size_t count, const std::vector<int64_t> &shape)
{
    std::vector<host::Tensor> tensors;
    for (size_t i = 0; i < count; ++i) {
        tensors.emplace_back(shape, ACL_FLOAT, std::vector<float>(host::elements(shape), static_cast<float>(i)));
    }
    return TensorList(std::move(tensors));
}

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        TensorList parts = several(3, {2, 4});
        host::Tensor whole({6, 4}, ACL_FLOAT);
        RUN(aclnnCat, stream, parts.get(), int64_t{0}, whole.get());
        TensorList halves = several(2, {3, 4});
        RUN(aclnnSplitTensor, stream, whole.get(), uint64_t{3}, int64_t{0}, halves.get());
        TensorList x1 = several(2, {3, 4});
        TensorList x2 = several(2, {3, 4});
        TensorList out = several(2, {3, 4});
        host::Tensor scalars({2}, ACL_FLOAT, std::vector<float>{0.5f, 2.0f});
        RUN(aclnnForeachAddcdivScalarList, stream, x1.get(), x2.get(), halves.get(), scalars.get(), out.get());
        std::printf("%llu tensors\n", static_cast<unsigned long long>(out.size()));
    });
}
