// Tables with filters whose state is in the address: what list of operators, matrix and drift board share.
"use strict";

/**
 * @param names filters of the form, by their names; one that is called product is the product switch, too
 * @param show called with the filters' values, and again whenever one changes
 */
opspec.filters = function (names, show) {
  const form = document.getElementById("filters");
  form.hidden = false; // without scripts it does nothing

  function fill() {
    const state = opspec.state.read();
    for (const name of names) form.elements[name].value = state.get(name) || (name === "product" ? opspec.product() : "");
  }

  function changed() {
    show(Object.fromEntries(names.map((name) => [name, form.elements[name].value.trim()])));
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  function entered() {
    opspec.state.write(Object.fromEntries(names.map((name) => [name, form.elements[name].value.trim()])));
    changed();
  }

  form.addEventListener("input", () => {
    entered();
    if (names.includes("product")) opspec.choose(form.elements.product.value);
  });
  document.addEventListener("opspec-product", ({ detail }) => {
    if (!names.includes("product") || form.elements.product.value === detail) return;
    form.elements.product.value = detail;
    entered();
  });
  addEventListener("hashchange", () => {
    fill();
    changed();
  });
  fill();
  changed();
};

/** Whether a text has all words of a query. */
opspec.hasWords = function (query, ...texts) {
  const text = texts.join(" ").toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
};

/** Shows rows a page at a time: `head` are titles, `row` makes the cells of one, of which the first names the row. */
opspec.rows = function (table, head, items, row, total) {
  const STEP = 150;
  const more = document.getElementById("more");
  const { element } = opspec;
  const body = element("tbody");
  let shown = 0;

  function next() {
    for (const item of items.slice(shown, shown + STEP)) {
      body.append(element("tr", {}, ...row(item).map((cell, i) => (i ? element("td", { "data-label": head[i] }, ...[cell].flat()) : element("th", { scope: "row" }, cell)))));
    }
    shown = Math.min(items.length, shown + STEP);
    more.hidden = shown === items.length;
    document.getElementById("count").textContent = opspec.phrase("shown", items.length, total);
  }

  more.onclick = next;
  table.replaceChildren(element("thead", {}, element("tr", {}, ...head.map((title) => element("th", { scope: "col" }, title)))), body);
  next();
};

/** A link to an operator's page. */
opspec.linkTo = (operator, anchor = "") =>
  opspec.element("a", { href: `${operator}.${document.documentElement.dataset.lang}.html${anchor}` }, ...opspec.breaking(operator));
