/* The file that says which ranks there are. */
#ifndef OPSPEC_HCCL_RANKTABLE_H
#define OPSPEC_HCCL_RANKTABLE_H

#include "hccl/hccl.h"

/* How many ranks a table has; each of them from 0 must be there once. */
HcclResult sim_ranktable_size(const char *path, const char *function, uint32_t *size);

#endif
