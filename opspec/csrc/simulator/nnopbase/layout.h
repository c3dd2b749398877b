/* Where the elements of a tensor's view lie in its storage. */
#ifndef OPSPEC_NNOPBASE_LAYOUT_H
#define OPSPEC_NNOPBASE_LAYOUT_H

#include "opspec_rules.h"

/* In bytes from the tensor's address on; first > end when there are none. dims is how many of them are in a view that
 * is walked, after those of length 1 and stride 0, and those that follow on each other, are gone. */
typedef struct {
    int64_t first, end;
    int64_t elements; /* of the view; INT64_MAX where there are more */
    bool known;       /* false: the dtype has no width, or the places overflow */
    bool whole;       /* every byte from first to end belongs to it */
} sim_span;

sim_span sim_span_of(const opspec_tensor *tensor);

/* Fill the elements of a tensor at an address with its dtype's pattern; span is sim_span_of's and in valid memory. */
void sim_fill(const opspec_tensor *tensor, const sim_span *span, unsigned char *address);

#endif
