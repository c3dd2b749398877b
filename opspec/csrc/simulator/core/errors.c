/* The thread's recent error: its message, given out once, and its status. */
#include "core/errors.h"

#include <stdio.h>
#include <string.h>

#include "events.h"

enum { MESSAGE_SIZE = 4096 };

static _Thread_local struct {
    char recent[MESSAGE_SIZE];
    char taken[MESSAGE_SIZE]; /* what the program holds a pointer to */
    int32_t status;
} thread;

/* Statuses of AscendCL have six digits; those of HCCL are not AscendCL's last error. */
static void set_status(int32_t status)
{
    if (status >= 100000)
        thread.status = status;
}

static void keep(const char *format, va_list values) { (void)vsnprintf(thread.recent, MESSAGE_SIZE, format, values); }

void sim_error(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    keep(format, values);
    va_end(values);
}

int32_t sim_refused(int32_t status, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    keep(format, values);
    va_end(values);
    set_status(status);
    opspec_tell(OPSPEC_SIMULATOR, FOUND_RUNTIME_REFUSED, "%s (%d)", thread.recent, (int)status);
    return status;
}

int32_t sim_misuse(int32_t status, opspec_finding kind, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    keep(format, values);
    va_end(values);
    set_status(status);
    opspec_tell(OPSPEC_SIMULATOR, kind, "%s", thread.recent);
    return status;
}

int32_t sim_failed(int32_t status)
{
    set_status(status);
    return status;
}

const char *sim_error_taken(void)
{
    if (thread.recent[0] == '\0')
        return NULL;
    memcpy(thread.taken, thread.recent, sizeof thread.taken);
    thread.recent[0] = '\0';
    return thread.taken;
}

int32_t sim_last_error(bool forget)
{
    const int32_t status = thread.status;
    if (forget)
        thread.status = 0;
    return status;
}
