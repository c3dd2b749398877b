// The drift board: where pages and runtime differ.
"use strict";

(async function () {
  const { words } = opspec;
  const { lang } = document.documentElement.dataset;
  const table = document.getElementById("drift");
  const kinds = Object.fromEntries([...document.querySelector("#filters select[name=kind]").options].map(({ value, textContent }) => [value, textContent.replace(/ \(\d+\)$/, "")]));
  const items = await opspec.data("drift", `drift.${lang}`);

  function show({ q, family, kind }) {
    const found = items.filter(([op, own, what, rule, places, statement, evidence]) =>
      (!family || own === family) && (!kind || what === kind) && opspec.hasWords(q, op, rule, places, statement, evidence));
    opspec.rows(table, [words.operator, words.kind, words.rule, words.statement, words.evidence], found,
      ([op, , what, rule, places, statement, evidence]) => [
        opspec.linkTo(op), kinds[what], rule || places, statement, evidence,
      ], items.length);
  }

  opspec.filters(["q", "family", "kind"], show);
  table.dataset.ready = "yes";
})();
