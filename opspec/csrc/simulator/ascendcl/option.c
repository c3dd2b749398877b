/* Settings that a program may make and that change nothing here. */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include <string.h>

#include "acl/acl_op_compiler.h"
#include "entry.h"

aclError aclrtSetOpWaitTimeout(uint32_t timeout)
{
    (void)timeout;
    return ACL_SUCCESS;
}

aclError aclrtSetOpExecuteTimeOut(uint32_t timeout)
{
    (void)timeout;
    return ACL_SUCCESS;
}

static aclrtFloatOverflowMode saturation = ACL_RT_OVERFLOW_MODE_INFNAN; /* with the lock of objects held */

static aclError set_saturation(aclrtFloatOverflowMode mode, const char *function)
{
    if (sim_context_current() == NULL)
        return sim_context_missing(function);
    if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: mode is %d; it is 0 or 1", function, (int)mode);
    saturation = mode;
    return ACL_SUCCESS;
}

static aclError get_saturation(aclrtFloatOverflowMode *mode, const char *function)
{
    if (sim_context_current() == NULL)
        return sim_context_missing(function);
    *mode = saturation;
    return ACL_SUCCESS;
}

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) { ENTRY_LOCKED(set_saturation(mode, __func__)); }

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode)
{
    ENTRY_NEEDS(mode);
    ENTRY_LOCKED(get_saturation(mode, __func__));
}

/* --- options of compilation --------------------------------------------------------------------------------------- */

enum { OPTIONS = ACL_OP_DEBUG_OPTION + 1, VALUE_SIZE = 256 };

static char values[OPTIONS][VALUE_SIZE]; /* with the lock of objects held */

static aclError check_option(aclCompileOpt opt, const char *function)
{
    if ((int)opt >= 0 && (int)opt < OPTIONS)
        return ACL_SUCCESS;
    return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: there is no option %d", function, (int)opt);
}

aclError aclSetCompileopt(aclCompileOpt opt, const char *value)
{
    ENTRY_NEEDS(value);
    ENTRY_CAN_FAIL(ACL_ERROR_INTERNAL_ERROR);
    const aclError status = check_option(opt, __func__);
    if (status != ACL_SUCCESS)
        return status;
    const size_t size = strnlen(value, VALUE_SIZE);
    if (size == VALUE_SIZE)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: value has more than %d bytes", __func__, VALUE_SIZE - 1);
    sim_lock();
    memcpy(values[opt], value, size + 1);
    sim_unlock();
    return ACL_SUCCESS;
}

/* With the NUL behind it. */
size_t aclGetCompileoptSize(aclCompileOpt opt)
{
    if (check_option(opt, __func__) != ACL_SUCCESS)
        return 0;
    sim_lock();
    const size_t size = strlen(values[opt]) + 1;
    sim_unlock();
    return size;
}

aclError aclGetCompileopt(aclCompileOpt opt, char *value, size_t length)
{
    ENTRY_NEEDS(value);
    const aclError status = check_option(opt, __func__);
    if (status != ACL_SUCCESS)
        return status;
    sim_lock();
    const size_t size = strlen(values[opt]) + 1;
    if (size <= length)
        memcpy(value, values[opt], size);
    sim_unlock();
    if (size > length)
        return sim_refused(
            ACL_ERROR_INVALID_PARAM, "%s: length is %zu; the value has %zu bytes", __func__, length, size);
    return ACL_SUCCESS;
}

aclError aclopSetCompileFlag(aclOpCompileFlag flag)
{
    (void)flag;
    return ACL_SUCCESS;
}
