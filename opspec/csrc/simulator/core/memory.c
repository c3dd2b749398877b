#define _DEFAULT_SOURCE /* mincore */
#include "core/memory.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "acl/error_codes/rt_error_codes.h"
#include "core/errors.h"
#include "core/machine.h"
#include "core/uses.h"
#include "events.h"

enum { INSPECTED_MAX = 4096, WORDS_SIZE = 160 };

static const char *kind_name(sim_memory_kind kind) { return kind == SIM_DEVICE_MEMORY ? "device" : "host"; }

/* "device memory 0x…, 64 bytes, allocation 3 by aclrtMalloc on device 0" */
static const char *describe(const sim_block *block, char *words)
{
    int size = snprintf(words, WORDS_SIZE, "%s memory %p, %zu bytes, allocation %llu by %s", kind_name(block->kind),
        (void *)block->start, block->size, (unsigned long long)block->number, block->function);
    if (block->kind == SIM_DEVICE_MEMORY && size > 0 && size < WORDS_SIZE)
        (void)snprintf(words + size, (size_t)(WORDS_SIZE - size), " on device %d", (int)block->device);
    return words;
}

/* --- damage ------------------------------------------------------------------------------------------------------- */

static void tell_damage(sim_block *block, const char *function)
{
    char words[WORDS_SIZE];
    const ptrdiff_t at = block->damaged ? SIM_INTACT : sim_block_damage(block);
    if (at == SIM_INTACT)
        return;
    if (!block->freed && at >= (ptrdiff_t)block->size && at < (ptrdiff_t)block->room) {
        block->tail_used = true;
        opspec_tell(OPSPEC_SIMULATOR, FOUND_MEMORY_PAST_SIZE,
            "%s: %s was written to %td bytes past its end, where CANN rounds up", function, describe(block, words),
            at - (ptrdiff_t)block->size);
        return;
    }
    block->damaged = true;
    if (block->freed)
        opspec_tell(OPSPEC_SIMULATOR, FOUND_MEMORY_USE_AFTER_FREE,
            "%s: %s was written to after it was freed, %td bytes from its start", function, describe(block, words), at);
    else if (at < 0)
        opspec_tell(OPSPEC_SIMULATOR, FOUND_MEMORY_OUT_OF_BOUNDS,
            "%s: %s was written to %td bytes before its start", function, describe(block, words), -at);
    else
        opspec_tell(OPSPEC_SIMULATOR, FOUND_MEMORY_OUT_OF_BOUNDS, "%s: %s was written to %td bytes past its end",
            function, describe(block, words), at - (ptrdiff_t)block->size);
}

static struct {
    const char *function;
    size_t next, last, seen, count; /* with very many blocks every call looks at some only */
} inspection;

/* Freed blocks are looked at when they are forgotten. */

static void inspect(sim_block *block)
{
    const size_t number = inspection.count++;
    if (block->freed || number < inspection.next || inspection.seen >= INSPECTED_MAX)
        return;
    if (++inspection.seen == INSPECTED_MAX)
        inspection.last = number + 1;
    tell_damage(block, inspection.function);
}

void sim_memory_inspect(const char *function)
{
    sim_blocks_lock();
    inspection.function = function;
    inspection.seen = inspection.count = inspection.last = 0;
    sim_blocks_each(inspect);
    inspection.next = inspection.last; /* from the first one again when there were few */
    sim_blocks_unlock();
}

static const char at_exit[] = "at exit";

static void report_leak(sim_block *block)
{
    char words[WORDS_SIZE];
    tell_damage(block, at_exit);
    if (!block->freed)
        opspec_tell(OPSPEC_SIMULATOR, FOUND_MEMORY_LEAK, "%s: %s was never freed", at_exit, describe(block, words));
}

void sim_memory_report_leaks(void)
{
    sim_blocks_lock();
    sim_blocks_each(report_leak);
    sim_blocks_unlock();
}

/* --- allocation --------------------------------------------------------------------------------------------------- */

void *sim_memory_new(sim_memory_kind kind, int32_t device, size_t size, size_t room, const char *function)
{
    sim_blocks_lock();
    sim_block *block = sim_block_new(kind, device, size, room, function);
    void *start = block == NULL ? NULL : block->start;
    sim_blocks_unlock();
    return start;
}

size_t sim_memory_available(int32_t device)
{
    sim_blocks_lock();
    const size_t used = sim_blocks_used(device);
    sim_blocks_unlock();
    return SIM_DEVICE_MEMORY_SIZE - used;
}

static int32_t refuse_to_free(const sim_block *block, sim_memory_kind kind, const void *address, const char *function)
{
    char words[WORDS_SIZE];
    const int32_t status = ACL_ERROR_RT_PARAM_INVALID;
    if (block == NULL)
        return sim_misuse(status, FOUND_MEMORY_FOREIGN_FREE, "%s: %p is no %s memory that was allocated", function,
            address, kind_name(kind));
    if (block->freed)
        return sim_misuse(status, address == block->start ? FOUND_MEMORY_DOUBLE_FREE : FOUND_MEMORY_FOREIGN_FREE,
            "%s: %p belongs to %s, which was freed already", function, address, describe(block, words));
    if (block->kind != kind)
        return sim_misuse(status, FOUND_MEMORY_FOREIGN_FREE, "%s: %p is not %s memory but belongs to %s", function,
            address, kind_name(kind), describe(block, words));
    return sim_misuse(status, FOUND_MEMORY_FOREIGN_FREE, "%s: %p is not the start of %s, which it lies in", function,
        address, describe(block, words));
}

