/* Exercises opspec/csrc/shared/handles.c; says what does not hold, and how often. Built under sanitizers. */
#include "handles.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                     \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)

static const void *key_of(uintptr_t number) { return (const void *)(number * 16); }

static opspec_handle *small_tensor(int64_t first)
{
    const int64_t dims[] = {first, 3};
    return opspec_handle_tensor(dims, 2, OPSPEC_DT_FLOAT, NULL, 0, OPSPEC_FORMAT_ND, dims, 2, NULL);
}

static void test_tensors(void)
{
    const int64_t dims[] = {2, 3}, strides[] = {3, 1}, storage[] = {6};
    char data;
    opspec_handle *made =
        opspec_handle_tensor(dims, 2, OPSPEC_DT_FLOAT16, strides, 1, OPSPEC_FORMAT_NCHW, storage, 1, &data);
    const opspec_tensor *t = made->arg.tensor;
    CHECK(t->rank == 2 && t->shape != dims && memcmp(t->shape, dims, sizeof dims) == 0);
    CHECK(memcmp(t->strides, strides, sizeof strides) == 0 && t->storage_rank == 1 && t->storage_shape[0] == 6);
    CHECK(t->dtype == OPSPEC_DT_FLOAT16 && t->format == OPSPEC_FORMAT_NCHW && t->offset == 1 && t->values == NULL);
    CHECK(made->data == &data && made->kind == OPSPEC_HANDLE_TENSOR);
    opspec_handle *other = opspec_handle_tensor(NULL, 0, OPSPEC_DT_FLOAT, NULL, 0, OPSPEC_FORMAT_ND, NULL, -1, NULL);
    CHECK(other->arg.tensor->rank == 0 && other->arg.tensor->strides == NULL && other->arg.tensor->storage_shape == NULL);
    CHECK(other->serial != made->serial);
    opspec_handle_free(made);
    opspec_handle_free(other);
}

static void test_absurd_counts(void)
{
    int64_t dims[100];
    for (int i = 0; i < 100; i++)
        dims[i] = INT64_MAX - i;
    opspec_handle *deep = opspec_handle_tensor(dims, 100, 77, dims, INT64_MIN, -5, dims, 100, NULL);
    CHECK(deep != NULL && deep->arg.tensor->rank == 100 && deep->arg.tensor->shape[99] == INT64_MAX - 99);
    opspec_handle_free(deep);
    CHECK(opspec_handle_tensor(NULL, 1, 0, NULL, 0, 2, dims, 1, NULL) == NULL);
    CHECK(opspec_handle_tensor(dims, 1, 0, NULL, 0, 2, NULL, 1, NULL) == NULL);
    CHECK(opspec_handle_tensor(dims, UINT64_MAX, 0, NULL, 0, 2, dims, 1, NULL) == NULL);
    CHECK(opspec_handle_tensor(dims, 1, 0, NULL, 0, 2, dims, INT64_MAX, NULL) == NULL);
    const float number = 1.0F;
    const bool truth = true;
    const void *member = &number;
    CHECK(opspec_handle_ints(dims, UINT64_MAX / 8) == NULL && opspec_handle_ints(NULL, 1) == NULL);
    CHECK(opspec_handle_bools(&truth, UINT64_MAX) == NULL && opspec_handle_bools(NULL, 1) == NULL);
    CHECK(opspec_handle_numbers(&number, (uint64_t)1 << 60) == NULL && opspec_handle_numbers(NULL, 1) == NULL);
    CHECK(opspec_handle_list(OPSPEC_HANDLE_TENSORS, &member, UINT64_MAX) == NULL);
    CHECK(opspec_handle_list(OPSPEC_HANDLE_SCALARS, NULL, 3) == NULL);
    CHECK(opspec_handle_list(OPSPEC_HANDLE_INTS, &member, 1) == NULL);
    CHECK(opspec_handle_scalar(NULL, OPSPEC_DT_FLOAT) == NULL);
    opspec_handle *none = opspec_handle_ints(NULL, 0);
    CHECK(none != NULL && none->arg.ints->count == 0 && none->arg.ints->items != NULL);
    opspec_handle_free(none);
}

