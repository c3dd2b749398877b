#define _POSIX_C_SOURCE 200809L
#include "core/objects.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "core/machine.h"

enum { BUCKETS = 1024, RETIRED_MAX = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change;
static pthread_once_t change_once = PTHREAD_ONCE_INIT;

static struct {
    sim_object *buckets[BUCKETS];
    sim_object *retired, **retired_end; /* oldest first */
    size_t retired_count;
    uint64_t serial;
    int visits; /* in which a record that goes could be the next one */
} objects;

/* --- lock --------------------------------------------------------------------------------------------------------- */

static void make_change(void)
{
    pthread_condattr_t clock;
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&change, &clock);
    (void)pthread_condattr_destroy(&clock);
}

void sim_lock(void)
{
    (void)pthread_once(&change_once, make_change);
    (void)pthread_mutex_lock(&lock);
}

void sim_unlock(void) { (void)pthread_mutex_unlock(&lock); }

void sim_changed(void) { (void)pthread_cond_broadcast(&change); }

bool sim_wait(uint64_t deadline)
{
    if (deadline == 0)
        return pthread_cond_wait(&change, &lock) == 0;
    const struct timespec until = {(time_t)(deadline / 1000000000u), (long)(deadline % 1000000000u)};
    return pthread_cond_timedwait(&change, &lock, &until) != ETIMEDOUT;
}

uint64_t sim_deadline(int64_t milliseconds)
{
    return milliseconds < 0 ? 0 : sim_nanoseconds() + (uint64_t)milliseconds * 1000000u;
}

/* --- table -------------------------------------------------------------------------------------------------------- */

static sim_object **bucket_of(const void *handle)
{
    return &objects.buckets[((uintptr_t)handle >> 4) * 0x9E3779B97F4A7C15u >> 54];
}

static sim_object *lookup(const void *handle)
{
    sim_object *object = *bucket_of(handle);
    while (object != NULL && object != handle)
        object = object->next;
    return object;
}

void *sim_object_new(sim_object_kind kind, size_t size, const char *function)
{
    sim_object *object = calloc(1, size);
    if (object == NULL)
        return NULL;
    object->kind = kind;
    object->live = true;
    object->serial = ++objects.serial;
    object->function = function;
    object->next = *bucket_of(object);
    *bucket_of(object) = object;
    return object;
}

void *sim_object_find(const void *handle, sim_object_kind kind)
{
    sim_object *object = lookup(handle);
    return object != NULL && object->live && object->kind == kind ? object : NULL;
}

bool sim_object_was(const void *handle, sim_object_kind kind)
{
    const sim_object *object = lookup(handle);
    return object != NULL && !object->live && object->kind == kind;
}

static void drop_oldest(void)
{
    sim_object *object = objects.retired;
    sim_object **link = bucket_of(object);
    while (*link != object)
        link = &(*link)->next;
    *link = object->next;
    objects.retired = object->later;
    objects.retired_count--;
    free(object);
}

void sim_object_retire(void *record)
{
    sim_object *object = record;
    object->live = false;
    if (object->release != NULL)
        object->release(object);
    *(objects.retired == NULL ? &objects.retired : objects.retired_end) = object;
    objects.retired_end = &object->later;
    objects.retired_count++;
    while (objects.visits == 0 && objects.retired_count > RETIRED_MAX)
        drop_oldest();
}

void sim_objects_each(sim_object_kind kind, void (*visit)(void *object, void *context), void *context)
{
    objects.visits++;
    for (int i = 0; i < BUCKETS; i++)
        for (sim_object *object = objects.buckets[i]; object != NULL; object = object->next)
            if (object->live && object->kind == kind)
                visit(object, context);
    objects.visits--;
}

const char *sim_object_kind_name(sim_object_kind kind)
{
    static const char *const names[SIM_OBJECT_KINDS] = {"context", "stream", "event", "data buffer", "communicator"};
    return names[kind];
}
