#include "core/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/errors.h"
#include "core/settings.h"
#include "events.h"

enum { WHAT_SIZE = 160, SECONDS = 1000, LONGEST = 24 * 60 * 60 };

/* A collective that some ranks have called and others have not. */
typedef struct meeting {
    struct meeting *next;
    uint64_t number;
    uint32_t came;
    sim_gate *gate;
    char what[WHAT_SIZE]; /* as the first rank called it */
} meeting;

struct sim_group {
    sim_group *next;
    char *key;
    char name[SIM_GROUP_NAME];
    uint64_t serial;
    uint32_t size, came, comms;
    bool complete; /* all have come, if perhaps gone again */
    bool *is_here; /* by rank */
    int32_t *devices;
    meeting *meetings;
};

static sim_group *groups;
static uint64_t serials;

uint32_t sim_group_size(const sim_group *group) { return group->size; }
const char *sim_group_name(const sim_group *group) { return group->name; }
uint64_t sim_group_serial(const sim_group *group) { return group->serial; }

static long long timeout(void) { return sim_setting("OPSPEC_HCCL_TIMEOUT", 30, 0, LONGEST); }

/* --- groups ------------------------------------------------------------------------------------------------------- */

static void free_group(sim_group *group)
{
    for (meeting *one = group->meetings, *next; one != NULL; one = next) {
        next = one->next;
        sim_gate_open(one->gate);
        sim_gate_release(one->gate);
        free(one);
    }
    free(group->key);
    free(group->is_here);
    free(group->devices);
    free(group);
}

static void leave(sim_group *group, uint32_t rank)
{
    group->is_here[rank] = false;
    group->came--;
    if (--group->comms > 0)
        return;
    sim_group **link = &groups;
    while (*link != group)
        link = &(*link)->next;
    *link = group->next;
    free_group(group);
}

static sim_group *find_by_key(const char *key)
{
    sim_group *group = groups;
    while (group != NULL && strcmp(group->key, key) != 0)
        group = group->next;
    return group;
}

static sim_group *find_by_name(const char *name)
{
    sim_group *group = groups;
    while (group != NULL && strncmp(group->name, name, SIM_GROUP_NAME) != 0)
        group = group->next;
    return group;
}

bool sim_group_is_live(const char *name)
{
    sim_lock();
    const bool found = find_by_name(name) != NULL;
    sim_unlock();
    return found;
}

static sim_group *new_group(const sim_joining *how)
{
    sim_group *group = calloc(1, sizeof *group);
    if (group == NULL)
        return NULL;
    group->key = malloc(strlen(how->key) + 1);
    group->is_here = calloc(how->size, sizeof *group->is_here);
    group->devices = calloc(how->size, sizeof *group->devices);
    if (group->key == NULL || group->is_here == NULL || group->devices == NULL) {
        free_group(group);
        return NULL;
    }
    memcpy(group->key, how->key, strlen(how->key) + 1);
    group->size = how->size;
    group->serial = ++serials;
    if (how->name != NULL && *how->name != '\0')
        (void)snprintf(group->name, sizeof group->name, "%s", how->name);
    else
        (void)snprintf(group->name, sizeof group->name, "opspec_group_%llu", (unsigned long long)group->serial);
    group->next = groups;
    groups = group;
    return group;
}

/* --- joining ------------------------------------------------------------------------------------------------------ */

static HcclResult check_joining(const sim_group *group, const sim_joining *how, const char *function)
{
    if (how->rank >= how->size)
        return (HcclResult)sim_refused(
            HCCL_E_PARA, "%s: rank is %u; ranks are 0 to %u", function, how->rank, how->size - 1);
    if (group == NULL && how->name != NULL && *how->name != '\0' && find_by_name(how->name) != NULL)
        return (HcclResult)sim_refused(HCCL_E_PARA, "%s: there is a group %.127s already", function, how->name);
    if (group == NULL)
        return HCCL_SUCCESS;
    if (group->size != how->size)
        return (HcclResult)sim_misuse(HCCL_E_PARA, FOUND_HCCL_SIZE,
            "%s: rank %u says that there are %u ranks, others %u", function, how->rank, how->size, group->size);
    if (group->is_here[how->rank])
        return (HcclResult)sim_misuse(
            HCCL_E_PARA, FOUND_HCCL_DUPLICATE_RANK, "%s: there is a rank %u already", function, how->rank);
    if (group->complete)
        return (HcclResult)sim_refused(HCCL_E_PARA, "%s: all %u ranks had come already", function, group->size);
    return HCCL_SUCCESS;
}

static void warn_of_device(const sim_group *group, const sim_joining *how, const char *function)
{
    for (uint32_t i = 0; i < group->size; i++)
        if (group->is_here[i] && group->devices[i] == how->device)
            opspec_tell(OPSPEC_SIMULATOR, FOUND_HCCL_SAME_DEVICE,
                "%s: ranks %u and %u use the same device %d", function, i, how->rank, (int)how->device);
}

