/* Run time of the rules that opspec writes as C: the functions of the rule language. See opspec_rules.h. */
#include "opspec_rules.h"

#include <string.h>

#define T(cause) {.rank = -(cause)}
const opspec_tensor opspec_no_tensor[OPSPEC_LIMIT + 1] = {T(OPSPEC_NEITHER),
                                                          T(OPSPEC_NEITHER),
                                                          T(OPSPEC_NEITHER),
                                                          T(OPSPEC_NO_DATA),
                                                          T(OPSPEC_ABSENT),
                                                          T(OPSPEC_LIMIT)};
#undef T
#define S(cause) {.value = {.kind = (cause)}, .dtype = OPSPEC_DTYPE_UNKNOWN + (cause)}
const opspec_scalar opspec_no_scalar[OPSPEC_LIMIT + 1] = {S(OPSPEC_NEITHER),
                                                          S(OPSPEC_NEITHER),
                                                          S(OPSPEC_NEITHER),
                                                          S(OPSPEC_NO_DATA),
                                                          S(OPSPEC_ABSENT),
                                                          S(OPSPEC_LIMIT)};
#undef S

#define NEITHER OPSPEC_UNDEFINED(OPSPEC_NEITHER)

/* --- tables of sets ----------------------------------------------------------------------------------------------- */

int opspec_in_rows(const uint64_t *rows, int count, const opspec_int *values, int width)
{
    int cause = 0;
    for (int i = 0; i < width; i++)
        cause = opspec_cause(values[i]) > cause ? opspec_cause(values[i]) : cause;
    if (cause)
        return cause;
    for (int row = 0; row < count; row++) {
        int i = 0;
        while (i < width && opspec_cell_has(rows[row * width + i], values[i]))
            i++;
        if (i == width)
            return 1;
    }
    return 0;
}

/* --- integers --------------------------------------------------------------------------------------------------- */

opspec_int opspec_shift_left(opspec_int a, opspec_int bits)
{
    OPSPEC_STRICT(a, bits);
    return bits < 0 || bits >= 64 ? NEITHER : opspec_mul(a, (opspec_int)1 << (int)bits);
}

opspec_int opspec_shift_right(opspec_int a, opspec_int bits)
{
    OPSPEC_STRICT(a, bits);
    return bits < 0 || bits >= 64 ? NEITHER : opspec_fits(opspec_quotient(a, (opspec_int)1 << (int)bits));
}

opspec_int opspec_abs(opspec_int a)
{
    OPSPEC_STRICT(a, a);
    return opspec_fits(a < 0 ? -a : a);
}

opspec_int opspec_min_of(opspec_ints list)
{
    if (list.count <= 0)
        return OPSPEC_UNDEFINED(list.count < 0 ? opspec_count_cause(list.count) : OPSPEC_NEITHER);
    int64_t found = list.items[0];
    for (int64_t i = 1; i < list.count; i++)
        found = list.items[i] < found ? list.items[i] : found;
    return found;
}

opspec_int opspec_max_of(opspec_ints list)
{
    if (list.count <= 0)
        return OPSPEC_UNDEFINED(list.count < 0 ? opspec_count_cause(list.count) : OPSPEC_NEITHER);
    int64_t found = list.items[0];
    for (int64_t i = 1; i < list.count; i++)
        found = list.items[i] > found ? list.items[i] : found;
    return found;
}

opspec_int opspec_sum(opspec_ints list)
{
    opspec_int total = 0;
    if (list.count < 0)
        return OPSPEC_UNDEFINED(opspec_count_cause(list.count));
    for (int64_t i = 0; i < list.count; i++)
        total += list.items[i];
    return opspec_fits(total);
}

opspec_int opspec_prod(opspec_ints list)
{
    opspec_int result = 1;
    if (list.count < 0)
        return OPSPEC_UNDEFINED(opspec_count_cause(list.count));
    for (int64_t i = 0; i < list.count; i++)
        if (list.items[i] == 0)
            return 0;
    for (int64_t i = 0; i < list.count && opspec_cause(result) == 0; i++)
        result = opspec_mul(result, list.items[i]);
    return result;
}

