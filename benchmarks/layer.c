/* A legal first phase through a library in front of the real one. Built three times:
 *
 *   -DREAL      libopapi_math.so: the operator returns 0, and tensors are what malloc gives
 *   -DBARE      a library for LD_PRELOAD that hands the call on, and nothing else
 *   -DPROGRAM   calls it, and prints nanoseconds a call: the best of many rounds
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aclnn/acl_meta.h"

typedef aclnnStatus (*phase)(const aclTensor *, const aclTensor *, const aclTensor *, aclTensor *, uint64_t *,
    aclOpExecutor **);
aclnnStatus aclnnLerpGetWorkspaceSize(const aclTensor *self, const aclTensor *end, const aclTensor *weight,
    aclTensor *out, uint64_t *size, aclOpExecutor **executor);

#ifdef REAL
aclnnStatus aclnnLerpGetWorkspaceSize(const aclTensor *self, const aclTensor *end, const aclTensor *weight,
    aclTensor *out, uint64_t *size, aclOpExecutor **executor)
{
    *size = self != end && weight != out;
    *executor = NULL;
    return 0;
}

aclTensor *aclCreateTensor(const int64_t *dims, uint64_t rank, aclDataType dtype, const int64_t *strides,
    int64_t offset, aclFormat format, const int64_t *storage, uint64_t storage_rank, void *data)
{
    (void)dims, (void)rank, (void)dtype, (void)strides, (void)offset, (void)format, (void)storage, (void)storage_rank;
    return data == NULL ? malloc(64) : data;
}

const char *aclrtGetSocName(void);
const char *aclrtGetSocName(void) { return "Ascend910B1"; }
#endif

#ifdef BARE
aclnnStatus aclnnLerpGetWorkspaceSize(const aclTensor *self, const aclTensor *end, const aclTensor *weight,
    aclTensor *out, uint64_t *size, aclOpExecutor **executor)
{
    static phase _Atomic next;
    phase real = atomic_load_explicit(&next, memory_order_acquire);
    if (real == NULL) {
        void *symbol = dlsym(RTLD_NEXT, "aclnnLerpGetWorkspaceSize");
        memcpy(&real, &symbol, sizeof real);
        atomic_store_explicit(&next, real, memory_order_release);
    }
    return real(self, end, weight, out, size, executor);
}
#endif

#ifdef PROGRAM
enum { CALLS = 20000, ROUNDS = 60 };

static aclTensor *tensor(void)
{
    const int64_t dims[] = {8, 16, 32}, strides[] = {512, 32, 1};
    return aclCreateTensor(dims, 3, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, 3, NULL);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(void)
{
    aclTensor *self = tensor(), *end = tensor(), *weight = tensor(), *out = tensor();
    double best = 1e30;
    uint64_t size;
    aclOpExecutor *executor;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now();
        for (int i = 0; i < CALLS; i++)
            if (aclnnLerpGetWorkspaceSize(self, end, weight, out, &size, &executor) != 0)
                return 1;
        const double took = (now() - start) / CALLS;
        best = took < best ? took : best;
    }
    printf("%.1f\n", best);
    return 0;
}
#endif
