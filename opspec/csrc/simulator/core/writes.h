/* What streams wrote and nobody waited for. A stream's work is done at once, but a program may not rely on that:
 * reading what a stream wrote before the stream was synchronised is a mistake. */
#ifndef OPSPEC_SIM_WRITES_H
#define OPSPEC_SIM_WRITES_H

#include "sim.h"

/* A stream (by its serial number) as far as it had come: what it wrote up to an order. */
typedef struct {
    uint64_t stream;
    uint64_t order;
} sim_mark;

void sim_writes_add(const void *address, size_t size, uint64_t stream);
uint64_t sim_writes_order(void);    /* of the last write so far */
void sim_writes_done(sim_mark mark); /* what a mark says has been waited for */
bool sim_writes_forget(const void *address, size_t size); /* whether there was one that nobody waited for */
/* The stream that wrote to one of size bytes and was not waited for; 0: none. Work of but one stream is in order. */
uint64_t sim_writes_pending(const void *address, size_t size, uint64_t but);

#endif