opspec_int opspec_ceil_div(opspec_int a, opspec_int b)
{
    OPSPEC_STRICT(a, b);
    return b == 0 ? NEITHER : opspec_fits(-opspec_quotient(-a, b));
}

opspec_int opspec_align_up(opspec_int a, opspec_int b)
{
    OPSPEC_STRICT(a, b);
    return b == 0 ? NEITHER : opspec_fits(-opspec_quotient(-a, b) * b); /* near a: no overflow of 128 bits */
}

opspec_int opspec_axis(opspec_int dim, opspec_int rank)
{
    OPSPEC_STRICT(dim, rank);
    rank = rank < 1 ? 1 : rank;
    return dim < -rank || dim >= rank ? NEITHER : dim < 0 ? dim + rank : dim;
}

/* --- numbers ---------------------------------------------------------------------------------------------------- */

opspec_number opspec_whole(opspec_int v)
{
    if (opspec_cause(v))
        return opspec_no_number(opspec_cause(v));
    if (v > INT64_MAX)
        return (opspec_number){OPSPEC_BIG, {.big = (uint64_t)v}};
    return (opspec_number){OPSPEC_WHOLE, {.whole = (int64_t)v}};
}

static opspec_int whole_of(opspec_number v) { return v.kind == OPSPEC_BIG ? (opspec_int)v.as.big : v.as.whole; }

static double double_of(opspec_number v)
{
    return v.kind == OPSPEC_REAL ? v.as.real : v.kind == OPSPEC_BIG ? (double)v.as.big : (double)v.as.whole;
}

#define TWO_64 18446744073709551616.0

static int order_of_real(opspec_int whole, double real)
{
    if (real != real)
        return 2;
    if (real >= TWO_64 || real < -TWO_64)
        return real > 0 ? -1 : 1;
    const opspec_int truncated = (opspec_int)real;
    if (whole != truncated)
        return whole < truncated ? -1 : 1;
    const double rest = real - (double)truncated;
    return rest > 0 ? -1 : rest < 0 ? 1 : 0;
}

int opspec_order(opspec_number a, opspec_number b)
{
    if (a.kind == OPSPEC_REAL && b.kind == OPSPEC_REAL)
        return a.as.real < b.as.real ? -1 : a.as.real > b.as.real ? 1 : a.as.real == b.as.real ? 0 : 2;
    if (b.kind == OPSPEC_REAL)
        return order_of_real(whole_of(a), b.as.real);
    if (a.kind == OPSPEC_REAL) {
        const int found = order_of_real(whole_of(b), a.as.real);
        return found == 2 ? 2 : -found;
    }
    return whole_of(a) < whole_of(b) ? -1 : whole_of(a) > whole_of(b);
}

static int numbers_cause(opspec_number a, opspec_number b)
{
    return opspec_worst(opspec_number_cause(a), opspec_number_cause(b));
}

#define COMPARISON(name, test)                                                                                         \
    int opspec_number_##name(opspec_number a, opspec_number b)                                                         \
    {                                                                                                                  \
        const int cause = numbers_cause(a, b);                                                                         \
        if (cause)                                                                                                     \
            return cause;                                                                                              \
        const int order = opspec_order(a, b);                                                                          \
        return test;                                                                                                   \
    }
COMPARISON(eq, order == 0)
COMPARISON(ne, order != 0)
COMPARISON(lt, order == -1)
COMPARISON(le, order == -1 || order == 0)
COMPARISON(gt, order == 1)
COMPARISON(ge, order == 1 || order == 0)

#define ARITHMETIC(name, op)                                                                                           \
    opspec_number opspec_number_##name(opspec_number a, opspec_number b)                                               \
    {                                                                                                                  \
        const int cause = numbers_cause(a, b);                                                                         \
        return cause ? opspec_no_number(cause) : opspec_real(double_of(a) op double_of(b));                            \
    }
ARITHMETIC(add, +)
ARITHMETIC(sub, -)
ARITHMETIC(mul, *)

