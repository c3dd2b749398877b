/* A tensor that is in a list and is destroyed beside it, handles that are none, and of another kind.
 *
 * links: new
 * calls: none
 * error: object.double-destroy
 * error: handle.unknown
 * error: handle.other-kind
 */
#include "host.hpp"

int main()
{
    return host::guarded([] {
        host::Session session;
        host::Tensor x({16}, ACL_FLOAT);
        aclTensor *handle = x.release();
        aclTensorList *list = aclCreateTensorList(&handle, 1);
        aclDestroyTensorList(list);
        const int again = aclDestroyTensor(handle);
        int local = 0;
        const int unknown = aclDestroyTensor(reinterpret_cast<aclTensor *>(&local));
        const int64_t value = 1;
        aclIntArray *array = aclCreateIntArray(&value, 1);
        const int other = aclDestroyTensor(reinterpret_cast<aclTensor *>(array));
        aclDestroyIntArray(array);
        std::printf("%d %d %d\n", again, unknown, other);
    });
}
