/* Run time of the rules that opspec writes as C.
 *
 * A rule is an expression whose value may be undefined, for a cause. Every C type of such a value has room for the
 * cause, so that an expression is a plain C expression: no exceptions, no allocation, nothing but libc's headers.
 *
 *   boolean            int              OPSPEC_FALSE, OPSPEC_TRUE, or the cause itself
 *   int, dtype, format opspec_int       a 128-bit integer; OPSPEC_UNDEFINED(cause) and above are undefined
 *   float              opspec_number    kind OPSPEC_WHOLE, OPSPEC_BIG or OPSPEC_REAL, or the cause
 *   string             opspec_str       size < 0: undefined, the cause is -size
 *   lists              opspec_ints ...  count < 0: undefined, the cause is -count
 *   tensor, scalar     pointers         NULL is absent; a tensor whose rank is negative is undefined
 *
 * When several operands are undefined the highest cause wins. OPSPEC_LIMIT is above all of them: the value exists, but
 * a buffer of fixed size (OPSPEC_LIST_MAX, OPSPEC_TEXT_MAX, OPSPEC_DISTINCT_MAX) could not hold what it is made of.
 * A rule that comes to it is listed as undecided.
 *
 * What an expression never comes to is a fault of opspec itself: a call at which one shows is not judged at all, and
 * never legal (opspec_verdict.fault).
 */
#ifndef OPSPEC_RULES_H
#define OPSPEC_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "opspec_vocabulary.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef OPSPEC_LIST_MAX
#define OPSPEC_LIST_MAX 128 /* elements of a list that an expression makes; arguments may have any number */
#endif
#ifndef OPSPEC_TEXT_MAX
#define OPSPEC_TEXT_MAX 4096 /* bytes of a string that are read in search of its end */
#endif
#define OPSPEC_DISTINCT_MAX 4096 /* elements among which distinct() looks for equal ones, unless they increase */

/* Of the structures that operators, calls and verdicts are: raised when one of them changes. Operators that were compiled
 * with another one than the run time are not judged. */
#define OPSPEC_RULES_VERSION 4

enum {
    OPSPEC_FALSE = 0,
    OPSPEC_TRUE = 1,
    OPSPEC_NEITHER = 2, /* no such dimension or element, a division by zero, a result outside int64 */
    OPSPEC_NO_DATA = 3, /* data that the call does not carry */
    OPSPEC_ABSENT = 4,  /* an argument that is null */
    OPSPEC_LIMIT = 5    /* beyond a limit of this library */
};

/* --- arguments -------------------------------------------------------------------------------------------------- */

__extension__ typedef __int128 opspec_int;

enum { OPSPEC_WHOLE = 0, OPSPEC_REAL = 1, OPSPEC_BIG = 6 };

/* A number: an integer (OPSPEC_BIG: one above INT64_MAX) or a double; other kinds are causes of undefined ones. */
typedef struct {
    int32_t kind;
    union {
        int64_t whole;
        uint64_t big;
        double real;
    } as;
} opspec_number;

/* Integers, booleans (0 and 1), dtypes or formats. */
typedef struct {
    const int64_t *items;
    int64_t count;
} opspec_ints;

typedef struct {
    const opspec_number *items;
    int64_t count;
} opspec_numbers;

typedef struct {
    const opspec_ints *items;
    int64_t count;
} opspec_lists;

typedef struct {
    const char *text;
    int64_t size;
} opspec_str;

typedef struct {
    const opspec_str *items;
    int64_t count;
} opspec_strs;

/* Metadata of an aclTensor. Null strides: contiguous. Null storage_shape, values: not known. */
typedef struct {
    int64_t rank;
    const int64_t *shape;
    const int64_t *strides; /* in elements, one per dim */
    int64_t offset;         /* in elements */
    const int64_t *storage_shape;
    int64_t storage_rank;
    const opspec_number *values; /* all elements in row-major order; an empty tensor's is any pointer but NULL */
    int64_t value_count;
    int32_t dtype;
    int32_t format;
    int32_t storage_format;
    bool has_storage_format; /* otherwise the storage's format is the view's */
} opspec_tensor;

typedef struct {
    const opspec_tensor *const *items;
    int64_t count;
} opspec_tensors;

#define OPSPEC_DTYPE_UNKNOWN INT32_MIN /* of a scalar of which nothing is known */