opspec_number opspec_number_div(opspec_number a, opspec_number b)
{
    int cause = numbers_cause(a, b);
    if (!cause && double_of(b) == 0)
        cause = OPSPEC_NEITHER;
    return cause ? opspec_no_number(cause) : opspec_real(double_of(a) / double_of(b));
}

static opspec_int rounded(opspec_number v, int up)
{
    if (opspec_number_cause(v))
        return OPSPEC_UNDEFINED(opspec_number_cause(v));
    if (v.kind != OPSPEC_REAL)
        return opspec_fits(whole_of(v));
    if (!(v.as.real >= -TWO_64 / 2 && v.as.real < TWO_64 / 2)) /* NaN, too */
        return NEITHER;
    const int64_t truncated = (int64_t)v.as.real;
    const double rest = v.as.real - (double)truncated;
    return (opspec_int)truncated + (up ? rest > 0 : -(rest < 0));
}

opspec_int opspec_floor(opspec_number v) { return rounded(v, 0); }
opspec_int opspec_ceil(opspec_number v) { return rounded(v, 1); }

/* --- strings ---------------------------------------------------------------------------------------------------- */

opspec_str opspec_string(const char *text)
{
    if (text == NULL)
        return opspec_no_str(OPSPEC_ABSENT);
    const char *end = memchr(text, 0, OPSPEC_TEXT_MAX);
    return end == NULL ? opspec_no_str(OPSPEC_LIMIT) : (opspec_str){text, end - text};
}

static int same_text(opspec_str a, opspec_str b)
{
    return a.size == b.size && memcmp(a.text, b.text, (size_t)a.size) == 0;
}

int opspec_str_eq(opspec_str a, opspec_str b)
{
    const int cause = opspec_worst(opspec_count_cause(a.size), opspec_count_cause(b.size));
    return cause ? cause : same_text(a, b);
}

int opspec_str_in(opspec_str text, opspec_strs list)
{
    const int cause = opspec_worst(opspec_count_cause(text.size), opspec_count_cause(list.count));
    if (cause)
        return cause;
    for (int64_t i = 0; i < list.count; i++)
        if (same_text(text, list.items[i]))
            return OPSPEC_TRUE;
    return OPSPEC_FALSE;
}

opspec_int opspec_str_len(opspec_str text)
{
    opspec_int characters = 0;
    if (text.size < 0)
        return OPSPEC_UNDEFINED(opspec_count_cause(text.size));
    for (int64_t i = 0; i < text.size; i++)
        characters += ((unsigned char)text.text[i] & 0xC0) != 0x80;
    return characters;
}

int opspec_starts_with(opspec_str text, opspec_str start)
{
    const int cause = opspec_worst(opspec_count_cause(text.size), opspec_count_cause(start.size));
    return cause ? cause : start.size <= text.size && memcmp(text.text, start.text, (size_t)start.size) == 0;
}

/* --- lists ------------------------------------------------------------------------------------------------------ */

/* Both bounds of a slice, clamped as in Python; the cause when something is undefined. */
static int bounds(int64_t count, opspec_int low, opspec_int high, int64_t *first, int64_t *end)
{
    const int cause = opspec_worst(opspec_count_cause(count), opspec_cause_2(low, high));
    if (cause)
        return cause;
    if (high == OPSPEC_END)
        high = count;
    low = low < 0 ? low + count : low;
    high = high < 0 ? high + count : high;
    *first = (int64_t)(low < 0 ? 0 : low > count ? count : low);
    *end = (int64_t)(high < *first ? *first : high > count ? count : high);
    return 0;
}

opspec_ints opspec_slice(opspec_ints list, opspec_int low, opspec_int high)
{
    int64_t first = 0, end = 0;
    const int cause = bounds(list.count, low, high, &first, &end);
    return cause ? opspec_no_ints(cause) : opspec_list(end > first ? list.items + first : NULL, end - first);
}

opspec_numbers opspec_slice_numbers(opspec_numbers list, opspec_int low, opspec_int high)
{
    int64_t first = 0, end = 0;
    const int cause = bounds(list.count, low, high, &first, &end);
    return cause ? opspec_no_numbers(cause) : (opspec_numbers){end > first ? list.items + first : NULL, end - first};
}

