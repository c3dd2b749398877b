/* Judges calls of operators that are broken on purpose; prints of each its name, status, rule and fault: see
 * test_faults.py. */
#include <stdio.h>
#include <string.h>

#include "opspec_rules.h"

static const opspec_rule rules[OPSPEC_RULES_MAX] = {
    {.id = "first", .status = OPSPEC_ACLNN_ERR_PARAM_INVALID, .refused = 0x7FFFFFFF},
    {.id = "second", .status = OPSPEC_ACLNN_ERR_PARAM_INVALID, .refused = 0x7FFFFFFF},
};
static const uint16_t facts[] = {0};
static const uint8_t support[OPSPEC_PRODUCTS_END] = {0};

static void legal(const opspec_call *call, opspec_report *report)
{
    (void)call;
    opspec_check(report, 0, OPSPEC_TRUE);
    if (opspec_applies(report, 1, OPSPEC_FALSE) || opspec_applies(report, 1, OPSPEC_ABSENT))
        opspec_check(report, 1, OPSPEC_FALSE);
    opspec_early(report, OPSPEC_FALSE);
    opspec_early(report, OPSPEC_NO_DATA);
}

static void illegal(const opspec_call *call, opspec_report *report)
{
    (void)call;
    opspec_check(report, 1, OPSPEC_FALSE);
}

#define BROKEN(name, statement)                                                                                        \
    static void name(const opspec_call *call, opspec_report *report)                                                   \
    {                                                                                                                  \
        (void)call;                                                                                                    \
        opspec_check(report, 0, OPSPEC_FALSE);                                                                         \
        statement;                                                                                                     \
    }
BROKEN(outcome_beyond, opspec_check(report, 1, 42))
BROKEN(outcome_below, opspec_check(report, 1, -1))
BROKEN(outcome_wide, opspec_check(report, 1, 65536 + OPSPEC_TRUE)) /* TRUE in 16 bits */
BROKEN(outcome_true, opspec_note(report, 1, OPSPEC_TRUE))
BROKEN(outcome_guard, opspec_check(report, 1, OPSPEC_OUTCOME_FAULT))
BROKEN(guard_beyond, (void)opspec_applies(report, 1, 17))
BROKEN(guard_below, (void)opspec_applies(report, 1, -17))
BROKEN(early_beyond, opspec_early(report, 9))
BROKEN(rule_beyond, opspec_check(report, 2, OPSPEC_FALSE))
BROKEN(rule_below, opspec_check(report, -2, OPSPEC_FALSE))
BROKEN(rule_twice, opspec_check(report, 0, OPSPEC_FALSE))
BROKEN(too_many, for (int i = 1; i < 2 * OPSPEC_RULES_MAX; i++) opspec_check(report, i, OPSPEC_FALSE))
BROKEN(too_many_early, for (int i = 1; i < 2 * OPSPEC_RULES_MAX; i++) opspec_early(report, OPSPEC_TRUE))

static void judge(const char *name, void (*check)(const opspec_call *, opspec_report *), int32_t version, int32_t count)
{
    const opspec_operator op = {.version = version, .name = name, .rules = rules, .facts = facts, .support = support,
        .rule_count = count, .check = check};
    static opspec_verdict verdict;
    const opspec_call call = {NULL, 0, 0};
    memset(&verdict, 0x55, sizeof verdict);
    const int32_t status = opspec_judge(&op, &call, &verdict);
    printf("%s|%d|%d|%d|%d|%s\n", name, (int)status, verdict.legal, (int)verdict.status, (int)verdict.fault_rule,
        verdict.fault == NULL ? "" : verdict.fault);
}

int main(void)
{
#define JUDGE(name) judge(#name, name, OPSPEC_RULES_VERSION, 2)
    JUDGE(legal);
    JUDGE(illegal);
    JUDGE(outcome_beyond);
    JUDGE(outcome_below);
    JUDGE(outcome_wide);
    JUDGE(outcome_true);
    JUDGE(outcome_guard);
    JUDGE(guard_beyond);
    JUDGE(guard_below);
    JUDGE(early_beyond);
    JUDGE(rule_beyond);
    JUDGE(rule_below);
    JUDGE(rule_twice);
    JUDGE(too_many_early);
    judge("too_many", too_many, OPSPEC_RULES_VERSION, OPSPEC_RULES_MAX);
    judge("other_version", legal, OPSPEC_RULES_VERSION + 1, 2);
    judge("too_large", legal, OPSPEC_RULES_VERSION, OPSPEC_RULES_MAX + 1);
    return 0;
}