/* An aclScalar; the kind of a value that is not known, or complex, is OPSPEC_NO_DATA. */
typedef struct {
    opspec_number value;
    int32_t dtype;
} opspec_scalar;

typedef struct {
    const opspec_scalar *const *items;
    int64_t count;
} opspec_scalars;

/* An argument: the member that its param's kind names. NULL is a null pointer. */
typedef union {
    const opspec_tensor *tensor;
    const opspec_tensors *tensors;
    const opspec_scalar *scalar;
    const opspec_scalars *scalars;
    const opspec_ints *ints;       /* int array, bool array */
    const opspec_numbers *numbers; /* float array */
    const char *string;
    const void *pointer;
    int64_t integer; /* also bool and dtype */
    uint64_t natural; /* uint64_t */
    double real;     /* a float is rounded to binary32 by its type */
} opspec_arg;

typedef enum {
    OPSPEC_KIND_TENSOR, OPSPEC_KIND_TENSORS, OPSPEC_KIND_SCALAR, OPSPEC_KIND_SCALARS, OPSPEC_KIND_INTS,
    OPSPEC_KIND_BOOLS, OPSPEC_KIND_NUMBERS, OPSPEC_KIND_STRING, OPSPEC_KIND_POINTER, OPSPEC_KIND_INTEGER,
    OPSPEC_KIND_NATURAL, OPSPEC_KIND_BOOL, OPSPEC_KIND_DTYPE, OPSPEC_KIND_REAL
} opspec_kind;

/* A call: arguments in the order of the operator's params. */
typedef struct {
    const opspec_arg *args;
    int32_t product; /* OPSPEC_PRODUCT_...: an id, 0 when the call does not say */
    int32_t member;  /* a member of the product, or 0 */
} opspec_call;

/* --- operators and verdicts ------------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    opspec_kind kind;
    bool output; /* written by the operator; also what is read and written */
} opspec_param;

/* ASSUMED: no call recorded of the release shows what the rule's masks say. */
enum { OPSPEC_RULE_NULL = 1, OPSPEC_RULE_LOOKUP = 2, OPSPEC_RULE_ASSUMED = 4 };

typedef struct {
    const char *id;
    int32_t status;
    int16_t param; /* index, or -1 */
    uint8_t flags;
    uint8_t guards; /* facts of params that the rule's guard reads and its check does not; they are behind the others */
    uint16_t facts; /* how many of the operator's facts the rule's check reads */
    /* Bits of OPSPEC_PRODUCT_..., bit 0 where the product is not known: where the first phase refuses a call that breaks
     * the rule, where its argument checks let the call pass and what comes behind them is not known, and where programs
     * that break it ran. Elsewhere the call comes through the whole first phase, and the rule stands. */
    uint32_t refused, unknown, contradicted;
    uint32_t first; /* the first of them */
    uint32_t words; /* where the words are that say what it requires */
} opspec_rule;

/* What the rules of a call come to: those that do not plainly hold, in order. */
typedef struct {
    int32_t count;
    struct {
        int16_t rule; /* -1: an early success comes before the next rule */
        int16_t outcome;
    } entries[OPSPEC_RULES_MAX + OPSPEC_EARLY_MAX];
} opspec_report;

typedef struct opspec_saying opspec_saying; /* a message in the making: opspec_say.h */

/* The rule's guard lacks data; opspec failed. Otherwise an outcome is the check's value. */
enum { OPSPEC_OUTCOME_GUARD = 6, OPSPEC_OUTCOME_FAULT = 7 };

typedef struct {
    int32_t version; /* OPSPEC_RULES_VERSION of the header that it was compiled with; here and the name in all of them */
    const char *name;
    const char *release;
    const opspec_param *params;
    const opspec_rule *rules;
    const uint16_t *facts; /* (param + 1) * 8 + facet; 0 is the product */
    const uint8_t *support; /* by product and member: OPSPEC_SUPPORT_... */
    int32_t param_count;
    int32_t rule_count;
    bool (*legal)(const opspec_call *call); /* whether there is surely nothing to report; NULL: never */
    void (*check)(const opspec_call *call, opspec_report *report);
    const char *words; /* groups of texts: what is required, the condition, names of values to show, an empty text */
    void (*explain)(const opspec_call *call, int rule, opspec_saying *say); /* says it of some rules, or NULL */
    bool beside; /* a function beside an operator: "opspec check" does not know its calls */
} opspec_operator;