opspec_ints opspec_seq(int64_t *buffer, const opspec_int *items, int64_t count)
{
    opspec_int highest = 0;
    for (int64_t i = 0; i < count; i++)
        highest = items[i] > highest ? items[i] : highest;
    if (highest > INT64_MAX)
        return opspec_no_ints(opspec_cause(highest) ? opspec_cause(highest) : OPSPEC_LIMIT);
    for (int64_t i = 0; i < count; i++)
        buffer[i] = (int64_t)items[i];
    return opspec_list(buffer, count);
}

opspec_numbers opspec_seq_numbers(opspec_number *buffer, const opspec_number *items, int64_t count)
{
    int cause = 0;
    for (int64_t i = 0; i < count; i++) {
        cause = opspec_worst(cause, opspec_number_cause(items[i]));
        buffer[i] = items[i];
    }
    return cause ? opspec_no_numbers(cause) : (opspec_numbers){buffer, count};
}

opspec_lists opspec_seq_lists(opspec_ints *buffer, const opspec_ints *items, int64_t count)
{
    int cause = 0;
    for (int64_t i = 0; i < count; i++) {
        cause = opspec_worst(cause, opspec_count_cause(items[i].count));
        buffer[i] = items[i];
    }
    return cause ? opspec_no_lists(cause) : (opspec_lists){buffer, count};
}

opspec_strs opspec_seq_strs(opspec_str *buffer, const opspec_str *items, int64_t count)
{
    int cause = 0;
    for (int64_t i = 0; i < count; i++) {
        cause = opspec_worst(cause, opspec_count_cause(items[i].size));
        buffer[i] = items[i];
    }
    return cause ? opspec_no_strs(cause) : (opspec_strs){buffer, count};
}

#define JOIN(name, list_type, item_type)                                                                               \
    list_type name(item_type *buffer, const list_type *parts, int64_t count)                                           \
    {                                                                                                                  \
        int cause = 0;                                                                                                 \
        int64_t size = 0;                                                                                              \
        for (int64_t i = 0; i < count; i++)                                                                            \
            cause = opspec_worst(cause, opspec_count_cause(parts[i].count));                                           \
        for (int64_t i = 0; i < count && !cause; i++) {                                                                \
            if (parts[i].count > OPSPEC_LIST_MAX - size)                                                               \
                cause = OPSPEC_LIMIT;                                                                                  \
            for (int64_t j = 0; j < parts[i].count && !cause; j++)                                                     \
                buffer[size++] = parts[i].items[j];                                                                    \
        }                                                                                                              \
        return (list_type){buffer, cause ? -cause : size};                                                             \
    }
JOIN(opspec_join, opspec_ints, int64_t)
JOIN(opspec_join_numbers, opspec_numbers, opspec_number)
JOIN(opspec_join_lists, opspec_lists, opspec_ints)

static int counts_cause(int64_t a, int64_t b) { return opspec_worst(opspec_count_cause(a), opspec_count_cause(b)); }

static int same(opspec_ints a, opspec_ints b)
{
    if (a.count != b.count)
        return 0;
    for (int64_t i = 0; i < a.count; i++)
        if (a.items[i] != b.items[i])
            return 0;
    return 1;
}

int opspec_equal(opspec_ints a, opspec_ints b)
{
    const int cause = counts_cause(a.count, b.count);
    return cause ? cause : same(a, b);
}

int opspec_equal_numbers(opspec_numbers a, opspec_numbers b)
{
    const int cause = counts_cause(a.count, b.count);
    if (cause || a.count != b.count)
        return cause;
    for (int64_t i = 0; i < a.count; i++)
        if (opspec_order(a.items[i], b.items[i]) != 0)
            return OPSPEC_FALSE;
    return OPSPEC_TRUE;
}

int opspec_equal_lists(opspec_lists a, opspec_lists b)
{
    const int cause = counts_cause(a.count, b.count);
    if (cause || a.count != b.count)
        return cause;
    for (int64_t i = 0; i < a.count; i++)
        if (!same(a.items[i], b.items[i]))
            return OPSPEC_FALSE;
    return OPSPEC_TRUE;
}

