/* Lists of tensors of several shapes, made by a template that owns them until a list does.
 *
 * links: new
 * calls: aclnnForeachAddcdivScalarList 1, aclnnCat 1, aclnnSplitTensor 1
 */
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_list.h"
#include "aclnnop/aclnn_split_tensor.h"
#include "host.hpp"

class TensorList {
public:
    TensorList(std::initializer_list<std::vector<int64_t>> shapes, aclDataType dtype)
    {
        std::vector<const aclTensor *> handles;
        for (const std::vector<int64_t> &shape : shapes) {
            tensors_.emplace_back(shape, dtype);
        }
        for (host::Tensor &tensor : tensors_) {
            handles.push_back(tensor.release()); /* the list destroys them */
        }
        list_ = aclCreateTensorList(handles.data(), handles.size());
    }
    TensorList(const TensorList &) = delete;
    TensorList &operator=(const TensorList &) = delete;
    ~TensorList() { aclDestroyTensorList(list_); }
    aclTensorList *get() const { return list_; }

private:
    std::vector<host::Tensor> tensors_;
    aclTensorList *list_ = nullptr;
};

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        TensorList x1({{2, 3}, {5}}, ACL_FLOAT), x2({{2, 3}, {5}}, ACL_FLOAT), x3({{2, 3}, {5}}, ACL_FLOAT);
        TensorList out({{2, 3}, {5}}, ACL_FLOAT), parts({{2, 4}, {2, 4}, {1, 4}}, ACL_FLOAT);
        host::Tensor scalars({2}, ACL_FLOAT), joined({5, 4}, ACL_FLOAT);
        RUN(aclnnForeachAddcdivScalarList, stream, x1.get(), x2.get(), x3.get(), scalars.get(), out.get());
        RUN(aclnnCat, stream, parts.get(), int64_t{0}, joined.get());
        RUN(aclnnSplitTensor, stream, joined.get(), uint64_t{2}, int64_t{0}, parts.get());
    });
}
