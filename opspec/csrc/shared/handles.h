/* What is known of the objects behind aclTensor*, aclScalar*, aclIntArray* ...: a map from address to metadata.
 *
 * Only addresses are looked up: a handle is never read through, so that garbage and destroyed handles are told from
 * live ones. The simulator keys records by handles that it makes up, none of which it gives out twice, the layer by
 * the handles of the real library. All functions may be called by any number of threads; looking a handle up
 * allocates nothing and blocks on nothing but a short lock of its shard.
 */
#ifndef OPSPEC_HANDLES_H
#define OPSPEC_HANDLES_H

#include "opspec_rules.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    OPSPEC_HANDLE_TENSOR, OPSPEC_HANDLE_TENSORS, OPSPEC_HANDLE_SCALAR, OPSPEC_HANDLE_SCALARS, OPSPEC_HANDLE_INTS,
    OPSPEC_HANDLE_BOOLS, OPSPEC_HANDLE_NUMBERS, OPSPEC_HANDLE_EXECUTOR, OPSPEC_HANDLE_KINDS
} opspec_handle_kind;

typedef enum { OPSPEC_HANDLE_UNKNOWN, OPSPEC_HANDLE_LIVE, OPSPEC_HANDLE_DESTROYED, OPSPEC_HANDLE_OTHER_KIND } opspec_handle_state;

/* A record: the argument that rules read, and what the owner needs beyond it. One allocation, with all arrays. */
typedef struct opspec_handle {
    opspec_handle_kind kind;
    opspec_arg arg;      /* the member that the kind names points into this record */
    void *data;          /* of a tensor: its device address as it was given; its owner changes it atomically */
    uint64_t serial;     /* differs for every record ever made: a later object at the same address is another one */
    const void *const *members; /* of a list: the handles it was made of */
    int64_t member_count;
} opspec_handle;

/* Records of what the arguments of aclCreate... say; NULL when there is no memory, or an array is null though its count
 * is not 0, or the count is beyond reason (1024 dims, 2^20 members, 2^24 elements). strides may be NULL (contiguous),
 * storage_dims with storage_rank < 0 (not known). */
opspec_handle *opspec_handle_tensor(const int64_t *dims, uint64_t rank, int32_t dtype, const int64_t *strides,
    int64_t offset, int32_t format, const int64_t *storage_dims, int64_t storage_rank, void *data);
opspec_handle *opspec_handle_scalar(const void *value, int32_t dtype);
opspec_handle *opspec_handle_ints(const int64_t *values, uint64_t count);
opspec_handle *opspec_handle_bools(const bool *values, uint64_t count);
opspec_handle *opspec_handle_numbers(const float *values, uint64_t count);
/* Of lists: of the members' records as they are now; a member that is not known has no data (OPSPEC_NO_DATA). */
opspec_handle *opspec_handle_list(opspec_handle_kind kind, const void *const *members, uint64_t count);
/* With size bytes at data, zero, for whoever makes executors. It has no argument. */
opspec_handle *opspec_handle_executor(size_t size);
void opspec_handle_free(opspec_handle *record); /* of a record that was never added */

/* Make a record known by an address. An address that is known already is replaced. false: no memory, record freed. */
bool opspec_handles_add(const void *key, opspec_handle *record);
/* Forget a handle: the record is destroyed, and kept a while so that its use afterwards can be told. The state is what
 * it was before: LIVE when it is gone now. */
opspec_handle_state opspec_handles_remove(const void *key, opspec_handle_kind kind);
/* The record of a live handle of that kind, else NULL; the state says why. It stays readable for a while when another
 * thread destroys the handle at the same time. */
const opspec_handle *opspec_handles_find(const void *key, opspec_handle_kind kind, opspec_handle_state *state);
/* The record of a handle that was destroyed not long ago, else NULL. */
const opspec_handle *opspec_handles_ghost(const void *key);
/* Calls visit with every live handle (for a report of leaks at exit). One that is made or destroyed meanwhile may be
 * missed or visited twice. */
void opspec_handles_each(void (*visit)(const void *key, const opspec_handle *record, void *context), void *context);
uint64_t opspec_handles_count(opspec_handle_kind kind);
const char *opspec_handle_kind_name(opspec_handle_kind kind); /* "aclTensor" ... */

/* An argument for a rule: of a NULL handle the null argument, of a live one its record's, of any other one an argument
 * of which nothing is known (its rules are not decided), with the state to say why. The state of a NULL handle is LIVE. */
opspec_arg opspec_argument(const void *key, opspec_handle_kind kind, opspec_handle_state *state);

#ifdef __cplusplus
}
#endif

#endif
