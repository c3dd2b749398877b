/* How long work takes, by events before and behind it; they are asked until they have passed.
 *
 * links: new
 * calls: aclnnMatmul 3
 */
#include "aclnnop/aclnn_matmul.h"
#include "host.hpp"

class Event {
public:
    Event() { CHECK(aclrtCreateEventWithFlag(&event_, ACL_EVENT_TIME_LINE)); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;
    ~Event() { aclrtDestroyEvent(event_); }
    void record(aclrtStream stream) const { CHECK(aclrtRecordEvent(event_, stream)); }
    bool passed() const
    {
        aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
        CHECK(aclrtQueryEventStatus(event_, &status));
        return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
    }
    float until(const Event &end) const
    {
        float milliseconds = -1.0f;
        CHECK(aclrtEventElapsedTime(&milliseconds, event_, end.event_));
        return milliseconds;
    }

private:
    aclrtEvent event_ = nullptr;
};

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Stream stream;
        host::Tensor a({64, 32}, ACL_FLOAT16), b({32, 48}, ACL_FLOAT16), c({64, 48}, ACL_FLOAT16);
        Event start, end;
        start.record(stream);
        for (int i = 0; i < 3; i++) {
            RUN(aclnnMatmul, stream, a.get(), b.get(), c.get(), int8_t{1});
        }
        end.record(stream);
        stream.wait();
        while (!end.passed()) {
        }
        if (start.until(end) < 0.0f) {
            throw std::runtime_error("time runs backwards");
        }
    });
}
