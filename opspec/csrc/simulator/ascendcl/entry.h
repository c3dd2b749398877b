/* What every function of AscendCL begins with. */
#ifndef OPSPEC_ASCENDCL_ENTRY_H
#define OPSPEC_ASCENDCL_ENTRY_H

#include "acl/acl.h"
#include "acl/error_codes/rt_error_codes.h"
#include "core/contexts.h"
#include "core/current.h"
#include "core/errors.h"
#include "core/memory.h"
#include "core/streams.h"

/* Functions that make or do something can be made to fail (OPSPEC_FAIL); those that release something cannot: what they
 * then leave behind would be nobody's mistake. */
#define ENTRY_CAN_FAIL(status)                                                                                         \
    do {                                                                                                               \
        if (sim_fails(__func__))                                                                                       \
            return sim_failed(status);                                                                                 \
    } while (0)

/* An argument that must not be null. */
#define ENTRY_NEEDS(pointer)                                                                                           \
    do {                                                                                                               \
        if ((pointer) == NULL)                                                                                         \
            return sim_refused(ACL_ERROR_INVALID_PARAM, "%s: %s is null", __func__, #pointer);                         \
    } while (0)

/* The status of something that is done with the lock of objects held. */
#define ENTRY_LOCKED(status_of)                                                                                        \
    do {                                                                                                               \
        sim_lock();                                                                                                    \
        const aclError status_ = (status_of);                                                                          \
        sim_unlock();                                                                                                  \
        return status_;                                                                                                \
    } while (0)

#endif
