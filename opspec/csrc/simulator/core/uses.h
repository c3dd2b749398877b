/* What memory streams use, as far as nobody waited for it. A stream's work is done at once, but a program may not rely
 * on that: what uses the same memory must come behind it, in the same stream, behind an event, or when the host has
 * waited. Locked by itself. */
#ifndef OPSPEC_SIM_USES_H
#define OPSPEC_SIM_USES_H

#include "core/clock.h"
#include "sim.h"

/* A stream as far as its uses are concerned. */
typedef struct {
    uint64_t serial;
    const void *handle;     /* only told */
    bool is_default;        /* a context's */
    const sim_clock *clock; /* what its next work comes behind */
} sim_worker;

/* A use, for people. Its words are those of the use: constants of libraries that stay loaded. */
typedef struct {
    const char *work, *what;
    const void *stream;
    bool is_default, writes;
} sim_user;

/* Adds a use. Whether another stream uses the same memory, one of both writes, and nothing puts them in order; it is
 * left in other, and found once. */
bool sim_uses_add(const sim_use *use, const sim_worker *by, sim_user *other);
/* A use of the same memory, which is left in user; without reads only one that writes. */
bool sim_uses_pending(const sim_use *use, bool reads, sim_user *user);
/* Forgets the uses of memory that is no more. Whether there was one; it is left in user. */
bool sim_uses_forget(const void *address, size_t size, sim_user *user);
void sim_uses_done(const sim_clock *clock); /* what a clock has come behind has been waited for */
uint64_t sim_uses_order(void);              /* of the last use so far */

#endif
