// From a call to its verdict: which rules are broken, in the order of the first phase, and what becomes of the call.
//
// The same as opspec/validator/judge.py, of which the words here are taken.
"use strict";

opspec.judge = (function () {
  const { Call, NO_DATA, ABSENT, NEITHER, undef } = opspec.runtime;
  const REFUSED = "refused";
  const CONTRADICTED = "contradicted";
  const UNCHECKED = "unchecked";

  /** What a rule comes to: null where it holds or does not apply. */
  function outcome(rule, call) {
    if (rule.when) {
      const guard = rule.when(call);
      if (undef(guard)) return guard === NO_DATA ? "guard" : null;
      if (guard === false) return null;
    }
    const found = rule.check(call);
    if (undef(found)) return found;
    return found === true ? null : "violated";
  }

  /** Makes of what rules come to what a verdict says. */
  class Sorter {
    constructor(operator, product) {
      this.rules = operator.rules;
      this.product = product;
      this.violations = [];
      this.warnings = [];
      this.undecided = [];
      this.found = []; // numbers of the rules that violations and warnings are about
    }

    /** Sort the report: [number, outcome] of every rule that is not plainly satisfied, and early successes. */
    sort(report) {
      const nulls = this.reading(this.nulls(report));
      const skipped = new Map([...nulls, ...this.lookedUp(report, nulls)]);
      this.violated = report.filter(([n, what]) => what === "violated" && !skipped.has(n)).map(([n]) => n);
      let early = false;
      for (const [number, what] of report) {
        if (number < 0) early = early || !this.refused();
        else if (!skipped.has(number)) this.sortOne(number, what, early);
      }
      for (const number of [...skipped.keys()].sort((a, b) => a - b)) this.skip(number, skipped.get(number));
    }

    /** The status of the first violation that the first phase refuses the call for; 0 where there is none. */
    refused() {
      const first = this.violations.find((finding) => finding.enforcement === REFUSED);
      return first ? first.status : 0;
    }

    /** Param that must not be null and is -> the number of the rule that says so. */
    nulls(report) {
      const broken = report.filter(([n, what]) => n >= 0 && what === "violated" && this.rules[n].kind === "null");
      return new Map(broken.filter(([n]) => this.rules[n].param).map(([n]) => [this.rules[n].param, n]));
    }

    /** Rules that read a null argument, in their conditions too -> the rule that explains why they are skipped. */
    reading(nulls) {
      const skipped = new Map();
      if (!nulls.size) return skipped;
      this.rules.forEach((rule, number) => {
        const read = [...rule.facts.map((fact) => fact.split(".")[0]), ...rule.guardedBy];
        const cause = read.find((name) => nulls.has(name));
        if (cause !== undefined && rule.kind !== "null") skipped.set(number, nulls.get(cause));
      });
      return skipped;
    }

    /** Broken rules about nothing but what a kernel lookup refuses -> the lookup: it says why. */
    lookedUp(report, nulls) {
      const broken = report.filter(([n, what]) => n >= 0 && what === "violated" && !nulls.has(n)).map(([n]) => n);
      const lookup = broken.find((n) => this.rules[n].kind === "kernel" && this.rules[n].stage === "kernel");
      if (lookup === undefined) return [];
      const compared = new Set(this.rules[lookup].facts);
      return broken.filter((n) => n > lookup && this.rules[n].facts.every((fact) => compared.has(fact))).map((n) => [n, lookup]);
    }

    sortOne(number, what, early) {
      const rule = this.rules[number];
      if (what === ABSENT) return;
      if (what === NO_DATA || what === "guard") {
        const needs = what === "guard" ? rule.lacks[1] : rule.lacks[0];
        this.undecided.push({ rule: rule.id, number, reason: needs === "product" ? "no_product" : "no_data", needs });
        return;
      }
      const cause = what === NEITHER ? this.cause(number) : null;
      if (cause !== null) {
        this.skip(number, cause);
        return;
      }
      this.found.push(number);
      const found = rule.on[this.product] || rule.usual;
      const ends = early && found !== CONTRADICTED; // with success: what comes later is not reached
      const enforcement = ends ? UNCHECKED : found;
      const assumed = rule.assumed && !ends;
      const { id, status, stage, param, basis } = rule;
      const finding = { rule: id, number, status, stage, param, basis, enforcement, assumed, early };
      (found === CONTRADICTED ? this.warnings : this.violations).push(finding);
    }

    skip(number, cause) {
      this.undecided.push({ rule: this.rules[number].id, number, reason: "skipped", needs: this.rules[cause].id });
    }

    /** The number of the rule whose violation made another undefined, or null. */
    cause(number) {
      const mine = this.facts(number);
      const shares = (other) => this.facts(other).some((fact) => mine.includes(fact));
      const before = this.found.find(shares);
      if (before !== undefined) return before;
      const values = mine.filter((fact) => fact.endsWith(".value"));
      const later = this.violated.find((n) => n > number && this.facts(n).some((fact) => values.includes(fact)));
      return later === undefined ? null : later;
    }

    /** What a rule reads; rank and shape are one thing where it comes to dimensions that are not there. */
    facts(number) {
      return this.rules[number].facts.map((fact) => fact.replace(/\.rank$/, ".shape"));
    }
  }

  /** What the page says of a product: yes, no or unknown; yes too where none is named. */
  function support(operator, product, member) {
    if (product === null) return "yes";
    const found = [operator.support[product], operator.support[member]];
    return found.includes("yes") ? "yes" : found.includes("no") ? "no" : "unknown";
  }

  /**
   * The verdict on a call.
   *
   * @param operator what {@link opspec.operator} was given
   * @param args arguments in the order of the params, as opspec.arguments makes them
   * @param product an id, or null where the call does not say
   * @param member a member of the product, or null
   */
  function judge(operator, args, product, member) {
    const call = new Call(args, operator.lets, product, member);
    const early = operator.early.filter(({ when }) => when(call) === true).map(({ before }) => before);
    const report = [];
    operator.rules.forEach((rule, number) => {
      for (const before of early) if (before === number) report.push([-1, number]);
      const what = outcome(rule, call);
      if (what !== null) report.push([number, what]);
    });
    const sorter = new Sorter(operator, product);
    sorter.sort(report);
    const known = support(operator, product, member);
    const doubts = known === "unknown" ? [{ rule: "product.unknown", number: -1, status: 0, enforcement: null, assumed: false }] : [];
    const { violations, warnings, undecided } = sorter;
    const code = sorter.refused();
    return { code, legal: !violations.length, support: known, violations, warnings: [...doubts, ...warnings], undecided };
  }

  /** Whether a call does not break the rule of a number, which is far sooner seen than a verdict. */
  judge.keeps = (operator, args, product, member, number) =>
    outcome(operator.rules[number], new Call(args, operator.lets, product, member)) === null;
  return judge;
})();
