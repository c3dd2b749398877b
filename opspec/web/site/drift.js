// The drift board: where pages and runtime differ; what is chosen is loaded, a family at a time.
"use strict";

(async function () {
  const { words } = opspec;
  const { lang } = document.documentElement.dataset;
  const table = document.getElementById("drift");
  const options = [...document.querySelector("#filters select[name=kind]").options];
  const kinds = Object.fromEntries(options.map(({ value, textContent }) => [value, textContent.replace(/ \(\d+\)$/, "")]));
  const families = Object.entries(await opspec.data("families"));
  const all = document.getElementById("count").textContent;
  let last = null;

  /** The differences of the families whose operators may be meant. */
  async function items({ q, family }) {
    const named = families.filter(([, ops]) => ops.some((op) => op === q.trim()));
    const wanted = families.filter((each) => (family ? each[0] === family : !named.length || named.includes(each)));
    const found = wanted.map((each) => families.indexOf(each)).map((number) => opspec.data(`drift/${number}`, `drift.${lang}.${number}`));
    return (await Promise.all(found)).flat();
  }

  async function show(values) {
    last = values;
    const { q, family, kind } = values;
    const known = q || family || kind ? await items(values) : [];
    if (values !== last) return;
    const found = known.filter(([op, what, rule, places, statement, evidence]) =>
      (!kind || what === kind) && opspec.hasWords(q, op, rule, places, statement, evidence));
    const head = [words.operator, words.kind, words.rule, words.statement, words.evidence];
    opspec.rows(table, head, found, ([op, what, rule, places, statement, evidence]) => [
      opspec.linkTo(op), kinds[what], opspec.breaking(rule || places), statement, evidence,
    ], known.length);
    table.hidden = !known.length;
    if (!known.length) document.getElementById("count").textContent = all;
    table.dataset.ready = "yes";
    table.dataset.of = JSON.stringify(values); // what drives this page can see what is shown
  }

  opspec.filters(["q", "family", "kind"], show);
})();
