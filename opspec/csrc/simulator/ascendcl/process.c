/* Begin and end of the run time, its version, and what went wrong. */
#include "entry.h"

aclError aclInit(const char *configPath)
{
    (void)configPath; /* settings of dumps and profiling: there is nothing to dump */
    ENTRY_CAN_FAIL(ACL_ERROR_INTERNAL_ERROR);
    ENTRY_LOCKED(sim_process_begin(__func__));
}

aclError aclFinalize(void) { ENTRY_LOCKED(sim_process_end(__func__, false, NULL)); }

aclError aclFinalizeReference(uint64_t *refCount) { ENTRY_LOCKED(sim_process_end(__func__, true, refCount)); }

const char *aclGetRecentErrMsg(void) { return sim_error_taken(); }

aclError aclrtPeekAtLastError(aclrtLastErrLevel level)
{
    (void)level;
    return sim_last_error(false);
}

aclError aclrtGetLastError(aclrtLastErrLevel level)
{
    (void)level;
    return sim_last_error(true);
}

/* The version of the interface that the headers declare. */
aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion)
{
    ENTRY_NEEDS(majorVersion);
    ENTRY_NEEDS(minorVersion);
    ENTRY_NEEDS(patchVersion);
    *majorVersion = 1;
    *minorVersion = 17;
    *patchVersion = 0;
    return ACL_SUCCESS;
}

/* What a program writes to the log is its own. */
void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line, const char *fmt, ...)
{
    (void)logLevel;
    (void)func;
    (void)file;
    (void)line;
    (void)fmt;
}
