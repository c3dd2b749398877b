/* A layer of a network: a class per operator behind one interface, one workspace of the greatest size for all.
 *
 * links: new
 * calls: aclnnMatmul 1, aclnnAdd 1, aclnnGeluV2 1, aclnnReduceSum 1
 */
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "host.hpp"

#include <algorithm>
#include <memory>

class Operator {
public:
    virtual ~Operator() = default;
    void plan() { host::check(prepare(&size_, &executor_), name()); }
    void launch(void *workspace, aclrtStream stream) { host::check(execute(workspace, size_, executor_, stream), name()); }
    uint64_t size() const { return size_; }

private:
    virtual const char *name() const = 0;
    virtual aclnnStatus prepare(uint64_t *size, aclOpExecutor **executor) = 0;
    virtual aclnnStatus execute(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream) = 0;

    uint64_t size_ = 0;
    aclOpExecutor *executor_ = nullptr;
};

class Matmul final : public Operator {
public:
    Matmul(const host::Tensor &a, const host::Tensor &b, host::Tensor &out) : a_(a), b_(b), out_(out) {}

private:
    const char *name() const override { return "aclnnMatmul"; }
    aclnnStatus prepare(uint64_t *size, aclOpExecutor **executor) override
    {
        return aclnnMatmulGetWorkspaceSize(a_.get(), b_.get(), out_.get(), 1, size, executor);
    }
    aclnnStatus execute(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream) override
    {
        return aclnnMatmul(workspace, size, executor, stream);
    }
    const host::Tensor &a_;
    const host::Tensor &b_;
    host::Tensor &out_;
};

class Bias final : public Operator {
public:
    Bias(const host::Tensor &x, const host::Tensor &bias, host::Tensor &out) : x_(x), bias_(bias), out_(out)
    {
        float one = 1.0f;
        alpha_ = aclCreateScalar(&one, ACL_FLOAT);
    }
    Bias(const Bias &) = delete;
    Bias &operator=(const Bias &) = delete;
    ~Bias() override { aclDestroyScalar(alpha_); }

private:
    const char *name() const override { return "aclnnAdd"; }
    aclnnStatus prepare(uint64_t *size, aclOpExecutor **executor) override
    {
        return aclnnAddGetWorkspaceSize(x_.get(), bias_.get(), alpha_, out_.get(), size, executor);
    }
    aclnnStatus execute(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream) override
    {
        return aclnnAdd(workspace, size, executor, stream);
    }
    const host::Tensor &x_;
    const host::Tensor &bias_;
    host::Tensor &out_;
    aclScalar *alpha_ = nullptr;
};

class Gelu final : public Operator {
public:
    Gelu(const host::Tensor &x, host::Tensor &out) : x_(x), out_(out) {}

private:
    const char *name() const override { return "aclnnGeluV2"; }
    aclnnStatus prepare(uint64_t *size, aclOpExecutor **executor) override
    {
        return aclnnGeluV2GetWorkspaceSize(x_.get(), 1, out_.get(), size, executor);
    }
    aclnnStatus execute(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream) override
    {
        return aclnnGeluV2(workspace, size, executor, stream);
    }
    const host::Tensor &x_;
    host::Tensor &out_;
};

class Sum final : public Operator {
public:
    Sum(const host::Tensor &x, host::Tensor &out) : x_(x), out_(out)
    {
        const int64_t last = -1;
        dims_ = aclCreateIntArray(&last, 1);
    }
    Sum(const Sum &) = delete;
    Sum &operator=(const Sum &) = delete;
    ~Sum() override { aclDestroyIntArray(dims_); }

private:
    const char *name() const override { return "aclnnReduceSum"; }
    aclnnStatus prepare(uint64_t *size, aclOpExecutor **executor) override
    {
        return aclnnReduceSumGetWorkspaceSize(x_.get(), dims_, false, ACL_FLOAT, out_.get(), size, executor);
    }
    aclnnStatus execute(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream) override
    {
        return aclnnReduceSum(workspace, size, executor, stream);
    }
    const host::Tensor &x_;
    host::Tensor &out_;
    aclIntArray *dims_ = nullptr;
};

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor x({16, 32}, ACL_FLOAT, std::vector<float>(512, 0.25f));
        host::Tensor weight({32, 64}, ACL_FLOAT, std::vector<float>(2048, 0.5f));
        host::Tensor bias({64}, ACL_FLOAT, std::vector<float>(64, 1.0f));
        host::Tensor product({16, 64}, ACL_FLOAT);
        host::Tensor moved({16, 64}, ACL_FLOAT);
        host::Tensor active({16, 64}, ACL_FLOAT);
        host::Tensor sum({16}, ACL_FLOAT);
        std::vector<std::unique_ptr<Operator>> layer;
        layer.push_back(std::make_unique<Matmul>(x, weight, product));
        layer.push_back(std::make_unique<Bias>(product, bias, moved));
        layer.push_back(std::make_unique<Gelu>(moved, active));
        layer.push_back(std::make_unique<Sum>(active, sum));
        uint64_t greatest = 0;
        for (auto &op : layer) {
            op->plan();
            greatest = std::max(greatest, op->size());
        }
        host::Memory workspace(greatest);
        for (auto &op : layer) {
            op->launch(workspace.get(), stream);
        }
        stream.wait();
        std::printf("%zu sums\n", sum.read<float>().size());
    });
}
