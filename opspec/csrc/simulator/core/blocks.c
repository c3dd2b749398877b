#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "core/blocks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/machine.h"

enum { FREED_MAX = 1024, POISON_MAX = 64 * 1024 };
static const unsigned char poison = 0xDB;

static struct {
    pthread_mutex_t lock;
    sim_block **sorted; /* by address */
    size_t count, room;
    sim_block *freed, **freed_end; /* oldest first */
    size_t freed_count;
    uint64_t number;
    size_t used[SIM_DEVICES_MAX];
} blocks = {.lock = PTHREAD_MUTEX_INITIALIZER};

void sim_blocks_lock(void) { (void)pthread_mutex_lock(&blocks.lock); }
void sim_blocks_unlock(void) { (void)pthread_mutex_unlock(&blocks.lock); }

/* --- red zones and poison ----------------------------------------------------------------------------------------- */

/* The bytes of red zones differ, so that a zone that is copied onto itself with an offset does not look whole. */
static unsigned char zone_byte(size_t at) { return (unsigned char)(0xA5u ^ (at * 29u & 0xFFu)); }

static void paint(unsigned char *zone, size_t size)
{
    for (size_t i = 0; i < size; i++)
        zone[i] = zone_byte(i);
}

/* Where the first bytes of a zone, or of what is painted like one, differ from their paint. */
static ptrdiff_t painted(const unsigned char *zone, size_t size)
{
    static unsigned char whole[SIM_ZONE]; /* under the lock, as everything here */
    if (whole[0] != zone_byte(0))
        paint(whole, sizeof whole);
    if (memcmp(zone, whole, size) == 0)
        return SIM_INTACT;
    for (size_t i = 0; i < size; i++)
        if (zone[i] != zone_byte(i))
            return (ptrdiff_t)i;
    return SIM_INTACT;
}

static size_t poisoned_size(const sim_block *block) { return block->room < POISON_MAX ? block->room : POISON_MAX; }

ptrdiff_t sim_block_damage(const sim_block *block)
{
    const ptrdiff_t before = painted(block->start - SIM_ZONE, SIM_ZONE);
    const ptrdiff_t behind = painted(block->start + block->room, SIM_ZONE);
    if (before != SIM_INTACT)
        return before - SIM_ZONE;
    if (behind != SIM_INTACT)
        return (ptrdiff_t)block->room + behind;
    if (!block->freed && !block->tail_used) {
        const ptrdiff_t tail = painted(block->start + block->size, block->room - block->size);
        return tail != SIM_INTACT ? (ptrdiff_t)block->size + tail : SIM_INTACT;
    }
    for (size_t i = 0, size = block->freed ? poisoned_size(block) : 0; i < size; i++)
        if (block->start[i] != poison)
            return (ptrdiff_t)i;
    return SIM_INTACT;
}

/* Fills the first bytes, and gives the pages that lie wholly behind them back. */
static void spoil(sim_block *block)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)block->start + POISON_MAX + page - 1) / page * page;
    const uintptr_t last = (uintptr_t)(block->start + block->room) / page * page;
    memset(block->start, poison, poisoned_size(block));
    if (block->room > POISON_MAX && last > first)
        (void)madvise(block->start + (first - (uintptr_t)block->start), last - first, MADV_DONTNEED);
}

/* --- table -------------------------------------------------------------------------------------------------------- */

/* How many blocks start at or before an address, their first red zone included. */
static size_t place_of(const void *address)
{
    size_t low = 0, high = blocks.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)blocks.sorted[middle]->start - SIM_ZONE <= (uintptr_t)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

sim_block *sim_block_at(const void *address)
{
    const size_t place = place_of(address);
    if (place == 0)
        return NULL;
    sim_block *block = blocks.sorted[place - 1];
    const uintptr_t distance = (uintptr_t)address - ((uintptr_t)block->start - SIM_ZONE);
    return distance < block->room + 2 * SIM_ZONE ? block : NULL;
}

static bool insert(sim_block *block)
{
    if (blocks.count == blocks.room) {
        const size_t room = blocks.room == 0 ? 256 : blocks.room * 2;
        sim_block **more = realloc(blocks.sorted, room * sizeof *more);
        if (more == NULL)
            return false;
        blocks.sorted = more;
        blocks.room = room;
    }
    const size_t place = place_of(block->start);
    memmove(blocks.sorted + place + 1, blocks.sorted + place, (blocks.count - place) * sizeof *blocks.sorted);
    blocks.sorted[place] = block;
    blocks.count++;
    return true;
}

void sim_block_drop_first(void)
{
    sim_block *block = blocks.freed;
    const size_t place = place_of(block->start) - 1;
    memmove(blocks.sorted + place, blocks.sorted + place + 1, (blocks.count - place - 1) * sizeof *blocks.sorted);
    blocks.count--;
    blocks.freed = block->later;
    blocks.freed_count--;
    (void)munmap(block->start - SIM_ZONE, block->mapped);
    free(block);
}

static unsigned char *map(size_t size)
{
    void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return found == MAP_FAILED ? NULL : found;
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static size_t counted_size(const sim_block *block)
{
    return (block->size + SIM_ALIGNMENT - 1) / SIM_ALIGNMENT * SIM_ALIGNMENT;
}

static bool fits(sim_memory_kind kind, int32_t device, size_t size)
{
    const size_t used = kind == SIM_DEVICE_MEMORY ? blocks.used[device] : 0;
    return size <= SIM_DEVICE_MEMORY_SIZE - SIM_ALIGNMENT && used + size <= SIM_DEVICE_MEMORY_SIZE - SIM_ALIGNMENT;
}

sim_block *sim_block_new(sim_memory_kind kind, int32_t device, size_t size, size_t room, const char *function)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!fits(kind, device, size))
        return NULL;
    const size_t mapped = (room + 2 * SIM_ZONE + page - 1) / page * page;
    sim_block *block = malloc(sizeof *block);
    unsigned char *bytes = map(mapped);
    while (bytes == NULL && blocks.freed != NULL) {
        sim_block_drop_first();
        bytes = map(mapped);
    }
    if (block != NULL && bytes != NULL) {
        *block = (sim_block){.start = bytes + SIM_ZONE, .size = size, .room = room, .mapped = mapped,
            .number = blocks.number + 1, .function = function, .kind = kind, .device = device};
        if (insert(block)) {
            blocks.number++;
            paint(bytes, SIM_ZONE);
            paint(block->start + size, room - size);
            paint(block->start + room, SIM_ZONE);
            blocks.used[device] += kind == SIM_DEVICE_MEMORY ? counted_size(block) : 0;
            return block;
        }
    }
    if (bytes != NULL)
        (void)munmap(bytes, mapped);
    free(block);
    return NULL;
}

void sim_block_retire(sim_block *block)
{
    if (block->kind == SIM_DEVICE_MEMORY)
        blocks.used[block->device] -= counted_size(block);
    block->freed = true;
    spoil(block);
    *(blocks.freed == NULL ? &blocks.freed : blocks.freed_end) = block;
    blocks.freed_end = &block->later;
    blocks.freed_count++;
}

sim_block *sim_block_surplus(void) { return blocks.freed_count > FREED_MAX ? blocks.freed : NULL; }

void sim_blocks_each(void (*visit)(sim_block *block))
{
    for (size_t i = 0; i < blocks.count; i++)
        visit(blocks.sorted[i]);
}

size_t sim_blocks_used(int32_t device) { return blocks.used[device]; }
