/* The map from addresses to metadata: shards of open addressing, each behind a lock of its own. See handles.h. */
#include "handles.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHARDS = 64,              /* a power of 2 */
    SEEN = 32,                /* handles that a thread finds again without a lock; a power of 2, and few: a library that is
                                 opened late has little room for what threads have of their own */
    FIRST_SLOTS = 16,         /* of a shard's table; a power of 2 */
    GHOSTS = 128,             /* destroyed records that a shard keeps at most ... */
    GHOST_BYTES = 1 << 20,    /* ... and how much memory of them ... */
    GHOSTS_AT_LEAST = 8,      /* ... but so many whatever their size: a reader may still be at them */
    MEMBERS_MAX = 1 << 20,    /* of a list */
    ELEMENTS_MAX = 1 << 24    /* of an array */
};

/* What is allocated: the record, the bodies that its argument points to, and the arrays behind them. */
typedef struct {
    opspec_handle handle;
    const void *key;
    size_t bytes;
    union {
        opspec_tensor tensor;
        opspec_tensors tensors;
        opspec_scalar scalar;
        opspec_scalars scalars;
        opspec_ints ints;
        opspec_numbers numbers;
    } body;
} record;

typedef struct {
    const void *key; /* NULL: an empty slot */
    record *found;
    bool live;
} slot;

typedef struct {
    pthread_mutex_t lock;
    atomic_uint_fast64_t changes; /* raised behind each change, under the lock */
    slot *slots;
    size_t size; /* of slots: 0 or a power of 2 */
    size_t used;
    record *ghosts[GHOSTS]; /* a ring of destroyed records, the oldest at first */
    size_t first, ghost_count, ghost_bytes;
} shard;

#define LOCK PTHREAD_MUTEX_INITIALIZER
#define LOCKED_4 {.lock = LOCK}, {.lock = LOCK}, {.lock = LOCK}, {.lock = LOCK}
#define LOCKED_16 LOCKED_4, LOCKED_4, LOCKED_4, LOCKED_4
static shard shards[SHARDS] = {LOCKED_16, LOCKED_16, LOCKED_16, LOCKED_16};
static atomic_uint_fast64_t last_serial;
static atomic_int_fast64_t live_counts[OPSPEC_HANDLE_KINDS];

/* --- records ------------------------------------------------------------------------------------------------------ */

/* Room behind a record, handed out in pieces. */
typedef struct {
    unsigned char *next;
} room;

static record *new_record(opspec_handle_kind kind, size_t extra, room *behind)
{
    record *made = calloc(1, sizeof *made + extra);
    if (made == NULL)
        return NULL;
    made->bytes = sizeof *made + extra;
    made->handle.kind = kind;
    made->handle.serial = atomic_fetch_add(&last_serial, 1) + 1;
    made->handle.arg.pointer = &made->body;
    behind->next = (unsigned char *)(made + 1);
    return made;
}

