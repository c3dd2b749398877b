/* What stands for the rest of the simulator in tests of libnnopbase: memory, streams, faults, findings. */
#ifndef OPSPEC_TEST_WORLD_H
#define OPSPEC_TEST_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *world_memory(size_t size); /* device memory: valid until world_free */
void world_free(void *address);
extern int32_t world_product; /* OPSPEC_PRODUCT_... */
extern char world_stream;          /* the address of the one live stream */
extern const char *world_failing;  /* the function that fails on purpose, or NULL */
extern size_t world_written;       /* bytes that sim_memory_use was told are written */

/* The last finding, and the recent error message; both are forgotten when asked for. "" when there is none. */
const char *world_kind(void);
const char *world_error(void);
int world_findings(void); /* so far */

#endif
