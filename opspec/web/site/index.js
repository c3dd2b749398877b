// The list of operators: families stand in the page; what is filtered is a table, whose data are loaded then.
"use strict";

(function () {
  const { element, words } = opspec;
  const { lang } = document.documentElement.dataset;
  const table = document.getElementById("operators");
  const families = document.getElementById("families");
  let last = null;

  const summaries = async () => new Map((await opspec.data("documents", `documents.${lang}`)).map(([name, place, text]) => [name, place ? "" : text]));

  async function show(values) {
    last = values;
    const product = opspec.product();
    const chosen = Boolean(values.q || values.family || product);
    families.hidden = chosen;
    document.getElementById("found").hidden = !chosen;
    document.getElementById("more").hidden = true;
    document.getElementById("count").textContent = "";
    if (!chosen) return;
    const [texts, { rows, products }] = await Promise.all([summaries(), opspec.data("matrix")]);
    if (values !== last || product !== opspec.product()) return;
    const place = products.indexOf(product);
    const found = rows.filter(([op, family, support]) =>
      (!values.family || family === values.family) && (place < 0 || support[place] === "y") && opspec.hasWords(values.q, op, texts.get(op)));
    opspec.rows(table, [words.operator, words.family, words.summary], found, ([op, family]) => [opspec.linkTo(op), family, texts.get(op)], rows.length);
    table.dataset.of = JSON.stringify([values, product]); // what drives this page can see what is shown
  }

  for (const family of families.querySelectorAll("details")) {
    family.addEventListener("toggle", async () => {
      const texts = await summaries();
      for (const item of family.querySelectorAll("li:not([data-said])")) {
        item.dataset.said = "yes";
        item.append(" ", element("span", {}, texts.get(item.textContent.trim()) || ""));
      }
    });
  }
  opspec.filters(["q", "family"], show);
  document.addEventListener("opspec-product", () => show(last));
})();
