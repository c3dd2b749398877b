/* Groups of ranks that communicate: who belongs to one, and where they meet. All with the lock of objects held; what is
 * refused is told, and the status one of HCCL's. */
#ifndef OPSPEC_SIM_GROUPS_H
#define OPSPEC_SIM_GROUPS_H

#include "core/streams.h"
#include "hccl/hccl_types.h"

enum { SIM_GROUP_NAME = 128 };

typedef struct sim_group sim_group;

/* A rank's communicator. */
typedef struct {
    sim_object object;
    sim_group *group;
    uint32_t rank;
    int32_t device;
    uint64_t meetings; /* collectives that the rank called so far */
} sim_comm;

typedef struct {
    const char *key;  /* what says that ranks belong together */
    const char *name; /* of the group; NULL or empty: one is made */
    uint32_t size, rank;
    int32_t device;
    bool wait; /* until all ranks came, or OPSPEC_HCCL_TIMEOUT is over */
} sim_joining;

HcclResult sim_group_join(const sim_joining *how, const char *function, sim_comm **comm);
sim_comm *sim_comm_find(const void *handle, const char *function, HcclResult *status);
HcclResult sim_comm_destroy(void *handle, const char *function);
uint32_t sim_group_size(const sim_group *group);
const char *sim_group_name(const sim_group *group);
uint64_t sim_group_serial(const sim_group *group); /* differs for every group ever made */

/* The n-th collective of a rank meets the n-th of the others: the stream waits for them. What all must agree on is said
 * in words. */
HcclResult sim_group_meet(sim_comm *comm, sim_stream *stream, const char *what, const char *function);

#endif
