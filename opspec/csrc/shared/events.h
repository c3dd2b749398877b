/* Where findings go: standard error, a file, or JSON lines; what is muted; how often one is repeated.
 *
 * Settings are read from the environment once, at the first event:
 *
 *   OPSPEC_OUTPUT     stderr (default), none, or the path of a file that text is appended to
 *   OPSPEC_EVENTS     path of a file that every event is appended to as a line of JSON; "opspec run" reads it
 *   OPSPEC_SEVERITY   error (default: what makes a call illegal, whether or not the first phase refuses it),
 *                     warning (also broken rules that programs which ran contradict), info (also rules that could
 *                     not be decided), off
 *   OPSPEC_MUTE       what to leave out: RULE, OPERATOR/RULE, or another kind of finding, with * at an end; separated by
 *                     commas. What seems to be a kind of finding and is none is told once
 *   OPSPEC_REPEAT     how often a finding of one rule of one operator is told (default 10, 0: always); counting goes on
 *   OPSPEC_RECORD     path of a file that all calls are appended to, one JSON object a line, with the status and the
 *                     message that the program got: "opspec check" and "opspec conformance" read it
 *
 * A line is written with one write, so that threads and processes that share a file do not mix theirs.
 */
#ifndef OPSPEC_EVENTS_H
#define OPSPEC_EVENTS_H

#include "opspec_findings.h"
#include "opspec_rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A judged call. Does nothing but count when there is nothing to tell and nothing to record; then it allocates nothing
 * and builds no string. actual: the status that a real library returned, or the predicted one. message: NULL, or a
 * buffer for what the first violation that is refused comes to, for aclGetRecentErrMsg. */
void opspec_tell_verdict(opspec_source source, const opspec_operator *op, const opspec_call *call,
    const opspec_verdict *verdict, int32_t actual, char *message, size_t size);

/* The same in two steps, for who hands the call on in between: a library may not come back from a wrong call. The
 * message is the library's, or NULL. */
void opspec_tell_calling(opspec_source source, const opspec_operator *op, const opspec_call *call,
    const opspec_verdict *verdict);
void opspec_tell_called(opspec_source source, const opspec_operator *op, const opspec_call *call,
    const opspec_verdict *verdict, int32_t actual, const char *message);

/* What opspec_tell_verdict writes into a message: empty of a call that the first phase accepts. size: not 0. */
void opspec_message(opspec_source source, const opspec_operator *op, const opspec_call *call,
    const opspec_verdict *verdict, char *message, size_t size);

/* Any other finding: of device memory, handles, executors, streams. The text names the function that was called. How
 * grave it is, the table of kinds says ("opspec kinds" prints it). */
void opspec_tell(opspec_source source, opspec_finding kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* That a program uses a library, though there is nothing else to tell, yet. release may be NULL, product 0. Otherwise the
 * first event says it. */
void opspec_tell_start(opspec_source source, const char *release, int32_t product);

/* At the end: counts of calls and of findings by OPERATOR/RULE or kind, as an event; and as text how often that was found
 * which has not been told any more. Happens by itself when the library's destructors run, behind handlers of atexit; may
 * be called before, and more often. */
void opspec_tell_end(void);

bool opspec_records_calls(void); /* whether OPSPEC_RECORD or OPSPEC_EVENTS wants every call */

/* Events are JSON objects, one a line; events.schema.json beside this file says what is in each of them. Muted findings are
 * left out. Severity and repeat are for text only: events have all that is not muted. */

#ifdef __cplusplus
}
#endif

#endif