enum { OPSPEC_SUPPORT_UNNAMED = 0, OPSPEC_SUPPORT_YES = 1, OPSPEC_SUPPORT_NO = 2, OPSPEC_SUPPORT_UNKNOWN = 3 };
enum { OPSPEC_FACET_VALUE = 1 };
/* In place of a rule: the document does not say whether the product is supported. */
enum { OPSPEC_PRODUCT_UNKNOWN = -1 };

typedef enum { OPSPEC_LACKS_DATA, OPSPEC_SKIPPED, OPSPEC_BEYOND_LIMIT } opspec_reason;

typedef struct {
    int16_t rule;
    int16_t because; /* the rule that it was skipped for, or -1 */
    opspec_reason reason;
} opspec_undecided;

enum { OPSPEC_FAULT = -1 }; /* in place of a status: opspec itself failed */

/* Rules by their index in the operator's table. */
typedef struct {
    int32_t status; /* 0, or of the first violation that the first phase refuses, or OPSPEC_FAULT */
    bool legal;     /* there is no violation, whatever the first phase returns; never of a fault */
    bool limited;   /* some rule is beyond a limit: the status is what the others say */
    int32_t violation_count;
    int32_t warning_count;
    int32_t undecided_count;
    int32_t decisive;  /* the place among the violations of the one that the status stems from, or -1 */
    const char *fault; /* NULL, or how opspec itself failed: then no rule is listed, and nothing is known of the call */
    int16_t fault_rule; /* at which it failed, or -1 */
    int16_t violations[OPSPEC_RULES_MAX];
    uint8_t refused[OPSPEC_RULES_MAX]; /* by violation: whether the first phase refuses the call for it */
    uint8_t unknown[OPSPEC_RULES_MAX]; /* whether it is not known what kernel lookup and tiling make of it; with neither,
                                        * the call comes through the whole first phase */
    uint8_t assumed[OPSPEC_RULES_MAX]; /* whether no call recorded of the release shows that */
    int16_t warnings[OPSPEC_RULES_MAX + 1];
    opspec_undecided undecided[OPSPEC_RULES_MAX];
} opspec_verdict;

/* Whether nothing is known of an argument but that it is not null: a tensor of negative rank, an array or list of
 * negative count (or with such an element), a scalar of OPSPEC_DTYPE_UNKNOWN, a string without end within
 * OPSPEC_TEXT_MAX. */
bool opspec_is_unknown(opspec_kind kind, const opspec_arg *arg);

/* Judge a call; the status that the first phase is expected to return, or OPSPEC_FAULT. */
int32_t opspec_judge(const opspec_operator *op, const opspec_call *call, opspec_verdict *verdict);

/* --- undefined values ------------------------------------------------------------------------------------------- */

#define OPSPEC_UNDEFINED(cause) (((opspec_int)1 << 100) + (cause))
#define OPSPEC_NULL (-((opspec_int)1 << 100)) /* in a column of a table: an argument that is null */

static inline int opspec_worst(int a, int b) { return a > b ? a : b; }
static inline int opspec_cause(opspec_int v)
{
    return v >= OPSPEC_UNDEFINED(0) ? (int)(v - OPSPEC_UNDEFINED(0)) : 0;
}
static inline int opspec_cause_2(opspec_int a, opspec_int b) { return opspec_cause(a > b ? a : b); }
static inline int opspec_count_cause(int64_t count)
{
    if (count >= 0)
        return 0;
    return count <= -OPSPEC_NEITHER && count >= -OPSPEC_LIMIT ? (int)-count : OPSPEC_NO_DATA; /* of an unknown argument */
}
static inline int opspec_number_cause(opspec_number v)
{
    return v.kind >= OPSPEC_NEITHER && v.kind <= OPSPEC_LIMIT ? v.kind : 0;
}
static inline int opspec_bool_cause(int v) { return v > OPSPEC_TRUE ? v : 0; }
static inline opspec_ints opspec_no_ints(int cause) { return (opspec_ints){NULL, -cause}; }
static inline opspec_numbers opspec_no_numbers(int cause) { return (opspec_numbers){NULL, -cause}; }
static inline opspec_lists opspec_no_lists(int cause) { return (opspec_lists){NULL, -cause}; }
static inline opspec_strs opspec_no_strs(int cause) { return (opspec_strs){NULL, -cause}; }
static inline opspec_tensors opspec_no_tensors(int cause) { return (opspec_tensors){NULL, -cause}; }
static inline opspec_str opspec_no_str(int cause) { return (opspec_str){NULL, -cause}; }
static inline opspec_number opspec_no_number(int cause) { return (opspec_number){cause, {0}}; }
extern const opspec_tensor opspec_no_tensor[OPSPEC_LIMIT + 1]; /* by cause */
extern const opspec_scalar opspec_no_scalar[OPSPEC_LIMIT + 1]; /* the same; the cause is added to an unknown dtype */

