/* What every function of HCCL begins with. */
#ifndef OPSPEC_HCCL_ENTRY_H
#define OPSPEC_HCCL_ENTRY_H

#include "core/errors.h"
#include "core/groups.h"
#include "core/memory.h"
#include "hccl/hccl.h"

/* Functions that make or do something can be made to fail (OPSPEC_FAIL). */
#define ENTRY_CAN_FAIL(status)                                                                                         \
    do {                                                                                                               \
        if (sim_fails(__func__))                                                                                       \
            return status;                                                                                             \
    } while (0)

#define ENTRY_NEEDS(pointer)                                                                                           \
    do {                                                                                                               \
        if ((pointer) == NULL)                                                                                         \
            return (HcclResult)sim_refused(HCCL_E_PTR, "%s: %s is null", __func__, #pointer);                          \
    } while (0)

#endif