int opspec_contains(opspec_ints list, opspec_int item)
{
    const int cause = opspec_worst(opspec_count_cause(list.count), opspec_cause(item));
    if (cause)
        return cause;
    for (int64_t i = 0; i < list.count; i++)
        if (list.items[i] == item)
            return OPSPEC_TRUE;
    return OPSPEC_FALSE;
}

int opspec_contains_number(opspec_numbers list, opspec_number item)
{
    const int cause = opspec_worst(opspec_count_cause(list.count), opspec_number_cause(item));
    if (cause)
        return cause;
    for (int64_t i = 0; i < list.count; i++)
        if (opspec_order(list.items[i], item) == 0)
            return OPSPEC_TRUE;
    return OPSPEC_FALSE;
}

int opspec_contains_list(opspec_lists list, opspec_ints item)
{
    const int cause = counts_cause(list.count, item.count);
    if (cause)
        return cause;
    for (int64_t i = 0; i < list.count; i++)
        if (same(list.items[i], item))
            return OPSPEC_TRUE;
    return OPSPEC_FALSE;
}

int64_t opspec_zip(int64_t a, int64_t b)
{
    const int cause = counts_cause(a, b);
    return cause ? -cause : a == b ? a : -OPSPEC_NEITHER;
}

int opspec_range_cause(opspec_int low, opspec_int high)
{
    const int cause = opspec_cause_2(low, high);
    return cause ? cause : high - low > OPSPEC_RANGE_MAX ? OPSPEC_NEITHER : 0;
}

int64_t opspec_range_count(opspec_int low, opspec_int high)
{
    const int cause = opspec_range_cause(low, high);
    return cause ? -cause : high > low ? (int64_t)(high - low) : 0;
}

bool opspec_kept(opspec_making *list, int condition)
{
    if (condition > OPSPEC_TRUE)
        list->condition = opspec_worst(list->condition, condition);
    return condition != OPSPEC_FALSE;
}

/* Where the next element goes, or -1; it counts even beyond the buffer. */
static int64_t next_place(opspec_making *list, int cause)
{
    list->element = opspec_worst(list->element, cause);
    const int64_t place = list->count++;
    return cause || place >= OPSPEC_LIST_MAX ? -1 : place;
}

void opspec_append(opspec_making *list, int64_t *buffer, opspec_int item)
{
    const int cause = opspec_cause(item) ? opspec_cause(item) : item > INT64_MAX ? OPSPEC_LIMIT : 0;
    const int64_t place = next_place(list, cause);
    if (place >= 0)
        buffer[place] = (int64_t)item;
}

void opspec_append_number(opspec_making *list, opspec_number *buffer, opspec_number item)
{
    const int64_t place = next_place(list, opspec_number_cause(item));
    if (place >= 0)
        buffer[place] = item;
}

void opspec_append_tensor(opspec_making *list, const opspec_tensor **buffer, const opspec_tensor *item)
{
    const int64_t place = next_place(list, opspec_tensor_cause(item));
    if (place >= 0)
        buffer[place] = item;
}

int64_t opspec_made(const opspec_making *list)
{
    const int cause = list->condition ? list->condition : list->element;
    return cause ? -cause : list->count > OPSPEC_LIST_MAX ? -OPSPEC_LIMIT : list->count;
}

static int ordered(opspec_numbers list, int equal)
{
    if (list.count < 0)
        return opspec_count_cause(list.count);
    for (int64_t i = 1; i < list.count; i++) {
        const int order = opspec_order(list.items[i - 1], list.items[i]);
        if (order != -1 && !(equal && order == 0))
            return OPSPEC_FALSE;
    }
    return OPSPEC_TRUE;
}

static int ordered_ints(opspec_ints list, int equal)
{
    if (list.count < 0)
        return opspec_count_cause(list.count);
    for (int64_t i = 1; i < list.count; i++)
        if (list.items[i - 1] > list.items[i] || (!equal && list.items[i - 1] == list.items[i]))
            return OPSPEC_FALSE;
    return OPSPEC_TRUE;
}