/* --- three-valued logic ----------------------------------------------------------------------------------------- */

static inline int opspec_and(int a, int b)
{
    return a == OPSPEC_FALSE || b == OPSPEC_FALSE ? OPSPEC_FALSE : opspec_worst(a, b);
}
static inline int opspec_or(int a, int b)
{
    return a == OPSPEC_TRUE || b == OPSPEC_TRUE ? OPSPEC_TRUE : opspec_worst(a, b);
}
static inline int opspec_not(int a) { return a > OPSPEC_TRUE ? a : !a; }
static inline int opspec_given(int a) { return a == OPSPEC_ABSENT ? OPSPEC_TRUE : a; }
static inline bool opspec_may_apply(int guard)
{
    return guard == OPSPEC_TRUE || guard == OPSPEC_NO_DATA || guard == OPSPEC_LIMIT;
}
static inline int opspec_implies(int guard, int check)
{
    check = opspec_given(check);
    if (guard == OPSPEC_TRUE || !opspec_may_apply(guard))
        return guard == OPSPEC_TRUE ? check : OPSPEC_TRUE;
    return check == OPSPEC_TRUE ? OPSPEC_TRUE : check == OPSPEC_LIMIT ? check : guard;
}

/* --- integers --------------------------------------------------------------------------------------------------- */

static inline opspec_int opspec_fits(opspec_int v)
{
    return v >= INT64_MIN && v <= INT64_MAX ? v : OPSPEC_UNDEFINED(OPSPEC_NEITHER);
}
#define OPSPEC_STRICT(a, b)                                                                                            \
    do {                                                                                                               \
        const opspec_int highest_ = (a) > (b) ? (a) : (b);                                                             \
        if (highest_ >= OPSPEC_UNDEFINED(0))                                                                           \
            return highest_;                                                                                           \
    } while (0)

static inline opspec_int opspec_add(opspec_int a, opspec_int b) { OPSPEC_STRICT(a, b); return opspec_fits(a + b); }
static inline opspec_int opspec_sub(opspec_int a, opspec_int b) { OPSPEC_STRICT(a, b); return opspec_fits(a - b); }
static inline opspec_int opspec_mul(opspec_int a, opspec_int b)
{
    OPSPEC_STRICT(a, b);
    return a > INT64_MAX && b > INT64_MAX ? OPSPEC_UNDEFINED(OPSPEC_NEITHER) : opspec_fits(a * b);
}
static inline opspec_int opspec_quotient(opspec_int a, opspec_int b)
{
    if (a >= INT64_MIN && a <= INT64_MAX && b > 0 && b <= INT64_MAX) {
        const int64_t x = (int64_t)a, y = (int64_t)b;
        return x / y - (x % y < 0);
    }
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}
static inline opspec_int opspec_floor_div(opspec_int a, opspec_int b)
{
    OPSPEC_STRICT(a, b);
    return b == 0 ? OPSPEC_UNDEFINED(OPSPEC_NEITHER) : opspec_fits(opspec_quotient(a, b));
}
static inline opspec_int opspec_mod(opspec_int a, opspec_int b)
{
    OPSPEC_STRICT(a, b);
    return b == 0 ? OPSPEC_UNDEFINED(OPSPEC_NEITHER) : opspec_fits(a - opspec_quotient(a, b) * b);
}
static inline opspec_int opspec_neg(opspec_int a) { OPSPEC_STRICT(a, a); return opspec_fits(-a); }
static inline opspec_int opspec_invert(opspec_int a) { OPSPEC_STRICT(a, a); return opspec_fits(-a - 1); }
static inline opspec_int opspec_bit_and(opspec_int a, opspec_int b) { OPSPEC_STRICT(a, b); return opspec_fits(a & b); }
static inline opspec_int opspec_bit_or(opspec_int a, opspec_int b) { OPSPEC_STRICT(a, b); return opspec_fits(a | b); }
static inline opspec_int opspec_bit_xor(opspec_int a, opspec_int b) { OPSPEC_STRICT(a, b); return opspec_fits(a ^ b); }
opspec_int opspec_shift_left(opspec_int a, opspec_int bits);
opspec_int opspec_shift_right(opspec_int a, opspec_int bits);
opspec_int opspec_abs(opspec_int a);
static inline opspec_int opspec_min(opspec_int a, opspec_int b) { OPSPEC_STRICT(a, b); return a < b ? a : b; }
static inline opspec_int opspec_max(opspec_int a, opspec_int b) { return a > b ? a : b; }
opspec_int opspec_min_of(opspec_ints list);
opspec_int opspec_max_of(opspec_ints list);
opspec_int opspec_sum(opspec_ints list);
opspec_int opspec_prod(opspec_ints list);
opspec_int opspec_ceil_div(opspec_int a, opspec_int b);
opspec_int opspec_align_up(opspec_int a, opspec_int b);
opspec_int opspec_axis(opspec_int dim, opspec_int rank);

