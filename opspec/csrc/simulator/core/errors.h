/* What a call that was refused leaves behind: a message, the thread's last error, a finding. */
#ifndef OPSPEC_SIM_ERRORS_H
#define OPSPEC_SIM_ERRORS_H

#include "opspec_findings.h"
#include "sim.h"

/* A call that cannot be done as it is asked for: a warning, for the program may be ready for it. Returns the status. */
int32_t sim_refused(int32_t status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A call that no program means: an error of some kind. Returns the status. */
int32_t sim_misuse(int32_t status, opspec_finding kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The status of a call that sim_fails made to fail. */
int32_t sim_failed(int32_t status);

const char *sim_error_taken(void);    /* the thread's message, valid up to the next taking; NULL: there is none */
int32_t sim_last_error(bool forget);  /* the status of the thread's last call that failed, or 0 */
unsigned long long sim_fault_count(void); /* calls so far that OPSPEC_FAIL could have made fail */
bool sim_faults_wanted(void);             /* whether OPSPEC_FAIL is set */
bool sim_fault_happened(void);            /* whether a call was made to fail */

#endif
