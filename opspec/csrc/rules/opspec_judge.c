/* From the report of an operator's rules to a verdict: as opspec.validator.judge does it. */
#include "opspec_rules.h"

#include <string.h>

/* --- the report --------------------------------------------------------------------------------------------------- */

/* Rules are told in order and once each, so that there is room for all; what comes beyond it is a fault of the last. */
void opspec_note(opspec_report *report, int rule, int outcome)
{
    const int32_t last = (int32_t)(sizeof report->entries / sizeof report->entries[0]) - 1;
    const bool known = outcome >= OPSPEC_FALSE && outcome <= OPSPEC_OUTCOME_GUARD && report->count <= last;
    const int32_t place = report->count <= last ? report->count++ : last;
    report->entries[place].rule = (int16_t)rule;
    report->entries[place].outcome = (int16_t)(known ? outcome : OPSPEC_OUTCOME_FAULT);
}

void opspec_note_guard(opspec_report *report, int rule, int guard)
{
    if (guard == OPSPEC_NEITHER || guard == OPSPEC_ABSENT)
        return;
    if (guard == OPSPEC_NO_DATA)
        opspec_note(report, rule, OPSPEC_OUTCOME_GUARD);
    else
        opspec_note(report, rule, guard == OPSPEC_LIMIT ? OPSPEC_LIMIT : OPSPEC_OUTCOME_FAULT);
}

void opspec_note_early(opspec_report *report, int when)
{
    if (when == OPSPEC_NEITHER || when == OPSPEC_ABSENT || when == OPSPEC_NO_DATA)
        return;
    opspec_note(report, -1, when == OPSPEC_TRUE || when == OPSPEC_LIMIT ? when : OPSPEC_OUTCOME_FAULT);
}

/* Whether an entry is what rules come to: each rule once and in order, with an outcome that is worth an entry. */
static bool is_sound(const opspec_operator *op, int before, int rule, int outcome)
{
    if (rule == -1)
        return outcome == OPSPEC_TRUE || outcome == OPSPEC_LIMIT;
    const bool known = outcome == OPSPEC_FALSE || outcome == OPSPEC_NEITHER || outcome == OPSPEC_NO_DATA ||
        outcome == OPSPEC_LIMIT || outcome == OPSPEC_OUTCOME_GUARD;
    return known && rule > before && rule < op->rule_count;
}

/* Whether opspec failed: the verdict then says so, and at which rule. */
static bool has_failed(const opspec_operator *op, const opspec_report *report, opspec_verdict *verdict)
{
    int before = -1;
    for (int32_t i = 0; i < report->count; i++) {
        const int rule = report->entries[i].rule;
        if (!is_sound(op, before, rule, report->entries[i].outcome)) {
            verdict->fault = "the rule came to what no rule comes to";
            verdict->fault_rule = rule >= 0 && rule < op->rule_count ? (int16_t)rule : -1;
            return true;
        }
        before = rule > before ? rule : before;
    }
    return false;
}

/* --- from a report to a verdict ----------------------------------------------------------------------------------- */

typedef struct {
    const opspec_operator *op;
    const opspec_call *call;
    const opspec_report *report;
    opspec_verdict *verdict;
    int16_t skipped_for[OPSPEC_RULES_MAX]; /* by rule: the null rule, or the lookup, that it is skipped for, or -1 */
    uint8_t found[OPSPEC_RULES_MAX];     /* by rule: whether it is among violations or warnings, or beyond a limit */
    int product;                         /* bit of a rule's masks */
    bool early;
    bool doubtful; /* it is not known whether there was an early success */
} sorter;

static void list_undecided(sorter *s, int rule, opspec_reason reason, int because)
{
    opspec_undecided *entry = &s->verdict->undecided[s->verdict->undecided_count++];
    entry->rule = (int16_t)rule;
    entry->because = (int16_t)because;
    entry->reason = reason;
}

static const uint16_t *facts_of(const sorter *s, int rule) { return s->op->facts + s->op->rules[rule].first; }

