/* RAII over ACL for the programs that are written that way: every handle has one owner, every failure is an exception. */
#ifndef PROGRAMS_HOST_HPP
#define PROGRAMS_HOST_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

namespace host {

class Failure : public std::runtime_error {
public:
    Failure(const std::string &step, int code) : std::runtime_error(step + " failed: " + std::to_string(code) + said()) {}

private:
    static std::string said()
    {
        const char *text = aclGetRecentErrMsg();
        return text == nullptr ? "" : std::string("\n  ") + text;
    }
};

inline void check(int code, const char *step)
{
    if (code != ACL_SUCCESS) {
        throw Failure(step, code);
    }
}

#define CHECK(call) ::host::check((call), #call)

class Session {
public:
    explicit Session(int32_t device = 0) : device_(device)
    {
        CHECK(aclInit(nullptr));
        CHECK(aclrtSetDevice(device_));
    }
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;
    ~Session()
    {
        aclrtResetDevice(device_);
        aclFinalize();
    }

private:
    int32_t device_;
};

class Stream {
public:
    Stream() { CHECK(aclrtCreateStream(&stream_)); }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
    ~Stream() { aclrtDestroyStream(stream_); }
    operator aclrtStream() const { return stream_; }
    void wait() const { CHECK(aclrtSynchronizeStream(stream_)); }

private:
    aclrtStream stream_ = nullptr;
};

class Memory {
public:
    explicit Memory(size_t size) : size_(size)
    {
        if (size != 0) {
            CHECK(aclrtMalloc(&address_, size, ACL_MEM_MALLOC_HUGE_FIRST));
        }
    }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    Memory(Memory &&other) noexcept : address_(std::exchange(other.address_, nullptr)), size_(other.size_) {}
    ~Memory()
    {
        if (address_ != nullptr) {
            aclrtFree(address_);
        }
    }
    void *get() const { return address_; }
    size_t size() const { return size_; }

private:
    void *address_ = nullptr;
    size_t size_;
};

inline size_t elements(const std::vector<int64_t> &shape)
{
    return static_cast<size_t>(std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>()));
}

/* A contiguous tensor and its memory. release() gives the handle to a list, which destroys it. */
class Tensor {
public:
    Tensor(std::vector<int64_t> shape, aclDataType dtype, aclFormat format = ACL_FORMAT_ND)
        : shape_(std::move(shape)), memory_(elements(shape_) * aclDataTypeSize(dtype))
    {
        std::vector<int64_t> strides(shape_.size(), 1);
        for (size_t i = shape_.size(); i-- > 1;) {
            strides[i - 1] = strides[i] * shape_[i];
        }
        handle_ = aclCreateTensor(shape_.data(), shape_.size(), dtype, strides.data(), 0, format, shape_.data(),
                                  shape_.size(), memory_.get());
        if (handle_ == nullptr) {
            throw Failure("aclCreateTensor", -1);
        }
    }
    template <typename T>
    Tensor(std::vector<int64_t> shape, aclDataType dtype, const std::vector<T> &values) : Tensor(std::move(shape), dtype)
    {
        write(values);
    }
    Tensor(const Tensor &) = delete;
    Tensor &operator=(const Tensor &) = delete;
    Tensor(Tensor &&other) noexcept
        : shape_(std::move(other.shape_)), memory_(std::move(other.memory_)),
          handle_(std::exchange(other.handle_, nullptr))
    {
    }
    ~Tensor()
    {
        if (handle_ != nullptr) {
            aclDestroyTensor(handle_);
        }
    }
    aclTensor *get() const { return handle_; }
    aclTensor *release() { return std::exchange(handle_, nullptr); }
    void *data() const { return memory_.get(); }
    const std::vector<int64_t> &shape() const { return shape_; }

    template <typename T>
    void write(const std::vector<T> &values)
    {
        CHECK(aclrtMemcpy(data(), memory_.size(), values.data(), values.size() * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE));
    }
    template <typename T>
    std::vector<T> read() const
    {
        std::vector<T> values(memory_.size() / sizeof(T));
        CHECK(aclrtMemcpy(values.data(), values.size() * sizeof(T), data(), memory_.size(), ACL_MEMCPY_DEVICE_TO_HOST));
        return values;
    }

private:
    std::vector<int64_t> shape_;
    Memory memory_;
    aclTensor *handle_ = nullptr;
};

/* Both phases of an operator: RUN(aclnnAdd, stream, self, other, alpha, out). The workspace lives until the stream is
 * through. */
template <typename Plan, typename Execute, typename... Arguments>
void run(const char *name, Plan plan, Execute execute, aclrtStream stream, Arguments... arguments)
{
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    check(plan(arguments..., &size, &executor), name);
    Memory workspace(size);
    check(execute(workspace.get(), size, executor, stream), name);
    check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
}

#define RUN(op, ...) ::host::run(#op, op##GetWorkspaceSize, op, __VA_ARGS__)

/* A main function's body: 0, or 3 with what failed on standard error. */
inline int guarded(const std::function<void()> &body)
{
    try {
        body();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
    return 0;
}

} // namespace host

#endif
