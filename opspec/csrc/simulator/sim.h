/* What the simulator's libraries share: memory, streams, errors, faults on purpose. All state is in
 * libopspec_sim.so; libascendcl, libnnopbase, libopapi_* and libhccl hold functions only. Every function here may be
 * called by any number of threads.
 *
 *   OPSPEC_SOC_NAME        the SoC that is played, in place of the one that the SDK was built for
 *   OPSPEC_DEVICES         how many devices there are (default: as many as a usual machine of the product has)
 *   OPSPEC_FAIL            the number of the call that fails on purpose; 0: such calls are counted only
 *   OPSPEC_FAIL_FUNCTION   the only function whose calls count
 *   OPSPEC_HCCL_TIMEOUT    seconds that a rank waits for the others (default 30)
 */
#ifndef OPSPEC_SIM_H
#define OPSPEC_SIM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- the machine that is played ---------------------------------------------------------------------------------- */

int32_t sim_product(void); /* OPSPEC_PRODUCT_...: what the SDK was built for, or OPSPEC_SOC_NAME's */
int32_t sim_member(void);  /* the member of the family, where the SoC's name tells it; else 0 */
const char *sim_soc_name(void);

/* --- errors ------------------------------------------------------------------------------------------------------ */

/* Sets the thread's recent error message (aclGetRecentErrMsg gives it out once). */
void sim_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Faults on purpose: OPSPEC_FAIL=N makes the N-th call of a function that can fail do so, before it did anything.
 * Every such function asks once, with its name; OPSPEC_FAIL_FUNCTION=NAME counts calls of that one only. */
bool sim_fails(const char *function);

/* --- device memory ----------------------------------------------------------------------------------------------- */

/* Past the size that was asked for is what CANN adds when it rounds up: it may be used, as on a device. */
typedef enum {
    SIM_MEMORY_VALID, SIM_MEMORY_PAST_SIZE, SIM_MEMORY_UNKNOWN, SIM_MEMORY_FREED, SIM_MEMORY_PAST_END
} sim_memory_state;

/* Whether size bytes at a device address may be read and written; left: how many there are to the end
 * of what was asked for. */
sim_memory_state sim_memory_check(const void *address, size_t size, size_t *left);

/* Bytes that a stream's work reads or writes. */
typedef struct {
    const void *address;
    size_t size;
    bool writes; /* perhaps reads, too */
    bool whole;  /* every byte; else surely the first and the last */
    const char *work, *what; /* who uses it, as which of its params: "aclnnAdd", "self"; constants */
} sim_use;

/* Whatever else uses them is to come behind it: in the stream, behind an event, or when the host has waited. What does
 * not is told. */
void sim_memory_use(const sim_use *use, const void *stream);

/* --- streams ----------------------------------------------------------------------------------------------------- */

bool sim_stream_is_live(const void *stream); /* NULL is the context's default stream: live when a device is set */
bool sim_device_is_set(void);                /* in this thread: aclrtSetDevice or aclrtSetCurrentContext */

/* --- groups of ranks --------------------------------------------------------------------------------------------- */

bool sim_group_is_live(const char *name); /* whether a communicator of that name (HcclGetCommName) is there */

#endif