/* Bytes of a piece: pieces keep the alignment of int64_t and pointers. */
static size_t rounded(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

static void *piece(room *behind, size_t bytes)
{
    void *start = behind->next;
    behind->next += rounded(bytes);
    return start;
}

static const int64_t *copied_dims(room *behind, const int64_t *dims, int64_t rank)
{
    int64_t *copy = piece(behind, (size_t)rank * sizeof *copy);
    if (rank > 0)
        memcpy(copy, dims, (size_t)rank * sizeof *copy);
    return copy;
}

static bool is_array(const void *items, uint64_t count, uint64_t most)
{
    return count <= most && (items != NULL || count == 0);
}

opspec_handle *opspec_handle_tensor(const int64_t *dims, uint64_t rank, int32_t dtype, const int64_t *strides,
    int64_t offset, int32_t format, const int64_t *storage_dims, int64_t storage_rank, void *data)
{
    const bool stored = storage_rank >= 0;
    if (!is_array(dims, rank, OPSPEC_RANK_MAX) || (stored && !is_array(storage_dims, (uint64_t)storage_rank, OPSPEC_RANK_MAX)))
        return NULL;
    const size_t arrays = (strides == NULL ? 1u : 2u) * (size_t)rank + (stored ? (size_t)storage_rank : 0u);
    room behind;
    record *made = new_record(OPSPEC_HANDLE_TENSOR, arrays * sizeof(int64_t), &behind);
    if (made == NULL)
        return NULL;
    opspec_tensor *tensor = &made->body.tensor;
    tensor->rank = (int64_t)rank;
    tensor->shape = copied_dims(&behind, dims, (int64_t)rank);
    tensor->strides = strides == NULL ? NULL : copied_dims(&behind, strides, (int64_t)rank);
    tensor->storage_shape = stored ? copied_dims(&behind, storage_dims, storage_rank) : NULL;
    tensor->storage_rank = stored ? storage_rank : 0;
    tensor->offset = offset;
    tensor->dtype = dtype;
    tensor->format = format;
    made->handle.data = data;
    return &made->handle;
}

/* The number that the bits of a binary16 stand for: exact, and without arithmetic that could trap. */
static double half_value(uint16_t bits)
{
    const uint32_t sign = (uint32_t)(bits & 0x8000u) << 16, exponent = bits >> 10 & 0x1Fu, fraction = bits & 0x3FFu;
    if (exponent == 0) {
        const double small = (double)fraction / 16777216.0;
        return sign ? -small : small;
    }
    const uint32_t wide = sign | (exponent == 0x1F ? 0xFFu : exponent + 112) << 23 | fraction << 13;
    float value;
    memcpy(&value, &wide, sizeof value);
    return (double)value;
}

static double bfloat_value(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return (double)value;
}

static opspec_number real_number(double value) { return (opspec_number){OPSPEC_REAL, {.real = value}}; }
static opspec_number whole_number(int64_t value) { return (opspec_number){OPSPEC_WHOLE, {.whole = value}}; }
static opspec_number natural_number(uint64_t value)
{
    return value > INT64_MAX ? (opspec_number){OPSPEC_BIG, {.big = value}} : whole_number((int64_t)value);
}

/* A scalar's value, read with the width of its dtype from an address of any alignment. */
static opspec_number scalar_value(const void *value, int32_t dtype)
{
#define READ(ctype, number)                                                                                            \
    do {                                                                                                               \
        ctype v;                                                                                                       \
        memcpy(&v, value, sizeof v);                                                                                   \
        return number;                                                                                                 \
    } while (0)
    switch (dtype) {
    case OPSPEC_DT_FLOAT: READ(float, real_number((double)v));
    case OPSPEC_DT_DOUBLE: READ(double, real_number(v));
    case OPSPEC_DT_FLOAT16: READ(uint16_t, real_number(half_value(v)));
    case OPSPEC_DT_BFLOAT16: READ(uint16_t, real_number(bfloat_value(v)));
    case OPSPEC_DT_INT8: READ(int8_t, whole_number(v));
    case OPSPEC_DT_INT16: READ(int16_t, whole_number(v));
    case OPSPEC_DT_INT32: READ(int32_t, whole_number(v));
    case OPSPEC_DT_INT64: READ(int64_t, whole_number(v));
    case OPSPEC_DT_UINT8: READ(uint8_t, whole_number(v));
    case OPSPEC_DT_UINT16: READ(uint16_t, whole_number(v));
    case OPSPEC_DT_UINT32: READ(uint32_t, whole_number((int64_t)v));
    case OPSPEC_DT_UINT64: READ(uint64_t, natural_number(v));
    case OPSPEC_DT_BOOL: READ(uint8_t, whole_number(v != 0));
    default: return (opspec_number){OPSPEC_NO_DATA, {0}};
    }
#undef READ
}

opspec_handle *opspec_handle_scalar(const void *value, int32_t dtype)
{
    room behind;
    record *made = value == NULL ? NULL : new_record(OPSPEC_HANDLE_SCALAR, 0, &behind);
    if (made == NULL)
        return NULL;
    made->body.scalar = (opspec_scalar){scalar_value(value, dtype), dtype};
    return &made->handle;
}

opspec_handle *opspec_handle_ints(const int64_t *values, uint64_t count)
{
    room behind;
    record *made = NULL;
    if (is_array(values, count, ELEMENTS_MAX))
        made = new_record(OPSPEC_HANDLE_INTS, (size_t)count * sizeof *values, &behind);
    if (made == NULL)
        return NULL;
    made->body.ints = (opspec_ints){copied_dims(&behind, values, (int64_t)count), (int64_t)count};
    return &made->handle;
}

opspec_handle *opspec_handle_bools(const bool *values, uint64_t count)
{
    room behind;
    record *made = NULL;
    if (is_array(values, count, ELEMENTS_MAX))
        made = new_record(OPSPEC_HANDLE_BOOLS, (size_t)count * sizeof(int64_t), &behind);
    if (made == NULL)
        return NULL;
    int64_t *items = piece(&behind, (size_t)count * sizeof *items);
    for (uint64_t i = 0; i < count; i++)
        items[i] = ((const unsigned char *)values)[i] != 0; /* any byte: a bool that is neither is undefined to read */
    made->body.ints = (opspec_ints){items, (int64_t)count};
    return &made->handle;
}

opspec_handle *opspec_handle_numbers(const float *values, uint64_t count)
{
    room behind;
    record *made = NULL;
    if (is_array(values, count, ELEMENTS_MAX))
        made = new_record(OPSPEC_HANDLE_NUMBERS, (size_t)count * sizeof(opspec_number), &behind);
    if (made == NULL)
        return NULL;
    opspec_number *items = piece(&behind, (size_t)count * sizeof *items);
    for (uint64_t i = 0; i < count; i++)
        items[i] = real_number((double)values[i]);
    made->body.numbers = (opspec_numbers){items, (int64_t)count};
    return &made->handle;
}

opspec_handle *opspec_handle_executor(size_t size)
{
    room behind;
    record *made = new_record(OPSPEC_HANDLE_EXECUTOR, rounded(size), &behind);
    if (made == NULL)
        return NULL;
    made->handle.data = piece(&behind, size);
    return &made->handle;
}

void opspec_handle_free(opspec_handle *handle) { free(handle); } /* the record's first member */

/* --- what is not known -------------------------------------------------------------------------------------------- */

static const opspec_scalar unknown_scalar = {{OPSPEC_NO_DATA, {0}}, OPSPEC_DTYPE_UNKNOWN};
static const opspec_tensors unknown_tensors = {NULL, -OPSPEC_NO_DATA};
static const opspec_scalars unknown_scalars = {NULL, -OPSPEC_NO_DATA};
static const opspec_ints unknown_ints = {NULL, -OPSPEC_NO_DATA};
static const opspec_numbers unknown_numbers = {NULL, -OPSPEC_NO_DATA};

static opspec_arg unknown_argument(opspec_handle_kind kind)
{
    switch (kind) {
    case OPSPEC_HANDLE_TENSOR: return (opspec_arg){.tensor = &opspec_no_tensor[OPSPEC_NO_DATA]};
    case OPSPEC_HANDLE_TENSORS: return (opspec_arg){.tensors = &unknown_tensors};
    case OPSPEC_HANDLE_SCALAR: return (opspec_arg){.scalar = &unknown_scalar};
    case OPSPEC_HANDLE_SCALARS: return (opspec_arg){.scalars = &unknown_scalars};
    case OPSPEC_HANDLE_INTS:
    case OPSPEC_HANDLE_BOOLS: return (opspec_arg){.ints = &unknown_ints};
    case OPSPEC_HANDLE_NUMBERS: return (opspec_arg){.numbers = &unknown_numbers};
    default: return (opspec_arg){.pointer = NULL};
    }
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

static size_t tensor_bytes(const opspec_tensor *tensor)
{
    const size_t rank = tensor->rank > 0 ? (size_t)tensor->rank : 0;
    const size_t arrays = (tensor->strides == NULL ? 1u : 2u) * rank + (size_t)tensor->storage_rank;
    return rounded(sizeof *tensor) + arrays * sizeof(int64_t);
}

/* A tensor in the list's own room: the member may be destroyed on its own. */
static const opspec_tensor *copied_tensor(room *behind, const opspec_tensor *tensor)
{
    opspec_tensor *copy = piece(behind, sizeof *copy);
    *copy = *tensor;
    if (tensor->rank >= 0)
        copy->shape = copied_dims(behind, tensor->shape, tensor->rank);
    if (tensor->strides != NULL)
        copy->strides = copied_dims(behind, tensor->strides, tensor->rank);
    if (tensor->storage_shape != NULL)
        copy->storage_shape = copied_dims(behind, tensor->storage_shape, tensor->storage_rank);
    return copy;
}

/* Arguments of the members, and the bytes that copies of them take. */
static size_t members_of(opspec_handle_kind kind, const void *const *members, uint64_t count, opspec_arg *found)
{
    const bool tensors = kind == OPSPEC_HANDLE_TENSORS;
    size_t bytes = 0;
    for (uint64_t i = 0; i < count; i++) {
        opspec_handle_state state;
        found[i] = opspec_argument(members[i], tensors ? OPSPEC_HANDLE_TENSOR : OPSPEC_HANDLE_SCALAR, &state);
        if (members[i] != NULL)
            bytes += tensors ? tensor_bytes(found[i].tensor) : rounded(sizeof(opspec_scalar));
    }
    return bytes;
}

static void fill_tensors(record *made, room *behind, const opspec_arg *found, uint64_t count)
{
    const opspec_tensor **items = piece(behind, (size_t)count * sizeof *items);
    for (uint64_t i = 0; i < count; i++)
        items[i] = found[i].tensor == NULL ? NULL : copied_tensor(behind, found[i].tensor);
    made->body.tensors = (opspec_tensors){items, (int64_t)count};
}

static void fill_scalars(record *made, room *behind, const opspec_arg *found, uint64_t count)
{
    const opspec_scalar **items = piece(behind, (size_t)count * sizeof *items);
    for (uint64_t i = 0; i < count; i++) {
        if (found[i].scalar == NULL)
            continue;
        opspec_scalar *copy = piece(behind, sizeof *copy);
        *copy = *found[i].scalar;
        items[i] = copy;
    }
    made->body.scalars = (opspec_scalars){items, (int64_t)count};
}

opspec_handle *opspec_handle_list(opspec_handle_kind kind, const void *const *members, uint64_t count)
{
    if ((kind != OPSPEC_HANDLE_TENSORS && kind != OPSPEC_HANDLE_SCALARS) || !is_array(members, count, MEMBERS_MAX))
        return NULL;
    opspec_arg *found = malloc(((size_t)count + 1) * sizeof *found);
    if (found == NULL)
        return NULL;
    room behind;
    const size_t bytes = members_of(kind, members, count, found) + 2 * (size_t)count * sizeof(void *);
    record *made = new_record(kind, bytes, &behind);
    if (made != NULL) {
        const void **handles = piece(&behind, (size_t)count * sizeof *handles);
        if (count > 0)
            memcpy(handles, members, (size_t)count * sizeof *handles);
        made->handle.members = handles;
        made->handle.member_count = (int64_t)count;
        (kind == OPSPEC_HANDLE_TENSORS ? fill_tensors : fill_scalars)(made, &behind, found, count);
    }
    free(found);
    return made == NULL ? NULL : &made->handle;
}

/* --- the map ------------------------------------------------------------------------------------------------------ */

static uint64_t hash_of(const void *key)
{
    uint64_t bits = (uint64_t)(uintptr_t)key;
    bits = (bits ^ bits >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return bits ^ bits >> 29;
}

static shard *shard_of(const void *key) { return &shards[hash_of(key) & (SHARDS - 1)]; }
static size_t home_of(const shard *s, const void *key) { return (size_t)(hash_of(key) >> 6) & (s->size - 1); }

/* The key's slot, or the empty one where it would be; the table has room. */
static slot *slot_of(const shard *s, const void *key)
{
    size_t place = home_of(s, key);
    while (s->slots[place].key != NULL && s->slots[place].key != key)
        place = (place + 1) & (s->size - 1);
    return &s->slots[place];
}

static slot *known_slot(const shard *s, const void *key)
{
    slot *found = s->size == 0 ? NULL : slot_of(s, key);
    return found == NULL || found->key == NULL ? NULL : found;
}

static bool make_room(shard *s)
{
    if (s->used * 4 < s->size * 3)
        return true;
    shard wider = {.size = s->size == 0 ? FIRST_SLOTS : s->size * 2};
    wider.slots = calloc(wider.size, sizeof *wider.slots);
    if (wider.slots == NULL)
        return false;
    for (size_t i = 0; i < s->size; i++)
        if (s->slots[i].key != NULL)
            *slot_of(&wider, s->slots[i].key) = s->slots[i];
    free(s->slots);
    s->slots = wider.slots;
    s->size = wider.size;
    return true;
}

/* Empty a slot, and move those behind it that were pushed there from their home. */
static void empty_slot(shard *s, slot *gone)
{
    size_t hole = (size_t)(gone - s->slots);
    for (size_t place = (hole + 1) & (s->size - 1); s->slots[place].key != NULL; place = (place + 1) & (s->size - 1)) {
        const size_t home = home_of(s, s->slots[place].key);
        if (((place - home) & (s->size - 1)) >= ((place - hole) & (s->size - 1))) {
            s->slots[hole] = s->slots[place];
            hole = place;
        }
    }
    s->slots[hole] = (slot){NULL, NULL, false};
    s->used--;
}

/* Free the oldest destroyed record, and forget its address unless another object has it by now. */
static void bury(shard *s)
{
    record *oldest = s->ghosts[s->first];
    s->first = (s->first + 1) % GHOSTS;
    s->ghost_count--;
    s->ghost_bytes -= oldest->bytes;
    slot *known = known_slot(s, oldest->key);
    if (known != NULL && known->found == oldest)
        empty_slot(s, known);
    free(oldest);
}

static void keep_ghost(shard *s, record *gone)
{
    while (s->ghost_count == GHOSTS || (s->ghost_count >= GHOSTS_AT_LEAST && s->ghost_bytes > GHOST_BYTES))
        bury(s);
    s->ghosts[(s->first + s->ghost_count) % GHOSTS] = gone;
    s->ghost_count++;
    s->ghost_bytes += gone->bytes;
}

bool opspec_handles_add(const void *key, opspec_handle *handle)
{
    record *made = (record *)handle;
    shard *s = shard_of(key);
    made->key = key;
    pthread_mutex_lock(&s->lock);
    const bool added = key != NULL && make_room(s);
    if (added) {
        slot *place = slot_of(s, key);
        record *before = place->live ? place->found : NULL;
        s->used += place->key == NULL;
        *place = (slot){key, made, true};
        atomic_fetch_add(&live_counts[handle->kind], 1);
        if (before != NULL) {
            atomic_fetch_sub(&live_counts[before->handle.kind], 1);
            keep_ghost(s, before);
        }
        atomic_fetch_add_explicit(&s->changes, 1, memory_order_release);
    }
    pthread_mutex_unlock(&s->lock);
    if (!added)
        opspec_handle_free(handle);
    return added;
}

static opspec_handle_state state_of(const slot *known, opspec_handle_kind kind)
{
    if (known == NULL)
        return OPSPEC_HANDLE_UNKNOWN;
    if (known->found->handle.kind != kind)
        return OPSPEC_HANDLE_OTHER_KIND;
    return known->live ? OPSPEC_HANDLE_LIVE : OPSPEC_HANDLE_DESTROYED;
}

opspec_handle_state opspec_handles_remove(const void *key, opspec_handle_kind kind)
{
    shard *s = shard_of(key);
    pthread_mutex_lock(&s->lock);
    slot *known = known_slot(s, key);
    const opspec_handle_state state = state_of(known, kind);
    if (state == OPSPEC_HANDLE_LIVE) {
        known->live = false;
        atomic_fetch_sub(&live_counts[kind], 1);
        keep_ghost(s, known->found);
        atomic_fetch_add_explicit(&s->changes, 1, memory_order_release);
    }
    pthread_mutex_unlock(&s->lock);
    return state;
}

/* Live handles that a thread has looked up, as long as their shards do not change: a call's are mostly those of the call
 * before. Without a lock, and as good as with it: another thread may destroy what is found as soon as it is found. */
typedef struct {
    const void *key;
    const record *found;
    uint64_t changes;
} sight;

static _Thread_local sight seen[SEEN];

static const opspec_handle *look_up(
    shard *s, sight *last, const void *key, opspec_handle_kind kind, opspec_handle_state *state)
{
    const opspec_handle *found = NULL;
    pthread_mutex_lock(&s->lock);
    const slot *known = known_slot(s, key);
    *state = state_of(known, kind);
    if (*state == OPSPEC_HANDLE_LIVE) {
        found = &known->found->handle;
        *last = (sight){key, known->found, atomic_load_explicit(&s->changes, memory_order_relaxed)};
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

const opspec_handle *opspec_handles_find(const void *key, opspec_handle_kind kind, opspec_handle_state *state)
{
    const uint64_t hash = hash_of(key);
    shard *s = &shards[hash & (SHARDS - 1)];
    sight *last = &seen[hash >> 6 & (SEEN - 1)];
    if (last->key != key || key == NULL || last->changes != atomic_load_explicit(&s->changes, memory_order_acquire) ||
        last->found->handle.kind != kind)
        return look_up(s, last, key, kind, state);
    *state = OPSPEC_HANDLE_LIVE;
    return &last->found->handle;
}

const opspec_handle *opspec_handles_ghost(const void *key)
{
    shard *s = shard_of(key);
    pthread_mutex_lock(&s->lock);
    const slot *known = known_slot(s, key);
    const opspec_handle *found = known != NULL && !known->live ? &known->found->handle : NULL;
    pthread_mutex_unlock(&s->lock);
    return found;
}

/* The next live record of a shard from a slot on, which is moved behind it. */
static const record *next_live(shard *s, size_t *place)
{
    const record *found = NULL;
    pthread_mutex_lock(&s->lock);
    for (; *place < s->size && found == NULL; (*place)++)
        if (s->slots[*place].key != NULL && s->slots[*place].live)
            found = s->slots[*place].found;
    pthread_mutex_unlock(&s->lock);
    return found;
}

void opspec_handles_each(void (*visit)(const void *key, const opspec_handle *record, void *context), void *context)
{
    for (size_t i = 0; i < SHARDS; i++) {
        size_t place = 0;
        for (const record *one; (one = next_live(&shards[i], &place)) != NULL;)
            visit(one->key, &one->handle, context); /* without the lock: it may look handles up */
    }
}

uint64_t opspec_handles_count(opspec_handle_kind kind)
{
    return kind < OPSPEC_HANDLE_KINDS ? (uint64_t)atomic_load(&live_counts[kind]) : 0;
}

const char *opspec_handle_kind_name(opspec_handle_kind kind)
{
    static const char *const names[OPSPEC_HANDLE_KINDS] = {
        [OPSPEC_HANDLE_TENSOR] = "aclTensor",       [OPSPEC_HANDLE_TENSORS] = "aclTensorList",
        [OPSPEC_HANDLE_SCALAR] = "aclScalar",       [OPSPEC_HANDLE_SCALARS] = "aclScalarList",
        [OPSPEC_HANDLE_INTS] = "aclIntArray",       [OPSPEC_HANDLE_BOOLS] = "aclBoolArray",
        [OPSPEC_HANDLE_NUMBERS] = "aclFloatArray",  [OPSPEC_HANDLE_EXECUTOR] = "aclOpExecutor",
    };
    return kind < OPSPEC_HANDLE_KINDS ? names[kind] : "handle";
}

opspec_arg opspec_argument(const void *key, opspec_handle_kind kind, opspec_handle_state *state)
{
    if (key == NULL) {
        *state = OPSPEC_HANDLE_LIVE; /* nothing is wrong with it: whether null may stand there, a rule says */
        return (opspec_arg){.pointer = NULL};
    }
    const opspec_handle *found = opspec_handles_find(key, kind, state);
    return found == NULL ? unknown_argument(kind) : found->arg;
}
