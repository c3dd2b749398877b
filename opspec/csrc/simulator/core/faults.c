/* Calls that fail on purpose, so that programs can be tested on what they do then. */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/errors.h"
#include "core/settings.h"
#include "events.h"

static struct {
    pthread_once_t once;
    bool wanted;
    unsigned long long number; /* of the call that fails; 0: none, they are counted only */
    const char *function;      /* the only one whose calls count, or NULL */
    atomic_ullong calls;
    atomic_bool happened;
} faults = {.once = PTHREAD_ONCE_INIT};

static void read_faults(void)
{
    const char *text = getenv("OPSPEC_FAIL"), *function = getenv("OPSPEC_FAIL_FUNCTION");
    faults.wanted = text != NULL && *text != '\0';
    faults.number = (unsigned long long)sim_setting("OPSPEC_FAIL", 0, 0, LLONG_MAX);
    faults.function = function != NULL && *function != '\0' ? strdup(function) : NULL;
}

bool sim_faults_wanted(void)
{
    (void)pthread_once(&faults.once, read_faults);
    return faults.wanted;
}

unsigned long long sim_fault_count(void) { return atomic_load(&faults.calls); }

bool sim_fault_happened(void) { return atomic_load(&faults.happened); }

bool sim_fails(const char *function)
{
    if (!sim_faults_wanted() || (faults.function != NULL && strcmp(function, faults.function) != 0))
        return false;
    const unsigned long long call = atomic_fetch_add(&faults.calls, 1) + 1;
    if (call != faults.number)
        return false;
    atomic_store(&faults.happened, true);
    sim_error("%s: fails on purpose (OPSPEC_FAIL=%llu)", function, call);
    opspec_tell(OPSPEC_SIMULATOR, FOUND_FAULT_INJECTED, "%s fails on purpose (OPSPEC_FAIL=%llu)", function, call);
    return true;
}