static opspec_number value_of(const void *value, int32_t dtype)
{
    opspec_handle *made = opspec_handle_scalar(value, dtype);
    const opspec_number found = made->arg.scalar->value;
    CHECK(made->arg.scalar->dtype == dtype);
    opspec_handle_free(made);
    return found;
}

#define IS_REAL(n, expected) ((n).kind == OPSPEC_REAL && (n).as.real == (expected))
#define IS_WHOLE(n, expected) ((n).kind == OPSPEC_WHOLE && (n).as.whole == (expected))

static void test_scalars(void)
{
    const uint16_t half = 0xC248, least = 0x0001, infinite = 0x7C00, nan16 = 0x7E00, bfloat = 0x3FC0;
    const float single = 0.1F;
    const double real = -1e300;
    CHECK(IS_REAL(value_of(&half, OPSPEC_DT_FLOAT16), -3.140625));
    CHECK(IS_REAL(value_of(&least, OPSPEC_DT_FLOAT16), ldexp(1, -24)));
    CHECK(IS_REAL(value_of(&infinite, OPSPEC_DT_FLOAT16), INFINITY));
    CHECK(isnan(value_of(&nan16, OPSPEC_DT_FLOAT16).as.real));
    CHECK(IS_REAL(value_of(&bfloat, OPSPEC_DT_BFLOAT16), 1.5));
    CHECK(IS_REAL(value_of(&single, OPSPEC_DT_FLOAT), (double)0.1F));
    CHECK(IS_REAL(value_of(&real, OPSPEC_DT_DOUBLE), -1e300));
    const int8_t i8 = -128;
    const uint8_t u8 = 200, truth = 7;
    const int64_t i64 = INT64_MIN;
    const uint64_t u64 = UINT64_MAX, small = 5;
    CHECK(IS_WHOLE(value_of(&i8, OPSPEC_DT_INT8), -128) && IS_WHOLE(value_of(&u8, OPSPEC_DT_UINT8), 200));
    CHECK(IS_WHOLE(value_of(&i64, OPSPEC_DT_INT64), INT64_MIN) && IS_WHOLE(value_of(&small, OPSPEC_DT_UINT64), 5));
    CHECK(value_of(&u64, OPSPEC_DT_UINT64).kind == OPSPEC_BIG && value_of(&u64, OPSPEC_DT_UINT64).as.big == UINT64_MAX);
    CHECK(IS_WHOLE(value_of(&truth, OPSPEC_DT_BOOL), 1));
    const float pair[2] = {1, 2};
    CHECK(value_of(pair, OPSPEC_DT_COMPLEX64).kind == OPSPEC_NO_DATA && value_of(pair, 1234).kind == OPSPEC_NO_DATA);
    char bytes[9] = {0};
    memcpy(bytes + 1, &real, sizeof real); /* an address that no double has */
    CHECK(IS_REAL(value_of(bytes + 1, OPSPEC_DT_DOUBLE), -1e300));
}

