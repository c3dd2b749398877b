/* What the generated file of an operator includes: the run time, short names for members of sets, and what messages
 * are made with. */
#ifndef OPSPEC_SOURCE_H
#define OPSPEC_SOURCE_H

#include <math.h>

#include "opspec_rules.h"

#define DT_(name) OPSPEC_BIT(OPSPEC_DT_##name)
#define FORMAT_(name) OPSPEC_BIT(OPSPEC_FORMAT_##name)
#define PRODUCT_(name) OPSPEC_BIT(OPSPEC_PRODUCT_##name)

/* Of functions that judge in detail, which is only done of a call that `legal` does not pass: not optimised, which for them
 * is most of the time that an operator takes to compile. */
#if defined(__clang__)
#define OPSPEC_SELDOM __attribute__((optnone, noinline))
#elif defined(__GNUC__)
#define OPSPEC_SELDOM __attribute__((optimize("O0")))
#else
#define OPSPEC_SELDOM
#endif

/* The first of some statements that is false, else the first that is undefined, else the last. */
int opspec_first(const int *values, int count);

/* The element of a list that a statement is false for, else the first that it is undefined for. */
enum { OPSPEC_FAILED = 1, OPSPEC_UNCLEAR = 2 };
typedef struct {
    opspec_int place;
    int outcome;
} opspec_sought;
void opspec_seek(opspec_sought *found, opspec_int place, int value);

/* Of rows of a table, each with a bit for every column whose value it does not hold: the one with the fewest. */
static inline uint64_t opspec_misfit(int held, int column) { return (uint64_t)(held != OPSPEC_TRUE) << column; }
int opspec_nearest(const uint64_t *misfits, int count);
int opspec_bit_count(uint64_t bits);

/* The place of the least of some numbers, the first of equal ones. */
int opspec_least(const int *values, int count);

/* The parts of a message, in this order: the elements that failed, from the outermost list's (depth 1) on, each with
 * its list where words do not name it, what is required, values that were found (those of the words come first). A
 * value without a name is what is required. Undefined values are left out. After words that introduce a table's row
 * opspec_say_must tells what its misfits must be: where its columns' names are, one after the other, and where the
 * words of its cells are. */
void opspec_say_at(opspec_saying *say, int depth, opspec_int place, const char *list);
void opspec_say_words(opspec_saying *say, uint32_t words);
void opspec_say_must(opspec_saying *say, uint64_t misfits, uint32_t names, const uint32_t *cells);
void opspec_found(opspec_saying *say, const char *name); /* of a param: "x", "x.shape", "len(x)"; "product" */
void opspec_found_int(opspec_saying *say, const char *name, opspec_int value);
void opspec_found_bool(opspec_saying *say, const char *name, int value);
void opspec_found_dtype(opspec_saying *say, const char *name, opspec_int value);
void opspec_found_format(opspec_saying *say, const char *name, opspec_int value);
void opspec_found_number(opspec_saying *say, const char *name, opspec_number value);
void opspec_found_str(opspec_saying *say, const char *name, opspec_str value);
void opspec_found_tensor(opspec_saying *say, const char *name, const opspec_tensor *value);
void opspec_found_ints(opspec_saying *say, const char *name, opspec_ints list);
void opspec_found_bools(opspec_saying *say, const char *name, opspec_ints list);
void opspec_found_dtypes(opspec_saying *say, const char *name, opspec_ints list);
void opspec_found_formats(opspec_saying *say, const char *name, opspec_ints list);
void opspec_found_numbers(opspec_saying *say, const char *name, opspec_numbers list);
void opspec_found_strs(opspec_saying *say, const char *name, opspec_strs list);
void opspec_found_tensors(opspec_saying *say, const char *name, opspec_tensors list);
void opspec_found_lists(opspec_saying *say, const char *name, opspec_lists list);

#endif