#define OPSPEC_COMPARISON(name, op)                                                                                    \
    static inline int opspec_##name(opspec_int a, opspec_int b)                                                        \
    {                                                                                                                  \
        const int cause = opspec_cause_2(a, b);                                                                        \
        return cause ? cause : a op b;                                                                                 \
    }
OPSPEC_COMPARISON(eq, ==)
OPSPEC_COMPARISON(ne, !=)
OPSPEC_COMPARISON(lt, <)
OPSPEC_COMPARISON(le, <=)
OPSPEC_COMPARISON(gt, >)
OPSPEC_COMPARISON(ge, >=)

static inline int opspec_bool_eq(int a, int b)
{
    return opspec_worst(a, b) > OPSPEC_TRUE ? opspec_worst(a, b) : a == b;
}
static inline int opspec_truth(opspec_int v) { return opspec_cause(v) ? opspec_cause(v) : v != 0; }
static inline opspec_int opspec_of_bool(int v) { return v > OPSPEC_TRUE ? OPSPEC_UNDEFINED(v) : v; }

/* A set of dtypes or formats: those with the numbers of its bits. */
static inline int opspec_in_set(opspec_int v, uint64_t set)
{
    const int cause = opspec_cause(v);
    return cause ? cause : v >= 0 && v < 64 && (set >> (unsigned)v & 1u) != 0;
}

/* Whether a row of sets holds all values; the cause where one of them is undefined. */
int opspec_in_rows(const uint64_t *rows, int count, const opspec_int *values, int width);
static inline bool opspec_cell_has(uint64_t set, opspec_int v)
{
    return set == UINT64_MAX || (v >= 0 && v < 64 && (set >> (unsigned)v & 1u) != 0);
}

/* --- numbers ---------------------------------------------------------------------------------------------------- */

static inline opspec_number opspec_real(double v) { return (opspec_number){OPSPEC_REAL, {.real = v}}; }
opspec_number opspec_whole(opspec_int v);
/* -1, 0, 1; 2 when unordered (NaN). Exact also between an integer and a double. Both are defined. */
int opspec_order(opspec_number a, opspec_number b);
int opspec_number_eq(opspec_number a, opspec_number b);
int opspec_number_ne(opspec_number a, opspec_number b);
int opspec_number_lt(opspec_number a, opspec_number b);
int opspec_number_le(opspec_number a, opspec_number b);
int opspec_number_gt(opspec_number a, opspec_number b);
int opspec_number_ge(opspec_number a, opspec_number b);
opspec_number opspec_number_add(opspec_number a, opspec_number b);
opspec_number opspec_number_sub(opspec_number a, opspec_number b);
opspec_number opspec_number_mul(opspec_number a, opspec_number b);
opspec_number opspec_number_div(opspec_number a, opspec_number b);
opspec_int opspec_floor(opspec_number v);
opspec_int opspec_ceil(opspec_number v);

/* --- strings ---------------------------------------------------------------------------------------------------- */

#define OPSPEC_STR(literal) {literal, (int64_t)sizeof(literal) - 1}
opspec_str opspec_string(const char *text); /* the argument; its end is looked for within OPSPEC_TEXT_MAX bytes */
static inline opspec_str opspec_text(const char *text, int64_t size) { return (opspec_str){text, size}; }
int opspec_str_eq(opspec_str a, opspec_str b);
int opspec_str_in(opspec_str text, opspec_strs list);
opspec_int opspec_str_len(opspec_str text); /* in characters */
int opspec_starts_with(opspec_str text, opspec_str start);
static inline opspec_strs opspec_str_list(const opspec_str *items, int64_t count)
{
    return (opspec_strs){items, count};
}

