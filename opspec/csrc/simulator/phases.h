/* What the generated phases of operators call: opspec/codegen/entries/simulator.py writes them, libnnopbase.so has these functions. */
#ifndef OPSPEC_PHASES_H
#define OPSPEC_PHASES_H

#include "arguments.h"
#include "sim.h"

struct aclOpExecutor;

/* The first phase: judge the call, and make an executor for the second. The status that a real one would return.
 * OPSPEC_WORKSPACE=BYTES is the size of the workspace to ask for; otherwise it follows from the tensors' sizes. */
int32_t sim_plan(const opspec_operator *op, const opspec_passed *passed, uint64_t *workspace_size,
    struct aclOpExecutor **executor);

/* The second phase: check executor, workspace, stream and tensors; fill the outputs with a pattern. */
int32_t sim_run(const opspec_operator *op, void *workspace, uint64_t workspace_size, struct aclOpExecutor *executor,
    const void *stream);

/* The check that a function of one phase starts with: 0, or the status that it is to return. */
int32_t sim_judge(const opspec_operator *op, const opspec_passed *passed);

/* What such a function writes: an integer; a new array of integers; a new array of so many elements, which hold a
 * pattern since their values are numerics. Nothing when "to" is null, what nobody asked for. false: the value is
 * undefined or does not fit, or there is no memory; then sim_no_result says so and is the status. */
bool sim_give_integer(void *to, size_t width, opspec_int value);
bool sim_give_elements(void *to, size_t width, opspec_ints values);
bool sim_give_pattern(void *to, size_t width, opspec_int count);
int32_t sim_no_result(const char *function, const char *output);

/* What a first phase makes of a tensor that it was given: the same object, of another format and storage shape. It
 * stays as it was where these are undefined: the call breaks a rule that the runtime does not look at. */
void sim_relabel(const void *tensor, opspec_int format, opspec_ints storage);

/* Memory for an array that the caller gets and is to release with delete[]; NULL when there is none. It is new[]'s
 * where the program has it, else malloc's. */
void *sim_new_array(size_t size);

/* What outputs are filled with, since no numerics are computed: quiet NaNs with a payload that reads 5A, bytes of 0x5A
 * for integers and whatever is narrower than a byte, true for booleans. width: bytes that a pattern takes (of a complex
 * number, of one of its parts). */
#define SIM_PATTERN_FLOAT UINT32_C(0x7FC05A5A)
#define SIM_PATTERN_DOUBLE UINT64_C(0x7FF85A5A5A5A5A5A)
#define SIM_PATTERN_FLOAT16 UINT16_C(0x7E5A)
#define SIM_PATTERN_BFLOAT16 UINT16_C(0x7FDA)
#define SIM_PATTERN_BYTE 0x5A
uint64_t sim_pattern(int32_t dtype, size_t *width);

#endif
