/* What a legal first-phase check costs: the generated rules of aclnnLerp against the same conditions written by hand.
 * Prints nanoseconds a call: by hand, generated. See c_rules.py. */
#include "opspec_rules.h"

#include <stdio.h>
#include <time.h>

extern const opspec_operator opspec_aclnnLerp;

/* --- by hand: what the document requires, as one would type it ----------------------------------------------------- */

enum { RANK_MAX = 8, PARAM_NULLPTR = 161001, PARAM_INVALID = 161002 };

static bool is_supported(int32_t dtype, int32_t product)
{
    if (dtype == OPSPEC_DT_FLOAT || dtype == OPSPEC_DT_FLOAT16)
        return true;
    return dtype == OPSPEC_DT_BFLOAT16 && product != OPSPEC_PRODUCT_310P && product != OPSPEC_PRODUCT_910;
}

static bool is_private(int32_t format) { return format >= 0 && format < 64 && (OPSPEC_PRIVATE >> format & 1u) != 0; }

static bool is_usable(const opspec_tensor *t, int32_t dtype, int32_t product)
{
    const bool plain = is_private(t->format) || t->format == OPSPEC_FORMAT_ND;
    return is_supported(t->dtype, product) && t->dtype == dtype && plain && !is_private(t->format) && t->rank >= 0 &&
        t->rank <= RANK_MAX;
}

/* The broadcast of a shape and one so far, in place; false when there is none. */
static bool broadcast(int64_t shape[RANK_MAX], int64_t *rank, const opspec_tensor *t)
{
    if (t->rank > *rank) {
        const int64_t more = t->rank - *rank;
        for (int64_t i = t->rank - 1; i >= 0; i--)
            shape[i] = i >= more ? shape[i - more] : 1;
        *rank = t->rank;
    }
    for (int64_t i = 0; i < t->rank; i++) {
        int64_t *dim = &shape[*rank - t->rank + i];
        if (*dim != t->shape[i] && *dim != 1 && t->shape[i] != 1)
            return false;
        *dim = *dim == 1 ? t->shape[i] : *dim;
    }
    return true;
}

int32_t by_hand(const opspec_tensor *self, const opspec_tensor *end, const opspec_tensor *weight,
    const opspec_tensor *out, int32_t product);

int32_t by_hand(const opspec_tensor *self, const opspec_tensor *end, const opspec_tensor *weight,
    const opspec_tensor *out, int32_t product)
{
    int64_t shape[RANK_MAX] = {0}, rank = 0;
    if (self == NULL || end == NULL || weight == NULL || out == NULL)
        return PARAM_NULLPTR;
    if (product == OPSPEC_PRODUCT_310B)
        return PARAM_INVALID;
    const opspec_tensor *const all[] = {self, end, weight, out};
    for (int i = 0; i < 4; i++)
        if (!is_usable(all[i], self->dtype, product))
            return PARAM_INVALID;
    if (!broadcast(shape, &rank, self) || !broadcast(shape, &rank, end) || !broadcast(shape, &rank, weight))
        return PARAM_INVALID;
    if (out->rank != rank)
        return PARAM_INVALID;
    for (int64_t i = 0; i < rank; i++)
        if (out->shape[i] != shape[i])
            return PARAM_INVALID;
    return 0;
}

/* --- measured side by side ----------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    (void)timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

enum { CALLS = 500, ROUNDS = 3000 };

static const int64_t full[] = {16, 8, 128, 64}, last[] = {64};
static opspec_tensor tensors[4];

static double of_hand(volatile int32_t *sink)
{
    const double start = now();
    for (int i = 0; i < CALLS; i++)
        *sink |= by_hand(&tensors[0], &tensors[1], &tensors[2], &tensors[3], OPSPEC_PRODUCT_910B);
    return (now() - start) / CALLS;
}

static double of_rules(volatile int32_t *sink)
{
    static opspec_verdict verdict;
    const double start = now();
    for (int i = 0; i < CALLS; i++) {
        const opspec_arg args[] = {
            {.tensor = &tensors[0]}, {.tensor = &tensors[1]}, {.tensor = &tensors[2]}, {.tensor = &tensors[3]}};
        const opspec_call call = {args, OPSPEC_PRODUCT_910B, 0};
        *sink |= opspec_judge(&opspec_aclnnLerp, &call, &verdict);
    }
    return (now() - start) / CALLS;
}

int main(void)
{
    volatile int32_t sink = 0;
    double best[2] = {1e9, 1e9};
    for (int i = 0; i < 4; i++)
        tensors[i] = (opspec_tensor){.rank = 4, .shape = full, .dtype = OPSPEC_DT_FLOAT16, .format = OPSPEC_FORMAT_ND};
    tensors[2].shape = last;
    tensors[2].rank = 1;
    tensors[2].format = tensors[1].format;
    for (int round = 0; round < ROUNDS; round++) {
        const double hand = of_hand(&sink), rules = of_rules(&sink);
        best[0] = hand < best[0] ? hand : best[0];
        best[1] = rules < best[1] ? rules : best[1];
    }
    printf("%.2f %.2f\n", best[0], best[1]);
    return sink != 0;
}
