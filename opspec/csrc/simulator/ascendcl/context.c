/* Contexts, and the parameters that belong to them. */
#include "entry.h"

aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId)
{
    ENTRY_NEEDS(context);
    ENTRY_CAN_FAIL(ACL_ERROR_BAD_ALLOC);
    ENTRY_LOCKED(sim_context_create(deviceId, __func__, context));
}

aclError aclrtDestroyContext(aclrtContext context)
{
    ENTRY_NEEDS(context);
    ENTRY_LOCKED(sim_context_destroy(context, __func__));
}

aclError aclrtSetCurrentContext(aclrtContext context)
{
    ENTRY_NEEDS(context);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_CONTEXT_NULL);
    ENTRY_LOCKED(sim_context_use(context, __func__));
}

aclError aclrtGetCurrentContext(aclrtContext *context)
{
    ENTRY_NEEDS(context);
    ENTRY_CAN_FAIL(ACL_ERROR_RT_CONTEXT_NULL);
    sim_lock();
    *context = sim_context_current();
    sim_unlock();
    return *context != NULL ? ACL_SUCCESS : sim_context_missing(__func__);
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

typedef struct {
    int64_t value;
    bool is_set;
} option;

static option of_process[SIM_OPTIONS]; /* for contexts that do not set it */

static aclError set_option(bool of_context, aclSysParamOpt opt, int64_t value, const char *function)
{
    sim_context *context = sim_context_current();
    if (opt < ACL_OPT_DETERMINISTIC || (int)opt >= SIM_OPTIONS)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: there is no option %d", function, (int)opt);
    if (of_context && context == NULL)
        return sim_context_missing(function);
    if (!of_context) {
        of_process[opt] = (option){value, true};
    } else {
        context->options[opt] = value;
        context->option_is_set[opt] = true;
    }
    return ACL_SUCCESS;
}

static aclError get_option(bool of_context, aclSysParamOpt opt, int64_t *value, const char *function)
{
    const sim_context *context = sim_context_current();
    if (opt < ACL_OPT_DETERMINISTIC || (int)opt >= SIM_OPTIONS)
        return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: there is no option %d", function, (int)opt);
    if (of_context && context == NULL)
        return sim_context_missing(function);
    const option found =
        of_context ? (option){context->options[opt], context->option_is_set[opt]} : of_process[opt];
    if (!found.is_set)
        return sim_refused(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, "%s: option %d was not set", function, (int)opt);
    *value = found.value;
    return ACL_SUCCESS;
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    ENTRY_LOCKED(set_option(true, opt, value, __func__));
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
    ENTRY_NEEDS(value);
    ENTRY_LOCKED(get_option(true, opt, value, __func__));
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
    ENTRY_CAN_FAIL(ACL_ERROR_RT_INTERNAL_ERROR);
    ENTRY_LOCKED(set_option(false, opt, value, __func__));
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
    ENTRY_NEEDS(value);
    ENTRY_LOCKED(get_option(false, opt, value, __func__));
}