/* --- lists ------------------------------------------------------------------------------------------------------ */

static inline opspec_ints opspec_list(const int64_t *items, int64_t count) { return (opspec_ints){items, count}; }
static inline opspec_ints opspec_ints_of(const opspec_ints *arg) { return arg ? *arg : opspec_no_ints(OPSPEC_ABSENT); }
static inline opspec_numbers opspec_numbers_of(const opspec_numbers *arg)
{
    return arg ? *arg : opspec_no_numbers(OPSPEC_ABSENT);
}
static inline opspec_tensors opspec_tensors_of(const opspec_tensors *arg)
{
    return arg ? *arg : opspec_no_tensors(OPSPEC_ABSENT);
}
static inline opspec_scalars opspec_scalars_of(const opspec_scalars *arg)
{
    return arg ? *arg : (opspec_scalars){NULL, -OPSPEC_ABSENT};
}
#define opspec_len(list) opspec_length((list).count)
static inline opspec_int opspec_length(int64_t count) { return count < 0 ? OPSPEC_UNDEFINED(-count) : count; }

/* The place of an element, -1 when there is none; an index from the end is negative. */
static inline int64_t opspec_place(int64_t count, opspec_int index)
{
    if (index < 0)
        index += count;
    return index >= 0 && index < count ? (int64_t)index : -1;
}
static inline int opspec_at_cause(int64_t count, opspec_int index)
{
    return opspec_worst(opspec_worst(opspec_count_cause(count), opspec_cause(index)), OPSPEC_NEITHER);
}
static inline opspec_int opspec_at(opspec_ints list, opspec_int index)
{
    const int64_t place = opspec_place(list.count, index);
    return list.count < 0 || place < 0 ? OPSPEC_UNDEFINED(opspec_at_cause(list.count, index)) : list.items[place];
}
static inline opspec_number opspec_number_at(opspec_numbers list, opspec_int index)
{
    const int64_t place = opspec_place(list.count, index);
    return list.count < 0 || place < 0 ? opspec_no_number(opspec_at_cause(list.count, index)) : list.items[place];
}
static inline const opspec_tensor *opspec_tensor_at(opspec_tensors list, opspec_int index)
{
    const int64_t place = opspec_place(list.count, index);
    return list.count < 0 || place < 0 ? &opspec_no_tensor[opspec_at_cause(list.count, index)] : list.items[place];
}

static inline const opspec_scalar *opspec_scalar_at(opspec_scalars list, opspec_int index)
{
    const int64_t place = opspec_place(list.count, index);
    return list.count < 0 || place < 0 ? &opspec_no_scalar[opspec_at_cause(list.count, index)] : list.items[place];
}

#define OPSPEC_END (OPSPEC_NULL) /* no upper bound of a slice */
opspec_ints opspec_slice(opspec_ints list, opspec_int low, opspec_int high);
opspec_numbers opspec_slice_numbers(opspec_numbers list, opspec_int low, opspec_int high);
/* A list of elements, which are written to a buffer for as many. */
opspec_ints opspec_seq(int64_t *buffer, const opspec_int *items, int64_t count);
opspec_numbers opspec_seq_numbers(opspec_number *buffer, const opspec_number *items, int64_t count);
opspec_lists opspec_seq_lists(opspec_ints *buffer, const opspec_ints *items, int64_t count);
opspec_strs opspec_seq_strs(opspec_str *buffer, const opspec_str *items, int64_t count);
/* Lists one after the other, in a buffer for OPSPEC_LIST_MAX. */
opspec_ints opspec_join(int64_t *buffer, const opspec_ints *parts, int64_t count);
opspec_numbers opspec_join_numbers(opspec_number *buffer, const opspec_numbers *parts, int64_t count);
opspec_lists opspec_join_lists(opspec_ints *buffer, const opspec_lists *parts, int64_t count);
int opspec_equal(opspec_ints a, opspec_ints b);
int opspec_equal_numbers(opspec_numbers a, opspec_numbers b);
int opspec_equal_lists(opspec_lists a, opspec_lists b);
int opspec_contains(opspec_ints list, opspec_int item);
int opspec_contains_number(opspec_numbers list, opspec_number item);
int opspec_contains_list(opspec_lists list, opspec_ints item);
int64_t opspec_zip(int64_t a, int64_t b); /* of counts */
int opspec_range_cause(opspec_int low, opspec_int high);
int64_t opspec_range_count(opspec_int low, opspec_int high); /* or -cause */

