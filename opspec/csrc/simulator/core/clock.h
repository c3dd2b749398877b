/* How far streams have come, as something else knows of it: a vector clock. */
#ifndef OPSPEC_SIM_CLOCK_H
#define OPSPEC_SIM_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stream (by its serial number) up to a use of memory (by its order). */
typedef struct {
    uint64_t stream, order;
} sim_mark;

/* Zeroed: nothing is known. A mark per stream at most. */
typedef struct {
    sim_mark *list;
    size_t count, room;
} sim_clock;

void sim_clock_reach(sim_clock *clock, sim_mark mark);
void sim_clock_join(sim_clock *clock, const sim_clock *other); /* what both know */
bool sim_clock_covers(const sim_clock *clock, sim_mark mark);
void sim_clock_clear(sim_clock *clock); /* and gives its memory back */

#endif