static void test_states(void)
{
    opspec_handle_state state;
    CHECK(opspec_handles_find(key_of(1), OPSPEC_HANDLE_TENSOR, &state) == NULL && state == OPSPEC_HANDLE_UNKNOWN);
    CHECK(opspec_argument(NULL, OPSPEC_HANDLE_TENSOR, &state).tensor == NULL && state == OPSPEC_HANDLE_LIVE);
    CHECK(opspec_argument(key_of(1), OPSPEC_HANDLE_TENSOR, &state).tensor->rank == -OPSPEC_NO_DATA);
    CHECK(opspec_argument(key_of(1), OPSPEC_HANDLE_INTS, &state).ints->count == -OPSPEC_NO_DATA);
    CHECK(opspec_cause(opspec_scalar_dtype(opspec_argument(key_of(1), OPSPEC_HANDLE_SCALAR, &state).scalar)) ==
        OPSPEC_NO_DATA);
    opspec_handle *made = small_tensor(2);
    const uint64_t serial = made->serial;
    CHECK(opspec_handles_add(key_of(1), made) && opspec_handles_count(OPSPEC_HANDLE_TENSOR) == 1);
    CHECK(opspec_handles_find(key_of(1), OPSPEC_HANDLE_TENSOR, &state) == made && state == OPSPEC_HANDLE_LIVE);
    CHECK(opspec_handles_find(key_of(1), OPSPEC_HANDLE_SCALAR, &state) == NULL && state == OPSPEC_HANDLE_OTHER_KIND);
    CHECK(opspec_handles_remove(key_of(1), OPSPEC_HANDLE_INTS) == OPSPEC_HANDLE_OTHER_KIND);
    CHECK(opspec_handles_remove(key_of(1), OPSPEC_HANDLE_TENSOR) == OPSPEC_HANDLE_LIVE);
    CHECK(opspec_handles_remove(key_of(1), OPSPEC_HANDLE_TENSOR) == OPSPEC_HANDLE_DESTROYED);
    CHECK(opspec_argument(key_of(1), OPSPEC_HANDLE_TENSOR, &state).tensor->rank < 0 && state == OPSPEC_HANDLE_DESTROYED);
    CHECK(opspec_handles_ghost(key_of(1)) == made && opspec_handles_count(OPSPEC_HANDLE_TENSOR) == 0);
    CHECK(opspec_handles_add(key_of(1), small_tensor(3)) && opspec_handles_ghost(key_of(1)) == NULL);
    CHECK(opspec_handles_find(key_of(1), OPSPEC_HANDLE_TENSOR, &state)->serial != serial);
    CHECK(opspec_handles_add(key_of(1), small_tensor(4)) && opspec_handles_count(OPSPEC_HANDLE_TENSOR) == 1);
    CHECK(opspec_argument(key_of(1), OPSPEC_HANDLE_TENSOR, &state).tensor->shape[0] == 4);
    CHECK(!opspec_handles_add(NULL, small_tensor(1)));
    CHECK(opspec_handles_remove(key_of(1), OPSPEC_HANDLE_TENSOR) == OPSPEC_HANDLE_LIVE);
}

static void test_lists(void)
{
    const float value = 2;
    opspec_handle_state state;
    opspec_handles_add(key_of(10), small_tensor(5));
    opspec_handles_add(key_of(11), opspec_handle_scalar(&value, OPSPEC_DT_FLOAT));
    const void *const members[] = {key_of(10), NULL, key_of(12)}, *const scalars[] = {key_of(11), key_of(10)};
    opspec_handles_add(key_of(20), opspec_handle_list(OPSPEC_HANDLE_TENSORS, members, 3));
    opspec_handles_add(key_of(21), opspec_handle_list(OPSPEC_HANDLE_SCALARS, scalars, 2));
    opspec_handles_remove(key_of(10), OPSPEC_HANDLE_TENSOR);
    for (uintptr_t i = 0; i < 20000; i++) { /* until the member's record is gone */
        opspec_handles_add(key_of(1000 + i), small_tensor(1));
        opspec_handles_remove(key_of(1000 + i), OPSPEC_HANDLE_TENSOR);
    }
    CHECK(opspec_handles_find(key_of(10), OPSPEC_HANDLE_TENSOR, &state) == NULL && state == OPSPEC_HANDLE_UNKNOWN);
    const opspec_tensors *list = opspec_argument(key_of(20), OPSPEC_HANDLE_TENSORS, &state).tensors;
    CHECK(list->count == 3 && list->items[0]->shape[0] == 5 && list->items[0]->storage_shape[1] == 3);
    CHECK(list->items[1] == NULL && list->items[2]->rank == -OPSPEC_NO_DATA);
    const opspec_handle *record = opspec_handles_find(key_of(20), OPSPEC_HANDLE_TENSORS, &state);
    CHECK(record->member_count == 3 && record->members[0] == key_of(10) && record->members[2] == key_of(12));
    const opspec_scalars *values = opspec_argument(key_of(21), OPSPEC_HANDLE_SCALARS, &state).scalars;
    CHECK(values->items[0]->value.as.real == 2 && values->items[1]->dtype == OPSPEC_DTYPE_UNKNOWN);
    opspec_handles_remove(key_of(20), OPSPEC_HANDLE_TENSORS);
    opspec_handles_remove(key_of(21), OPSPEC_HANDLE_SCALARS);
    opspec_handles_remove(key_of(11), OPSPEC_HANDLE_SCALAR);
}

