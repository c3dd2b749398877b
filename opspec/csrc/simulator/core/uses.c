#include "core/uses.h"

#include <pthread.h>
#include <string.h>

enum { USES_MAX = 4096 }; /* when there are more, the oldest is taken for done */

typedef struct {
    uintptr_t start, end;
    sim_mark mark;
    bool whole, told;
    sim_user user;
} record;

static struct {
    pthread_mutex_t lock;
    record list[USES_MAX]; /* oldest first */
    size_t count;
    uint64_t order;
} uses = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- memory in common --------------------------------------------------------------------------------------------- */

static bool contains(const record *one, uintptr_t start, uintptr_t end)
{
    return one->whole && one->start <= start && end <= one->end;
}

/* Whether two surely have a byte in common: the first and the last byte are used, those between them not always, as in
 * columns of a table. */
static bool meet(const record *one, const record *other)
{
    if (one->end <= other->start || other->end <= one->start)
        return false;
    return (one->whole && other->whole) || one->start == other->start || one->end == other->end ||
        contains(one, other->start, other->start + 1) || contains(one, other->end - 1, other->end) ||
        contains(other, one->start, one->start + 1) || contains(other, one->end - 1, one->end);
}

static record record_of(const sim_use *use)
{
    const uintptr_t start = (uintptr_t)use->address;
    return (record){.start = start, .end = start + use->size, .whole = use->whole,
        .user = {.work = use->work, .what = use->what, .writes = use->writes}};
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

static void remove_at(size_t place)
{
    uses.count--;
    memmove(uses.list + place, uses.list + place + 1, (uses.count - place) * sizeof uses.list[0]);
}

/* Whatever conflicts with an older use of the same stream conflicts with this one, too. */
static bool replaces(const record *added, const record *old)
{
    return old->mark.stream == added->mark.stream && contains(added, old->start, old->end) &&
        (added->user.writes || !old->user.writes);
}

static bool conflicts(const record *added, const record *old, const sim_clock *clock)
{
    return old->mark.stream != added->mark.stream && !old->told && (added->user.writes || old->user.writes) &&
        meet(added, old) && !sim_clock_covers(clock, old->mark);
}

bool sim_uses_add(const sim_use *use, const sim_worker *by, sim_user *other)
{
    record added = record_of(use);
    bool found = false;
    if (use->size == 0)
        return false;
    added.user.stream = by->handle;
    added.user.is_default = by->is_default;
    (void)pthread_mutex_lock(&uses.lock);
    added.mark = (sim_mark){by->serial, ++uses.order};
    size_t kept = 0;
    for (size_t i = 0; i < uses.count; i++) {
        record *old = &uses.list[i];
        if (!found && conflicts(&added, old, by->clock)) {
            found = old->told = true;
            *other = old->user;
        }
        if (!replaces(&added, old) && kept++ != i)
            uses.list[kept - 1] = *old;
    }
    uses.count = kept;
    if (uses.count == USES_MAX)
        remove_at(0);
    uses.list[uses.count++] = added;
    (void)pthread_mutex_unlock(&uses.lock);
    return found;
}

bool sim_uses_pending(const sim_use *use, bool reads, sim_user *user)
{
    const record asked = record_of(use);
    bool found = false;
    (void)pthread_mutex_lock(&uses.lock);
    for (size_t i = 0; i < uses.count && !found; i++) {
        found = (reads || uses.list[i].user.writes) && meet(&asked, &uses.list[i]);
        if (found)
            *user = uses.list[i].user;
    }
    (void)pthread_mutex_unlock(&uses.lock);
    return found;
}

bool sim_uses_forget(const void *address, size_t size, sim_user *user)
{
    const uintptr_t start = (uintptr_t)address;
    (void)pthread_mutex_lock(&uses.lock);
    size_t kept = 0;
    for (size_t i = 0; i < uses.count; i++)
        if (uses.list[i].end <= start || start + size <= uses.list[i].start)
            uses.list[kept++] = uses.list[i];
        else
            *user = uses.list[i].user;
    const bool found = kept < uses.count;
    uses.count = kept;
    (void)pthread_mutex_unlock(&uses.lock);
    return found;
}

void sim_uses_done(const sim_clock *clock)
{
    (void)pthread_mutex_lock(&uses.lock);
    size_t kept = 0;
    for (size_t i = 0; i < uses.count; i++)
        if (!sim_clock_covers(clock, uses.list[i].mark))
            uses.list[kept++] = uses.list[i];
    uses.count = kept;
    (void)pthread_mutex_unlock(&uses.lock);
}

uint64_t sim_uses_order(void)
{
    (void)pthread_mutex_lock(&uses.lock);
    const uint64_t order = uses.order;
    (void)pthread_mutex_unlock(&uses.lock);
    return order;
}