int opspec_increasing(opspec_numbers list) { return ordered(list, 0); }
int opspec_nondecreasing(opspec_numbers list) { return ordered(list, 1); }
int opspec_increasing_ints(opspec_ints list) { return ordered_ints(list, 0); }
int opspec_nondecreasing_ints(opspec_ints list) { return ordered_ints(list, 1); }

int opspec_distinct(opspec_numbers list)
{
    const int increasing = ordered(list, 0);
    if (increasing != OPSPEC_FALSE)
        return increasing;
    if (list.count > OPSPEC_DISTINCT_MAX)
        return OPSPEC_LIMIT;
    for (int64_t i = 1; i < list.count; i++)
        for (int64_t j = 0; j < i; j++)
            if (opspec_order(list.items[i], list.items[j]) == 0)
                return OPSPEC_FALSE;
    return OPSPEC_TRUE;
}

int opspec_distinct_ints(opspec_ints list)
{
    const int increasing = ordered_ints(list, 0);
    if (increasing != OPSPEC_FALSE)
        return increasing;
    if (list.count > OPSPEC_DISTINCT_MAX)
        return OPSPEC_LIMIT;
    for (int64_t i = 1; i < list.count; i++)
        for (int64_t j = 0; j < i; j++)
            if (list.items[i] == list.items[j])
                return OPSPEC_FALSE;
    return OPSPEC_TRUE;
}

/* --- shapes ----------------------------------------------------------------------------------------------------- */

/* The dim of a shape that is aligned at the right with one of a greater rank. */
static int64_t dim_of(opspec_ints shape, int64_t rank, int64_t i)
{
    const int64_t place = i - (rank - shape.count);
    return place < 0 ? 1 : shape.items[place];
}

/* Whether the dims that two shapes have in common go together. */
static bool goes_with(opspec_ints a, opspec_ints b)
{
    const int64_t both = a.count < b.count ? a.count : b.count;
    for (int64_t i = 1; i <= both; i++) {
        const int64_t x = a.items[a.count - i], y = b.items[b.count - i];
        if (x != y && x != 1 && y != 1)
            return false;
    }
    return true;
}

/* Rank of the broadcast, or -cause. */
static int64_t broadcast_rank(opspec_ints a, opspec_ints b)
{
    if (a.count < 0 || b.count < 0)
        return -counts_cause(a.count, b.count);
    return !goes_with(a, b) ? -OPSPEC_NEITHER : a.count < b.count ? b.count : a.count;
}

opspec_ints opspec_broadcast(int64_t *buffer, opspec_ints a, opspec_ints b)
{
    const int64_t rank = broadcast_rank(a, b);
    if (rank > OPSPEC_LIST_MAX)
        return opspec_no_ints(OPSPEC_LIMIT);
    if (rank < 0)
        return opspec_list(NULL, rank);
    const opspec_ints longer = a.count < b.count ? b : a, shorter = a.count < b.count ? a : b;
    for (int64_t i = 0; i < rank - shorter.count; i++)
        buffer[i] = longer.items[i];
    for (int64_t i = rank - shorter.count; i < rank; i++)
        buffer[i] = longer.items[i] == 1 ? shorter.items[i - (rank - shorter.count)] : longer.items[i];
    return opspec_list(buffer, rank);
}

int opspec_broadcastable(opspec_ints a, opspec_ints b)
{
    return a.count < 0 || b.count < 0 ? counts_cause(a.count, b.count) : goes_with(a, b);
}

int opspec_broadcastable_to(opspec_ints source, opspec_ints target)
{
    const int cause = counts_cause(source.count, target.count);
    if (cause)
        return cause;
    if (source.count > target.count)
        return OPSPEC_FALSE;
    for (int64_t i = 0; i < target.count; i++) {
        const int64_t dim = dim_of(source, target.count, i);
        if (dim != 1 && dim != target.items[i])
            return OPSPEC_FALSE;
    }
    return OPSPEC_TRUE;
}

