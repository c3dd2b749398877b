/* Real functions: where they are, behind the layer's own of the same names. */
#ifndef OPSPEC_LAYER_REAL_H
#define OPSPEC_LAYER_REAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*layer_function)(void);

/* A function's name and, once it was found, where it is. Assembly reads it, too: two words. */
typedef struct {
    const char *name;
    layer_function _Atomic real;
} layer_slot;

/* NULL: no library has it. */
layer_function layer_find(layer_slot *slot);

static inline layer_function layer_real(layer_slot *slot)
{
    const layer_function known = atomic_load_explicit(&slot->real, memory_order_acquire);
    return known != NULL ? known : layer_find(slot);
}

bool layer_is_own(const void *symbol); /* whether the layer itself has it */

/* For a function that no library has: says so; the status to return. A program that is linked against the function
 * would not have started without the layer, so no status is the right one: it is an inner error's. */
int32_t layer_absent(const layer_slot *slot);

layer_function layer_forward(layer_slot *slot); /* never NULL */

/* Written with the entries: libraries that have real functions, in the order in which they are searched, and a NULL. */
extern const char *const layer_libraries[];
extern layer_slot layer_forwarded[]; /* functions that are handed on unseen: assembly jumps through the slots */

#endif