/* A list in the making, in a buffer for OPSPEC_LIST_MAX. An undefined condition counts before an undefined element. */
typedef struct {
    int64_t count;
    int condition;
    int element;
} opspec_making;
bool opspec_kept(opspec_making *list, int condition);
void opspec_append(opspec_making *list, int64_t *buffer, opspec_int item);
void opspec_append_number(opspec_making *list, opspec_number *buffer, opspec_number item);
void opspec_append_tensor(opspec_making *list, const opspec_tensor **buffer, const opspec_tensor *item);
int64_t opspec_made(const opspec_making *list); /* the count, or a cause */

int opspec_increasing(opspec_numbers list);
int opspec_nondecreasing(opspec_numbers list);
int opspec_distinct(opspec_numbers list);
int opspec_increasing_ints(opspec_ints list);
int opspec_nondecreasing_ints(opspec_ints list);
int opspec_distinct_ints(opspec_ints list);

/* --- shapes; results are in a buffer for OPSPEC_LIST_MAX ---------------------------------------------------------- */

opspec_ints opspec_broadcast(int64_t *buffer, opspec_ints a, opspec_ints b);
int opspec_broadcastable(opspec_ints a, opspec_ints b);
int opspec_broadcastable_to(opspec_ints source, opspec_ints target);
opspec_ints opspec_permuted(int64_t *buffer, opspec_ints shape, opspec_ints order);
opspec_ints opspec_reduced(int64_t *buffer, opspec_ints shape, opspec_ints axes, int keep);

/* --- dtypes and formats ------------------------------------------------------------------------------------------ */

opspec_int opspec_promote(opspec_int a, opspec_int b);
opspec_int opspec_promote_scalar(opspec_int tensor, opspec_int scalar);
int opspec_promotable(opspec_int a, opspec_int b);
int opspec_castable(opspec_int source, opspec_int target);
opspec_int opspec_bits(opspec_int dtype);
static inline int opspec_is_floating(opspec_int dtype) { return opspec_in_set(dtype, OPSPEC_FLOATING); }
static inline int opspec_is_integer(opspec_int dtype) { return opspec_in_set(dtype, OPSPEC_INTEGER); }
static inline int opspec_is_complex(opspec_int dtype) { return opspec_in_set(dtype, OPSPEC_COMPLEX); }
static inline int opspec_is_private(opspec_int format) { return opspec_in_set(format, OPSPEC_PRIVATE); }

/* --- tensors and scalars ------------------------------------------------------------------------------------------ */

static inline int opspec_tensor_cause(const opspec_tensor *t)
{
    return t == NULL ? OPSPEC_ABSENT : opspec_count_cause(t->rank);
}
#define OPSPEC_FACET(name, value)                                                                                      \
    static inline opspec_int opspec_##name(const opspec_tensor *t)                                                     \
    {                                                                                                                  \
        const int cause = opspec_tensor_cause(t);                                                                      \
        return cause ? OPSPEC_UNDEFINED(cause) : (value);                                                              \
    }
OPSPEC_FACET(rank, t->rank)
OPSPEC_FACET(dtype, t->dtype)
OPSPEC_FACET(format, t->format)
OPSPEC_FACET(offset, t->offset)
OPSPEC_FACET(storage_format, t->has_storage_format ? t->storage_format : t->format)
static inline int opspec_tensor_is_null(const opspec_tensor *t) /* of an element of a list */
{
    return t == NULL ? OPSPEC_TRUE : opspec_count_cause(t->rank);
}
static inline opspec_ints opspec_shape(const opspec_tensor *t)
{
    return t == NULL ? opspec_no_ints(OPSPEC_ABSENT) : opspec_list(t->shape, t->rank);
}
static inline opspec_int opspec_dim(const opspec_tensor *t, opspec_int index)
{
    return opspec_at(opspec_shape(t), index);
}
opspec_int opspec_numel(const opspec_tensor *t);
opspec_ints opspec_strides(int64_t *buffer, const opspec_tensor *t);
opspec_ints opspec_storage_shape(const opspec_tensor *t);
opspec_numbers opspec_values(const opspec_tensor *t);
int opspec_contiguous(const opspec_tensor *t);
int opspec_transposed_last2(const opspec_tensor *t);
static inline opspec_int opspec_scalar_dtype(const opspec_scalar *s)
{
    if (s == NULL)
        return OPSPEC_UNDEFINED(OPSPEC_ABSENT);
    if (s->dtype <= OPSPEC_DTYPE_UNKNOWN + OPSPEC_LIMIT)
        return OPSPEC_UNDEFINED(s->dtype == OPSPEC_DTYPE_UNKNOWN ? OPSPEC_NO_DATA : s->dtype - OPSPEC_DTYPE_UNKNOWN);
    return s->dtype;
}
static inline opspec_number opspec_scalar_value(const opspec_scalar *s)
{
    return s == NULL ? opspec_no_number(OPSPEC_ABSENT) : s->value;
}