bool opspec_is_broadcast(const opspec_tensor *shape, const opspec_tensor *const *of, int count)
{
    int64_t widest = 0;
    for (int j = 0; j < count; j++) {
        const int64_t before = shape->rank - of[j]->rank;
        widest = of[j]->rank > widest ? of[j]->rank : widest;
        for (int64_t i = 0; before >= 0 && i < of[j]->rank; i++)
            if (of[j]->shape[i] != shape->shape[before + i] && of[j]->shape[i] != 1)
                return false;
    }
    if (widest != shape->rank || widest > OPSPEC_LIST_MAX)
        return false;
    for (int64_t i = 0; i < shape->rank; i++) {
        bool found = shape->shape[i] == 1; /* else some shape is to have the dim */
        for (int j = 0; j < count && !found; j++) {
            const int64_t place = i - (shape->rank - of[j]->rank);
            found = place >= 0 && of[j]->shape[place] == shape->shape[i];
        }
        if (!found)
            return false;
    }
    return true;
}

opspec_ints opspec_permuted(int64_t *buffer, opspec_ints shape, opspec_ints order)
{
    bool taken[OPSPEC_LIST_MAX] = {false};
    int cause = counts_cause(shape.count, order.count);
    if (!cause && shape.count != order.count)
        cause = OPSPEC_NEITHER;
    if (!cause && shape.count > OPSPEC_LIST_MAX)
        cause = OPSPEC_LIMIT;
    for (int64_t i = 0; i < shape.count && !cause; i++) {
        const int64_t axis = order.items[i];
        if (axis < 0 || axis >= shape.count || taken[axis]) {
            cause = OPSPEC_NEITHER;
        } else {
            taken[axis] = true;
            buffer[i] = shape.items[axis];
        }
    }
    return cause ? opspec_no_ints(cause) : opspec_list(buffer, shape.count);
}

opspec_ints opspec_reduced(int64_t *buffer, opspec_ints shape, opspec_ints axes, int keep)
{
    bool gone[OPSPEC_LIST_MAX] = {false};
    int64_t rank = 0;
    int cause = opspec_worst(counts_cause(shape.count, axes.count), opspec_bool_cause(keep));
    if (!cause && shape.count > OPSPEC_LIST_MAX)
        cause = OPSPEC_LIMIT;
    for (int64_t i = 0; i < axes.count && !cause; i++) {
        const opspec_int found = opspec_axis(axes.items[i], shape.count);
        const int64_t axis = opspec_cause(found) ? -1 : (int64_t)found; /* gcc 12 -O2 is wrong about 128-bit indices */
        if (axis < 0 || gone[axis])
            cause = OPSPEC_NEITHER;
        else
            gone[axis] = true;
    }
    if (cause)
        return opspec_no_ints(cause);
    for (int64_t i = 0; i < shape.count; i++) {
        if (axes.count > 0 && !gone[i])
            buffer[rank++] = shape.items[i];
        else if (keep)
            buffer[rank++] = 1;
    }
    return opspec_list(buffer, rank);
}

/* --- dtypes ----------------------------------------------------------------------------------------------------- */

static int outside(opspec_int dtype) { return dtype < 0 || dtype >= OPSPEC_DTYPES_END; }

/* The cell of a table of dtypes; -1 where it has none. */
static int cell(const int8_t table[OPSPEC_DTYPES_END][OPSPEC_DTYPES_END], opspec_int row, opspec_int column)
{
    return outside(row) || outside(column) ? -1 : table[(int32_t)row][(int32_t)column];
}

opspec_int opspec_promote(opspec_int a, opspec_int b)
{
    OPSPEC_STRICT(a, b);
    if (a == b)
        return a;
    return cell(opspec_promotion, a, b) < 0 ? NEITHER : cell(opspec_promotion, a, b);
}

opspec_int opspec_promote_scalar(opspec_int tensor, opspec_int scalar)
{
    OPSPEC_STRICT(tensor, scalar);
    if (tensor == scalar)
        return tensor;
    return cell(opspec_scalar_promotion, tensor, scalar) < 0 ? NEITHER : cell(opspec_scalar_promotion, tensor, scalar);
}

int opspec_promotable(opspec_int a, opspec_int b)
{
    const int cause = opspec_cause_2(a, b);
    return cause ? cause : opspec_cause(opspec_promote(a, b)) == 0;
}