/* Whether two rules read the same facet of the same param; with only_value, of a param's own value. */
static bool related(const sorter *s, int a, int b, bool only_value)
{
    const uint16_t *mine = facts_of(s, a), *other = facts_of(s, b);
    for (int i = 0; i < s->op->rules[a].facts; i++)
        for (int j = 0; j < s->op->rules[b].facts; j++)
            if (mine[i] == other[j] && (!only_value || mine[i] % 8 == OPSPEC_FACET_VALUE))
                return true;
    return false;
}

/* The rule that made this one undefined, or -1: one found before, or an attribute's that is checked later. */
static int cause_of(const sorter *s, int rule)
{
    for (int other = 0; other < s->op->rule_count; other++)
        if (s->found[other] && related(s, rule, other, false))
            return other;
    for (int i = 0; i < s->report->count; i++) {
        const int other = s->report->entries[i].rule;
        if (s->report->entries[i].outcome != OPSPEC_FALSE || other <= rule || s->skipped_for[other] >= 0)
            continue;
        if (related(s, rule, other, true))
            return other;
    }
    return -1;
}

/* The broken null rule of a param (by number, from 1; 0: of any), or -1. */
static int broken_null_rule(const sorter *s, int param)
{
    for (int i = s->report->count - 1; i >= 0; i--) {
        const int rule = s->report->entries[i].rule;
        if (rule < 0 || s->report->entries[i].outcome != OPSPEC_FALSE || !(s->op->rules[rule].flags & OPSPEC_RULE_NULL))
            continue;
        if (s->op->rules[rule].param >= 0 && (param == 0 || s->op->rules[rule].param + 1 == param))
            return rule;
    }
    return -1;
}

/* Rules that read a null argument which must not be null are skipped, also when only their guards read it. */
static bool mark_nulls(sorter *s)
{
    if (broken_null_rule(s, 0) < 0)
        return false;
    for (int reader = 0; reader < s->op->rule_count; reader++) {
        const opspec_rule *rule = &s->op->rules[reader];
        const uint16_t *facts = facts_of(s, reader);
        if (rule->flags & OPSPEC_RULE_NULL)
            continue;
        for (int j = 0; j < rule->facts + rule->guards && s->skipped_for[reader] < 0; j++)
            if (facts[j] >= 8)
                s->skipped_for[reader] = (int16_t)broken_null_rule(s, facts[j] / 8);
    }
    return true;
}

/* Whether a rule reads nothing but what another one reads. */
static bool reads_no_more(const sorter *s, int rule, int other)
{
    const uint16_t *mine = facts_of(s, rule), *its = facts_of(s, other);
    for (int i = 0; i < s->op->rules[rule].facts; i++) {
        int j = 0;
        while (j < s->op->rules[other].facts && its[j] != mine[i])
            j++;
        if (j == s->op->rules[other].facts)
            return false;
    }
    return true;
}

/* Broken rules about nothing but dtypes and formats that a kernel lookup refuses are skipped: it says why. */
static bool mark_lookup(sorter *s)
{
    int lookup = -1;
    for (int i = 0; i < s->report->count; i++) {
        const int rule = s->report->entries[i].rule;
        if (rule < 0 || s->report->entries[i].outcome != OPSPEC_FALSE || s->skipped_for[rule] >= 0)
            continue;
        if (lookup >= 0 && reads_no_more(s, rule, lookup))
            s->skipped_for[rule] = (int16_t)lookup;
        else if (lookup < 0 && s->op->rules[rule].flags & OPSPEC_RULE_LOOKUP)
            lookup = rule;
    }
    return lookup >= 0;
}