/* By CANN's documents neither aclrtFree nor aclrtFreeHost waits for what uses the memory. */
static void tell_users(const sim_block *block, const char *function)
{
    char words[WORDS_SIZE];
    sim_user user;
    if (sim_uses_forget(block->start, block->room, &user) && !sim_fault_happened()) /* else: given up, not forgotten */
        opspec_tell(OPSPEC_SIMULATOR, FOUND_MEMORY_FREED_IN_USE,
            "%s: %s is freed while %s (%s), which %s it, is in a stream that was not synchronised", function,
            describe(block, words), user.work, user.what, user.writes ? "writes to" : "reads");
}

int32_t sim_memory_free(sim_memory_kind kind, void *address, const char *function)
{
    int32_t status = ACL_RT_SUCCESS;
    sim_blocks_lock();
    sim_block *block = sim_block_at(address);
    if (block == NULL || block->freed || block->kind != kind || address != block->start) {
        status = refuse_to_free(block, kind, address, function);
    } else {
        tell_damage(block, function);
        tell_users(block, function);
        sim_block_retire(block);
        for (sim_block *first = sim_block_surplus(); first != NULL; first = sim_block_surplus()) {
            tell_damage(first, function);
            sim_block_drop_first();
        }
    }
    sim_blocks_unlock();
    return status;
}

/* --- use ---------------------------------------------------------------------------------------------------------- */

static size_t left_in(const sim_block *block, size_t block_size, const void *address)
{
    const uintptr_t at = (uintptr_t)address, start = (uintptr_t)block->start;
    return at < start || at - start > block_size ? 0 : block_size - (at - start);
}

static bool holds(const sim_block *block, size_t block_size, const void *address, size_t size)
{
    return (uintptr_t)address - (uintptr_t)block->start <= block_size && left_in(block, block_size, address) >= size;
}

/* The state of bytes that are used now. */
static sim_memory_state state_of(sim_block *block, const void *address, size_t size)
{
    if (block->freed)
        return SIM_MEMORY_FREED;
    if (holds(block, block->size, address, size))
        return SIM_MEMORY_VALID;
    if (!holds(block, block->room, address, size))
        return SIM_MEMORY_PAST_END;
    block->tail_used = true;
    return SIM_MEMORY_PAST_SIZE;
}

sim_memory_state sim_memory_check(const void *address, size_t size, size_t *left)
{
    sim_blocks_lock();
    sim_block *block = sim_block_at(address);
    const bool ours = block != NULL && block->kind == SIM_DEVICE_MEMORY;
    const sim_memory_state state = ours ? state_of(block, address, size) : SIM_MEMORY_UNKNOWN;
    if (left != NULL)
        *left = ours && !block->freed ? left_in(block, block->size, address) : 0;
    sim_blocks_unlock();
    return state;
}

bool sim_memory_owner(const void *address, sim_memory_kind *kind, int32_t *device)
{
    sim_blocks_lock();
    const sim_block *block = sim_block_at(address);
    if (block != NULL) {
        *kind = block->kind;
        *device = block->device;
    }
    sim_blocks_unlock();
    return block != NULL;
}

/* An address that the simulator did not give out is the host's: its first and last page are there, or not. */
bool sim_memory_mapped(const void *address, size_t size)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)address;
    unsigned char unused;
    if (size == 0 || at > UINTPTR_MAX - size)
        return false;
    return mincore((char *)address - at % page, 1, &unused) == 0 &&
        mincore((char *)address + (size - 1) - (at + size - 1) % page, 1, &unused) == 0;
}

bool sim_memory_usable(
    const char *function, const char *param, const void *address, size_t size, sim_memory_kind kind, int32_t *status)
{
    char words[WORDS_SIZE];
    const int32_t refused = ACL_ERROR_RT_PARAM_INVALID;
    *status = ACL_RT_SUCCESS;
    sim_blocks_lock();
    sim_block *block = sim_block_at(address);
    const sim_memory_state state = block == NULL ? SIM_MEMORY_UNKNOWN : state_of(block, address, size);
    if (block == NULL) {
        if (kind == SIM_DEVICE_MEMORY)
            *status = sim_misuse(refused, FOUND_MEMORY_NOT_DEVICE,
                "%s: %s is %p, which is no device memory; the kind of copy says that it is", function, param, address);
    } else if (state == SIM_MEMORY_FREED) {
        *status = sim_misuse(refused, FOUND_MEMORY_USE_AFTER_FREE, "%s: %s is %p in %s, which was freed", function, param,
            address, describe(block, words));
    } else if (block->kind != kind) {
        *status = sim_misuse(refused, kind == SIM_DEVICE_MEMORY ? FOUND_MEMORY_NOT_DEVICE : FOUND_MEMORY_NOT_HOST,
            "%s: %s should be %s memory, but %p belongs to %s", function, param, kind_name(kind), address,
            describe(block, words));
    } else if (state == SIM_MEMORY_PAST_SIZE) {
        opspec_tell(OPSPEC_SIMULATOR, FOUND_MEMORY_PAST_SIZE,
            "%s: %s is %p with %zu bytes left in %s; %zu are used, as far as CANN rounds up", function, param, address,
            left_in(block, block->size, address), describe(block, words), size);
    } else if (state == SIM_MEMORY_PAST_END) {
        *status = sim_misuse(refused, FOUND_MEMORY_OUT_OF_BOUNDS, "%s: %s is %p with %zu bytes left in %s; %zu are used",
            function, param, address, left_in(block, block->size, address), describe(block, words), size);
    }
    sim_blocks_unlock();
    return *status == ACL_RT_SUCCESS;
}