/* --- products ----------------------------------------------------------------------------------------------------- */

extern const uint64_t opspec_product_members[OPSPEC_PRODUCTS_END];

/* Whether the call's product is one of a set; a call that names a family does not say which member. */
static inline int opspec_product_in(const opspec_call *call, uint64_t set)
{
    if (set == 0)
        return OPSPEC_FALSE;
    if (call->product <= 0 || call->product >= OPSPEC_PRODUCTS_END)
        return OPSPEC_NO_DATA;
    const bool has_member = call->member > 0 && call->member < OPSPEC_PRODUCTS_END;
    if ((set >> call->product & 1u) || (has_member && (set >> call->member & 1u)))
        return OPSPEC_TRUE;
    return call->member == 0 && (set & opspec_product_members[call->product]) ? OPSPEC_NO_DATA : OPSPEC_FALSE;
}

/* The call's product as a set: what it surely is, and what it may be, as a family whose member is not told. */
typedef struct {
    uint64_t is, may;
} opspec_product_sets;
static inline opspec_product_sets opspec_product_sets_of(const opspec_call *call)
{
    if (call->product <= 0 || call->product >= OPSPEC_PRODUCTS_END)
        return (opspec_product_sets){0, UINT64_MAX};
    const bool has_member = call->member > 0 && call->member < OPSPEC_PRODUCTS_END;
    const uint64_t is = OPSPEC_BIT(call->product) | (has_member ? OPSPEC_BIT(call->member) : 0);
    return (opspec_product_sets){is, call->member == 0 ? is | opspec_product_members[call->product] : is};
}

/* --- what decides at once that there is nothing to report ---------------------------------------------------------- */

static inline bool opspec_holds(int check) { return check == OPSPEC_TRUE || check == OPSPEC_ABSENT; }
static inline bool opspec_decides(int guard)
{
    return guard == OPSPEC_TRUE || guard == OPSPEC_FALSE || guard == OPSPEC_NEITHER || guard == OPSPEC_ABSENT;
}
static inline bool opspec_has(uint64_t set, int64_t number)
{
    return number >= 0 && number < 64 && (set >> number & 1u) != 0;
}
static inline bool opspec_same_shape(const opspec_tensor *a, const opspec_tensor *b)
{
    bool same = a->rank == b->rank;
    for (int64_t i = 0; same && i < a->rank; i++)
        same = a->shape[i] == b->shape[i];
    return same;
}
/* Whether a shape is the broadcast of some. */
bool opspec_is_broadcast(const opspec_tensor *shape, const opspec_tensor *const *of, int count);

/* --- reports ------------------------------------------------------------------------------------------------------ */

/* An entry; of an outcome that none is, or one too many, the report says that opspec failed. */
void opspec_note(opspec_report *report, int rule, int outcome);
void opspec_note_guard(opspec_report *report, int rule, int guard);
void opspec_note_early(opspec_report *report, int when);

static inline void opspec_check(opspec_report *report, int rule, int outcome)
{
    if (outcome != OPSPEC_TRUE && outcome != OPSPEC_ABSENT)
        opspec_note(report, rule, outcome);
}
static inline bool opspec_applies(opspec_report *report, int rule, int guard)
{
    if (guard != OPSPEC_TRUE && guard != OPSPEC_FALSE)
        opspec_note_guard(report, rule, guard);
    return guard == OPSPEC_TRUE;
}
static inline void opspec_early(opspec_report *report, int when)
{
    if (when != OPSPEC_FALSE)
        opspec_note_early(report, when);
}

#ifdef __cplusplus
}
#endif

#endif
