#include "core/writes.h"

#include <pthread.h>
#include <string.h>

enum { WRITES_MAX = 4096 }; /* when there are more, the oldest is taken for done */

typedef struct {
    uintptr_t start, end;
    sim_mark mark;
} write;

static struct {
    pthread_mutex_t lock;
    write list[WRITES_MAX]; /* oldest first */
    size_t count;
    uint64_t order;
} writes = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool overlaps(const write *one, uintptr_t start, uintptr_t end) { return one->start < end && start < one->end; }

static void remove_at(size_t place)
{
    writes.count--;
    memmove(writes.list + place, writes.list + place + 1, (writes.count - place) * sizeof writes.list[0]);
}

void sim_writes_add(const void *address, size_t size, uint64_t stream)
{
    const uintptr_t start = (uintptr_t)address, end = start + size;
    (void)pthread_mutex_lock(&writes.lock);
    writes.order++;
    for (size_t i = 0; i < writes.count; i++)
        if (writes.list[i].start >= start && writes.list[i].end <= end && writes.list[i].mark.stream == stream)
            remove_at(i--);
    if (writes.count == WRITES_MAX)
        remove_at(0);
    if (size > 0)
        writes.list[writes.count++] = (write){start, end, {stream, writes.order}};
    (void)pthread_mutex_unlock(&writes.lock);
}

uint64_t sim_writes_order(void)
{
    (void)pthread_mutex_lock(&writes.lock);
    const uint64_t order = writes.order;
    (void)pthread_mutex_unlock(&writes.lock);
    return order;
}

void sim_writes_done(sim_mark mark)
{
    (void)pthread_mutex_lock(&writes.lock);
    size_t kept = 0;
    for (size_t i = 0; i < writes.count; i++)
        if (writes.list[i].mark.stream != mark.stream || writes.list[i].mark.order > mark.order)
            writes.list[kept++] = writes.list[i];
    writes.count = kept;
    (void)pthread_mutex_unlock(&writes.lock);
}

bool sim_writes_forget(const void *address, size_t size)
{
    const uintptr_t start = (uintptr_t)address;
    (void)pthread_mutex_lock(&writes.lock);
    size_t kept = 0;
    for (size_t i = 0; i < writes.count; i++)
        if (!overlaps(&writes.list[i], start, start + size))
            writes.list[kept++] = writes.list[i];
    const bool found = kept < writes.count;
    writes.count = kept;
    (void)pthread_mutex_unlock(&writes.lock);
    return found;
}

uint64_t sim_writes_pending(const void *address, size_t size, uint64_t but)
{
    const uintptr_t start = (uintptr_t)address;
    uint64_t found = 0;
    (void)pthread_mutex_lock(&writes.lock);
    for (size_t i = 0; i < writes.count && found == 0; i++)
        if (writes.list[i].mark.stream != but && overlaps(&writes.list[i], start, start + size))
            found = writes.list[i].mark.stream;
    (void)pthread_mutex_unlock(&writes.lock);
    return found;
}