static uint32_t first_missing(const sim_group *group)
{
    uint32_t rank = 0;
    while (rank < group->size && group->is_here[rank])
        rank++;
    return rank;
}

/* Until all have come. The group lives while this rank is in it. */
static HcclResult wait_for_ranks(const sim_group *group, const char *function)
{
    const long long seconds = timeout();
    const uint64_t deadline = sim_deadline(seconds * SECONDS);
    while (!group->complete)
        if (!sim_wait(deadline) && !group->complete)
            return (HcclResult)sim_misuse(HCCL_E_TIMEOUT, FOUND_HCCL_TIMEOUT,
                "%s: %u of %u ranks came within %lld s (OPSPEC_HCCL_TIMEOUT); rank %u did not", function, group->came,
                group->size, seconds, first_missing(group));
    return HCCL_SUCCESS;
}

HcclResult sim_group_join(const sim_joining *how, const char *function, sim_comm **comm)
{
    sim_group *group = find_by_key(how->key);
    HcclResult status = check_joining(group, how, function);
    if (status != HCCL_SUCCESS)
        return status;
    if (group == NULL)
        group = new_group(how);
    if (group == NULL)
        return (HcclResult)sim_refused(HCCL_E_MEMORY, "%s: no memory", function);
    warn_of_device(group, how, function);
    group->is_here[how->rank] = true;
    group->devices[how->rank] = how->device;
    group->came++;
    group->comms++;
    group->complete = group->came == group->size;
    sim_changed();
    if (how->wait)
        status = wait_for_ranks(group, function);
    sim_comm *made = status == HCCL_SUCCESS ? sim_object_new(SIM_COMM, sizeof *made, function) : NULL;
    if (made == NULL) {
        leave(group, how->rank);
        return status != HCCL_SUCCESS ? status : (HcclResult)sim_refused(HCCL_E_MEMORY, "%s: no memory", function);
    }
    made->group = group;
    made->rank = how->rank;
    made->device = how->device;
    *comm = made;
    return HCCL_SUCCESS;
}

sim_comm *sim_comm_find(const void *handle, const char *function, HcclResult *status)
{
    sim_comm *comm = sim_object_find(handle, SIM_COMM);
    *status = HCCL_SUCCESS;
    if (handle == NULL)
        *status = (HcclResult)sim_refused(HCCL_E_PTR, "%s: comm is null", function);
    else if (comm == NULL)
        *status = (HcclResult)sim_misuse(HCCL_E_PARA, FOUND_HCCL_UNKNOWN, "%s: %p is %s", function, handle,
            sim_object_was(handle, SIM_COMM) ? "a communicator that was destroyed" : "no communicator");
    return comm;
}

HcclResult sim_comm_destroy(void *handle, const char *function)
{
    HcclResult status;
    sim_comm *comm = sim_comm_find(handle, function, &status);
    if (comm == NULL)
        return status;
    leave(comm->group, comm->rank);
    sim_object_retire(comm);
    return HCCL_SUCCESS;
}

/* --- meetings ----------------------------------------------------------------------------------------------------- */

static meeting *meeting_of(sim_comm *comm, const char *what)
{
    const long long seconds = timeout();
    char waits[WHAT_SIZE];
    meeting *one = comm->group->meetings;
    while (one != NULL && one->number != comm->meetings)
        one = one->next;
    if (one != NULL || (one = calloc(1, sizeof *one)) == NULL)
        return one;
    (void)snprintf(waits, sizeof waits, "%.100s was not called by all ranks within %lld s", what, seconds);
    one->gate = sim_gate_new(sim_deadline(seconds * SECONDS), waits);
    if (one->gate == NULL) {
        free(one);
        return NULL;
    }
    one->number = comm->meetings;
    (void)snprintf(one->what, sizeof one->what, "%s", what);
    one->next = comm->group->meetings;
    comm->group->meetings = one;
    return one;
}

static void close_meeting(sim_group *group, meeting *one)
{
    meeting **link = &group->meetings;
    while (*link != one)
        link = &(*link)->next;
    *link = one->next;
    sim_gate_open(one->gate);
    sim_gate_release(one->gate);
    free(one);
}

HcclResult sim_group_meet(sim_comm *comm, sim_stream *stream, const char *what, const char *function)
{
    meeting *one = meeting_of(comm, what);
    if (one == NULL || (comm->group->size > 1 && !sim_stream_hold(stream, one->gate)))
        return (HcclResult)sim_refused(HCCL_E_MEMORY, "%s: no memory", function);
    if (strncmp(one->what, what, sizeof one->what - 1) != 0)
        opspec_tell(OPSPEC_SIMULATOR, FOUND_HCCL_MISMATCH, "%s: rank %u calls %s where another rank calls %s",
            function, comm->rank, what, one->what);
    comm->meetings++;
    if (++one->came == comm->group->size)
        close_meeting(comm->group, one);
    return HCCL_SUCCESS;
}