static void count_live(const void *key, const opspec_handle *record, void *context)
{
    opspec_handle_state state;
    CHECK(opspec_handles_find(key, record->kind, &state) == record);
    ++*(int *)context;
}

static void test_many(void)
{
    opspec_handle_state state;
    for (uintptr_t i = 1; i <= 5000; i++)
        CHECK(opspec_handles_add(key_of(i), small_tensor((int64_t)i)));
    for (uintptr_t i = 1; i <= 5000; i += 2)
        CHECK(opspec_handles_remove(key_of(i), OPSPEC_HANDLE_TENSOR) == OPSPEC_HANDLE_LIVE);
    for (uintptr_t i = 1; i <= 5000; i++) {
        const opspec_handle *found = opspec_handles_find(key_of(i), OPSPEC_HANDLE_TENSOR, &state);
        CHECK(i % 2 ? found == NULL : found != NULL && found->arg.tensor->shape[0] == (int64_t)i);
    }
    int live = 0;
    opspec_handles_each(count_live, &live);
    CHECK(live == 2500 && opspec_handles_count(OPSPEC_HANDLE_TENSOR) == 2500);
    for (uintptr_t i = 2; i <= 5000; i += 2)
        opspec_handles_remove(key_of(i), OPSPEC_HANDLE_TENSOR);
}

/* Threads make, read and destroy the same few handles: a reader may find any of them gone, and never crashes. So few
 * times that every destroyed record is still kept: what is read later than that is not safe. */
static void *rush(void *seed)
{
    uint32_t random = (uint32_t)(uintptr_t)seed;
    int64_t sum = 0;
    for (int i = 0; i < 250; i++) {
        random = random * 1664525u + 1013904223u;
        const void *key = key_of(1 + (random >> 16) % 8);
        opspec_handle_state state;
        switch (random >> 28) {
        case 0: opspec_handles_add(key, small_tensor(7)); break;
        case 1: opspec_handles_remove(key, OPSPEC_HANDLE_TENSOR); break;
        default: {
            const opspec_tensor *tensor = opspec_argument(key, OPSPEC_HANDLE_TENSOR, &state).tensor;
            sum += tensor->rank > 0 ? tensor->shape[0] : 0;
        }
        }
    }
    return sum % 7 == 0 ? NULL : seed;
}

/* Handles of a thread's own, in shards that all threads share. */
static void *work(void *number)
{
    for (uintptr_t i = 0; i < 20000; i++) {
        opspec_handle_state state;
        const void *key = key_of((uintptr_t)number * 100000 + i);
        if (!opspec_handles_add(key, small_tensor((int64_t)i)))
            return number;
        if (opspec_argument(key, OPSPEC_HANDLE_TENSOR, &state).tensor->shape[0] != (int64_t)i)
            return number;
        if (opspec_handles_remove(key, OPSPEC_HANDLE_TENSOR) != OPSPEC_HANDLE_LIVE)
            return number;
    }
    return NULL;
}

static void test_threads(void *(*run)(void *))
{
    pthread_t threads[4];
    for (uintptr_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, run, (void *)(i + 1));
    for (int i = 0; i < 4; i++) {
        void *wrong = NULL;
        pthread_join(threads[i], &wrong);
        CHECK(wrong == NULL);
    }
}

int main(void)
{
    test_tensors();
    test_absurd_counts();
    test_scalars();
    test_states();
    test_lists();
    test_many();
    test_threads(rush);
    test_threads(work);
    printf("%d failures\n", failures);
    return failures != 0;
}