int opspec_castable(opspec_int source, opspec_int target)
{
    const int cause = opspec_cause_2(source, target);
    if (cause)
        return cause;
    return source == target || (!outside(source) && opspec_in_set(target, opspec_conversions[(int32_t)source]));
}

opspec_int opspec_bits(opspec_int dtype)
{
    OPSPEC_STRICT(dtype, dtype);
    return outside(dtype) || opspec_widths[(int32_t)dtype] == 0 ? NEITHER : opspec_widths[(int32_t)dtype];
}

/* --- tensors ---------------------------------------------------------------------------------------------------- */

opspec_int opspec_numel(const opspec_tensor *t)
{
    const int cause = opspec_tensor_cause(t);
    if (cause)
        return OPSPEC_UNDEFINED(cause);
    for (int64_t i = 0; i < t->rank; i++)
        if (t->shape[i] < 0)
            return NEITHER;
    return opspec_prod(opspec_list(t->shape, t->rank));
}

opspec_ints opspec_strides(int64_t *buffer, const opspec_tensor *t)
{
    const int cause = opspec_tensor_cause(t);
    if (cause)
        return opspec_no_ints(cause);
    if (t->strides != NULL)
        return opspec_list(t->strides, t->rank);
    if (t->rank > OPSPEC_LIST_MAX)
        return opspec_no_ints(OPSPEC_LIMIT);
    opspec_int step = 1;
    for (int64_t i = t->rank - 1; i >= 0; i--) {
        if (opspec_cause(step))
            return opspec_no_ints(OPSPEC_NEITHER);
        buffer[i] = (int64_t)step;
        step = opspec_mul(step, t->shape[i] > 1 ? t->shape[i] : 1);
    }
    return opspec_list(buffer, t->rank);
}

opspec_ints opspec_storage_shape(const opspec_tensor *t)
{
    const int cause = opspec_tensor_cause(t);
    if (cause)
        return opspec_no_ints(cause);
    if (t->storage_shape != NULL)
        return opspec_list(t->storage_shape, t->storage_rank);
    return t->strides == NULL && t->offset == 0 ? opspec_shape(t) : opspec_no_ints(OPSPEC_NO_DATA);
}

/* Whether a tensor has no elements. */
static int is_empty(const opspec_tensor *t)
{
    for (int64_t i = 0; i < t->rank; i++)
        if (t->shape[i] == 0)
            return 1;
    return 0;
}

opspec_numbers opspec_values(const opspec_tensor *t)
{
    const int cause = opspec_tensor_cause(t);
    if (cause || opspec_is_complex(t->dtype))
        return opspec_no_numbers(cause ? cause : OPSPEC_NO_DATA);
    if (t->values != NULL)
        return (opspec_numbers){t->values, t->value_count};
    return is_empty(t) ? (opspec_numbers){NULL, 0} : opspec_no_numbers(OPSPEC_NO_DATA);
}

/* Whether strides are those of a contiguous tensor, its last two axes swapped or not. */
static int contiguous(const opspec_tensor *t, int swapped)
{
    opspec_int step = 1;
    if (is_empty(t))
        return 1;
    for (int64_t i = t->rank - 1; i >= 0; i--) {
        const int64_t axis = swapped && i >= t->rank - 2 ? 2 * t->rank - 3 - i : i;
        if (t->shape[axis] == 1)
            continue;
        if (t->strides[axis] != step)
            return 0;
        step = opspec_mul(step, t->shape[axis]); /* once undefined, no stride is equal to it */
        if (opspec_cause(step))
            step = OPSPEC_NULL;
    }
    return 1;
}

int opspec_contiguous(const opspec_tensor *t)
{
    const int cause = opspec_tensor_cause(t);
    return cause ? cause : t->strides == NULL || contiguous(t, 0);
}

int opspec_transposed_last2(const opspec_tensor *t)
{
    const int cause = opspec_tensor_cause(t);
    return cause ? cause : t->strides != NULL && t->rank >= 2 && contiguous(t, 1);
}
