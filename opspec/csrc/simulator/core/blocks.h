/* Blocks of memory with a red zone on both sides, and those that were freed and are kept for a while.
 *
 * The bytes of a block are host memory that is mapped, not taken: a block of 60 GiB costs nothing but the pages that
 * are written to. Everything here is called with the lock of blocks held. */
#ifndef OPSPEC_SIM_BLOCKS_H
#define OPSPEC_SIM_BLOCKS_H

#include "sim.h"

typedef enum { SIM_DEVICE_MEMORY, SIM_HOST_MEMORY } sim_memory_kind;

typedef struct sim_block {
    unsigned char *start; /* what the program holds, aligned to SIM_ALIGNMENT */
    size_t size;          /* bytes that it asked for */
    size_t room;          /* bytes that there are: CANN rounds device memory up */
    size_t mapped;        /* bytes from SIM_ZONE before the start */
    uint64_t number;      /* of the allocation, from 1 */
    const char *function; /* that made it */
    sim_memory_kind kind;
    int32_t device;
    bool freed;
    bool damaged;   /* that it was written to where it must not be has been told */
    bool tail_used; /* what lies between size and room is used, which has been told: it is watched no more */
    struct sim_block *later; /* freed after this one */
} sim_block;

enum { SIM_ALIGNMENT = 512, SIM_ZONE = 512 };

void sim_blocks_lock(void);
void sim_blocks_unlock(void);

sim_block *sim_block_new(sim_memory_kind kind, int32_t device, size_t size, size_t room, const char *function);
sim_block *sim_block_at(const void *address); /* live or freed, whose bytes or red zones hold the address; or NULL */
void sim_block_retire(sim_block *block);      /* freed: poisoned, and kept */
sim_block *sim_block_surplus(void);           /* the one freed first, when more are kept than need be; or NULL */
void sim_block_drop_first(void);              /* forgets the one freed first */
void sim_blocks_each(void (*visit)(sim_block *block));
size_t sim_blocks_used(int32_t device); /* bytes of a device's live blocks */

/* Where bytes that nobody may write to were written to: the distance from the block's start (negative: before it), or
 * SIM_INTACT. Of a freed block: anywhere; of a live one also between size and room, where nothing worse is found. */
#define SIM_INTACT PTRDIFF_MAX
ptrdiff_t sim_block_damage(const sim_block *block);

#endif
