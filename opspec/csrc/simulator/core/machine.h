/* The machine that is played, beyond what sim.h says of it. */
#ifndef OPSPEC_SIM_MACHINE_H
#define OPSPEC_SIM_MACHINE_H

#include "sim.h"

enum { SIM_DEVICES_MAX = 64 };
#define SIM_DEVICE_MEMORY_SIZE ((size_t)64 << 30) /* of every device; none of it is taken before it is written to */

int32_t sim_device_count(void);    /* OPSPEC_DEVICES, or 8 */
bool sim_soc_is_known(void);       /* whether OPSPEC_SOC_NAME, when it is set, is the name of a product's SoC */
uint64_t sim_nanoseconds(void);    /* of a clock that never goes back */

#endif
