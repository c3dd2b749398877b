/* Contexts, streams, events and other things behind handles: which are alive, and one lock for all of them.
 *
 * A handle is the address of its record, but only looked up, never read through: garbage and destroyed handles are told
 * from live ones. Destroyed records stay a while, so that a handle's number is not another's at once.
 */
#ifndef OPSPEC_SIM_OBJECTS_H
#define OPSPEC_SIM_OBJECTS_H

#include "sim.h"

typedef enum {
    SIM_CONTEXT, SIM_STREAM, SIM_EVENT, SIM_DATA_BUFFER, SIM_COMM, SIM_OBJECT_KINDS
} sim_object_kind;

/* The first member of every record. */
typedef struct sim_object {
    sim_object_kind kind;
    bool live;
    bool implicit;        /* not made by the program, and none that it can destroy */
    uint64_t serial;      /* differs for every record ever made */
    const char *function; /* that made it */
    struct sim_object *next, *later;
    void (*release)(struct sim_object *object); /* what to free beside the record, or NULL */
} sim_object;

/* Everything below is called with the lock held; sim_wait gives it up while it waits. */
void sim_lock(void);
void sim_unlock(void);
void sim_changed(void);               /* whoever waits looks again */
bool sim_wait(uint64_t deadline);     /* until a change; false: the deadline (nanoseconds, 0: none) has passed */
uint64_t sim_deadline(int64_t milliseconds); /* from now; 0 when negative */

void *sim_object_new(sim_object_kind kind, size_t size, const char *function); /* zeroed; NULL: no memory */
void *sim_object_find(const void *handle, sim_object_kind kind);               /* a live one, or NULL */
bool sim_object_was(const void *handle, sim_object_kind kind);                 /* whether it is a destroyed one */
void sim_object_retire(void *object);
void sim_objects_each(sim_object_kind kind, void (*visit)(void *object, void *context), void *context); /* live ones */
const char *sim_object_kind_name(sim_object_kind kind);

#endif
