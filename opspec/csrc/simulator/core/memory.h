/* Memory as programs use it: what is wrong with a use is told here. */
#ifndef OPSPEC_SIM_MEMORY_H
#define OPSPEC_SIM_MEMORY_H

#include "core/blocks.h"
#include "sim.h"

/* NULL when there is no room. size is what was asked for, room what there is of it: at most SIM_ZONE bytes more. */
void *sim_memory_new(sim_memory_kind kind, int32_t device, size_t size, size_t room, const char *function);
/* The status: 0, or what an address that is no live block's start comes to. */
int32_t sim_memory_free(sim_memory_kind kind, void *address, const char *function);

/* Whether size bytes at an address, a param of a function, may be used as memory of that kind. A host address that the
 * simulator did not give out is trusted. If not, it is told, and the status is left in status. */
bool sim_memory_usable(
    const char *function, const char *param, const void *address, size_t size, sim_memory_kind kind, int32_t *status);
/* The kind and device of the block that an address belongs to, also when it is freed; false: of none. */
bool sim_memory_owner(const void *address, sim_memory_kind *kind, int32_t *device);
bool sim_memory_mapped(const void *address, size_t size); /* whether a host address leads anywhere */
size_t sim_memory_available(int32_t device);

void sim_memory_inspect(const char *function); /* tells writes past the ends of live blocks */
void sim_memory_report_leaks(void);

#endif
