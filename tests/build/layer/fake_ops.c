/* Plays libopapi_math, or with OTHER a vendor's library: first phases return FAKE_STATUS and count themselves. */
#include <stdlib.h>

#include "aclnn/acl_meta.h"
#include "fake_ops.h"

int fake_calls;

static aclnnStatus status(uint64_t *size, aclOpExecutor **executor)
{
    const char *value = getenv("FAKE_STATUS");
    if (getenv("FAKE_CRASH") != NULL)
        abort();
    __atomic_fetch_add(&fake_calls, 1, __ATOMIC_RELAXED);
    if (size != NULL)
        *size = 42;
    if (executor != NULL)
        *executor = (aclOpExecutor *)&fake_calls;
    return value == NULL ? 0 : atoi(value);
}

aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor *self, const aclTensor *other, const aclScalar *alpha,
    aclTensor *out, uint64_t *size, aclOpExecutor **executor);
aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor *self, const aclTensor *other, const aclScalar *alpha,
    aclTensor *out, uint64_t *size, aclOpExecutor **executor)
{
    (void)self, (void)other, (void)alpha, (void)out;
#ifdef OTHER
    return 77;
#endif
    return status(size, executor);
}

#ifndef OTHER
/* FAKE_MESSAGE, once for each call since the last time. */
const char *aclGetRecentErrMsg(void);
const char *aclGetRecentErrMsg(void)
{
    static int given;
    const char *message = given == fake_calls ? NULL : getenv("FAKE_MESSAGE");
    given = fake_calls;
    return message;
}

aclnnStatus aclnnAdd(void *workspace, uint64_t size, aclOpExecutor *executor, void *stream);
aclnnStatus aclnnAdd(void *workspace, uint64_t size, aclOpExecutor *executor, void *stream)
{
    (void)workspace, (void)stream;
    return size == 42 && executor == (aclOpExecutor *)&fake_calls ? 0 : 361001;
}

aclnnStatus aclnnCatGetWorkspaceSize(const aclTensorList *tensors, int64_t dim, aclTensor *out, uint64_t *size,
    aclOpExecutor **executor);
aclnnStatus aclnnCatGetWorkspaceSize(const aclTensorList *tensors, int64_t dim, aclTensor *out, uint64_t *size,
    aclOpExecutor **executor)
{
    (void)tensors, (void)dim, (void)out;
    return status(size, executor);
}

/* Calls another operator on its own behalf, with arguments that break its rules. */
aclnnStatus aclnnAbsGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *size, aclOpExecutor **executor);
aclnnStatus aclnnAbsGetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *size, aclOpExecutor **executor)
{
    return aclnnAddGetWorkspaceSize(self, NULL, NULL, out, size, executor);
}

fake_result aclnnFakeMany(int64_t a, double b, int8_t c, float d, int64_t e, int64_t f, int64_t g, double h, double i,
    double j, double k, double l, double m, double n, int64_t o, int64_t p, double q)
{
    const fake_result result = {b + (double)d + h + i + j + k + l + m + n + q, a + c + e + f + g + o + p, p};
    return result;
}
#endif
int aclnnOnlyHere(void);
int aclnnOnlyHere(void)
{
#ifdef OTHER
    return 2;
#else
    return 1;
#endif
}