static void sort_one(sorter *s, int number, int outcome)
{
    const opspec_rule *rule = &s->op->rules[number];
    if (outcome == OPSPEC_ABSENT)
        return;
    if (outcome == OPSPEC_NO_DATA || outcome == OPSPEC_OUTCOME_GUARD) {
        list_undecided(s, number, OPSPEC_LACKS_DATA, -1);
        return;
    }
    if (outcome == OPSPEC_LIMIT || s->doubtful) {
        list_undecided(s, number, OPSPEC_BEYOND_LIMIT, -1);
        s->found[number] = 1;
        s->verdict->limited = true;
        return;
    }
    const int cause = outcome == OPSPEC_NEITHER ? cause_of(s, number) : -1;
    if (cause >= 0) {
        list_undecided(s, number, OPSPEC_SKIPPED, cause);
        return;
    }
    s->found[number] = 1;
    if (rule->contradicted >> s->product & 1) {
        s->verdict->warnings[s->verdict->warning_count++] = (int16_t)number;
        return;
    }
    const int32_t place = s->verdict->violation_count++;
    const bool refused = (rule->refused >> s->product & 1) && !s->early;
    s->verdict->violations[place] = (int16_t)number;
    s->verdict->refused[place] = refused;
    s->verdict->unknown[place] = (rule->unknown >> s->product & 1) && !s->early;
    s->verdict->assumed[place] = (rule->flags & OPSPEC_RULE_ASSUMED) && !s->early;
    if (refused && s->verdict->decisive < 0)
        s->verdict->decisive = place;
}

static bool has_unknown(const opspec_tensors *list)
{
    for (int64_t i = 0; i < list->count; i++)
        if (list->items[i] != NULL && list->items[i]->rank < 0)
            return true;
    return list->count < 0;
}

static bool has_unknown_scalar(const opspec_scalars *list)
{
    for (int64_t i = 0; i < list->count; i++)
        if (list->items[i] != NULL && list->items[i]->dtype == OPSPEC_DTYPE_UNKNOWN)
            return true;
    return list->count < 0;
}

static inline bool is_unknown(opspec_kind kind, const opspec_arg *arg)
{
    switch (kind) {
    case OPSPEC_KIND_TENSOR: return arg->tensor != NULL && arg->tensor->rank < 0;
    case OPSPEC_KIND_TENSORS: return arg->tensors != NULL && has_unknown(arg->tensors);
    case OPSPEC_KIND_SCALAR: return arg->scalar != NULL && arg->scalar->dtype == OPSPEC_DTYPE_UNKNOWN;
    case OPSPEC_KIND_SCALARS: return arg->scalars != NULL && has_unknown_scalar(arg->scalars);
    case OPSPEC_KIND_INTS:
    case OPSPEC_KIND_BOOLS: return arg->ints != NULL && arg->ints->count < 0;
    case OPSPEC_KIND_NUMBERS: return arg->numbers != NULL && arg->numbers->count < 0;
    case OPSPEC_KIND_STRING: return arg->string != NULL && opspec_string(arg->string).size < 0;
    default: return false;
    }
}

bool opspec_is_unknown(opspec_kind kind, const opspec_arg *arg) { return is_unknown(kind, arg); }

static bool any_unknown(const opspec_operator *op, const opspec_call *call)
{
    for (int i = 0; i < op->param_count; i++)
        if (op->params[i].kind != OPSPEC_KIND_STRING && is_unknown(op->params[i].kind, &call->args[i]))
            return true;
    return false;
}

/* Whether a rule reads more of an unknown argument than whether it is there. */
static bool reads_unknown(const opspec_operator *op, const opspec_call *call, const opspec_rule *rule)
{
    const uint16_t *facts = op->facts + rule->first;
    for (int i = 0; i < rule->facts + rule->guards; i++) {
        const int param = facts[i] / 8 - 1;
        if (param >= 0 && facts[i] % 8 != 0 && op->params[param].kind != OPSPEC_KIND_STRING &&
            opspec_is_unknown(op->params[param].kind, &call->args[param]))
            return true;
    }
    return false;
}

/* The report where some argument is not known: the rules that read it lack data, whatever they seem to come to. */
static void without_unknown(const opspec_operator *op, const opspec_call *call, opspec_report *report)
{
    opspec_report known;
    int next = 0;
    known.count = 0;
    for (int rule = 0; rule < op->rule_count; rule++) {
        while (next < report->count && report->entries[next].rule < 0)
            known.entries[known.count++] = report->entries[next++];
        const bool told = next < report->count && report->entries[next].rule == rule;
        if (reads_unknown(op, call, &op->rules[rule]))
            opspec_note(&known, rule, OPSPEC_NO_DATA);
        else if (told)
            known.entries[known.count++] = report->entries[next];
        next += told;
    }
    *report = known;
}

static int support_of(const opspec_operator *op, int32_t product)
{
    return product > 0 && product < OPSPEC_PRODUCTS_END ? op->support[product] : OPSPEC_SUPPORT_UNNAMED;
}

static bool product_is_doubtful(const opspec_operator *op, const opspec_call *call)
{
    const int product = support_of(op, call->product), member = support_of(op, call->member);
    if (call->product == 0 || product == OPSPEC_SUPPORT_YES || member == OPSPEC_SUPPORT_YES)
        return false;
    return product != OPSPEC_SUPPORT_NO && member != OPSPEC_SUPPORT_NO;
}

static void sort_all(sorter *s)
{
    memset(s->skipped_for, 0xFF, sizeof s->skipped_for);
    memset(s->found, 0, sizeof s->found);
    bool skipped = mark_nulls(s);
    skipped = mark_lookup(s) || skipped;
    for (int i = 0; i < s->report->count; i++) {
        const int number = s->report->entries[i].rule, outcome = s->report->entries[i].outcome;
        if (number < 0 && outcome == OPSPEC_TRUE)
            s->early = s->early || s->verdict->decisive < 0;
        else if (number < 0)
            s->doubtful = s->doubtful || s->verdict->decisive < 0;
        else if (s->skipped_for[number] < 0)
            sort_one(s, number, outcome);
    }
    for (int number = 0; skipped && number < s->op->rule_count; number++)
        if (s->skipped_for[number] >= 0)
            list_undecided(s, number, OPSPEC_SKIPPED, s->skipped_for[number]);
}

/* Whether the operator's table is as this file reads it. */
static bool is_of_this_version(const opspec_operator *op, opspec_verdict *verdict)
{
    if (op->version == OPSPEC_RULES_VERSION && op->rule_count <= OPSPEC_RULES_MAX)
        return true;
    verdict->fault = op->version == OPSPEC_RULES_VERSION ? "the operator has more rules than there is room for"
                                                         : "the operator was compiled for another version of opspec";
    return false;
}

/* Nothing is known of the call: it is not legal either. */
static int32_t failed(opspec_verdict *verdict)
{
    verdict->legal = false;
    return verdict->status = OPSPEC_FAULT;
}

static int32_t judge_in_detail(const opspec_operator *op, const opspec_call *call, opspec_verdict *verdict)
{
    opspec_report report;
    report.count = 0;
    op->check(call, &report);
    if (report.count > 0 && has_failed(op, &report, verdict))
        return failed(verdict);
    if (any_unknown(op, call))
        without_unknown(op, call, &report);
    if (product_is_doubtful(op, call))
        verdict->warnings[verdict->warning_count++] = OPSPEC_PRODUCT_UNKNOWN;
    if (report.count == 0)
        return 0;
    const bool known = call->product > 0 && call->product < OPSPEC_PRODUCTS_END;
    sorter s = {.op = op, .call = call, .report = &report, .verdict = verdict, .product = known ? call->product : 0};
    sort_all(&s);
    verdict->legal = verdict->violation_count == 0;
    return verdict->status = verdict->decisive < 0 ? 0 : op->rules[verdict->violations[verdict->decisive]].status;
}

int32_t opspec_judge(const opspec_operator *op, const opspec_call *call, opspec_verdict *verdict)
{
    verdict->status = 0;
    verdict->legal = true;
    verdict->limited = false;
    verdict->violation_count = verdict->warning_count = verdict->undecided_count = 0;
    verdict->fault = NULL;
    verdict->fault_rule = -1;
    verdict->decisive = -1;
    if (!is_of_this_version(op, verdict))
        return failed(verdict);
    if (op->legal != NULL && op->legal(call))
        return 0;
    return judge_in_detail(op, call, verdict);
}
