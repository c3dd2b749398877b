// The support matrix: operators by products, or with a product chosen its tensor params, which are loaded then.
"use strict";

(async function () {
  const MARKS = { y: ["✓", "yes"], n: ["✗", "no"], u: ["?", "unknown"] };
  const { element, words } = opspec;
  const table = document.getElementById("matrix");
  const names = Object.fromEntries(opspec.products);
  const { rows, products } = await opspec.data("matrix");
  let last = null;

  /** The params of an operator on a product that take what is asked for; `known`: what was loaded of that product. */
  function taking({ params, sets }, op, { dtype, format }) {
    return (params[op] || []).filter(([, , dtypes, formats]) =>
      (!dtype || sets[dtypes].includes(dtype)) && (!format || sets[formats].includes(format)));
  }

  function mark(letter) {
    const [sign, known] = MARKS[letter];
    return element("span", { class: `mark ${known}`, title: words[known] }, sign, element("span", { class: "hidden" }, words[known]));
  }

  async function show(values) {
    last = values;
    const narrow = values.dtype || values.format;
    const wanted = values.product ? [values.product] : narrow ? products : [];
    const known = Object.fromEntries(await Promise.all(wanted.map(async (product) => [product, await opspec.data(`matrix/${product}`, `matrix.${product}`)])));
    if (values !== last) return;
    const listed = rows.filter(([op, family]) => opspec.hasWords(values.q, op) && (!values.family || family === values.family));
    if (values.product) ofProduct(listed, values, known[values.product]);
    else ofAll(listed, values, known);
    table.dataset.ready = "yes";
    table.dataset.of = JSON.stringify(values); // what drives this page can see what is shown
  }

  function ofAll(listed, values, known) {
    const narrow = values.dtype || values.format;
    const found = listed.filter(([op]) => !narrow || products.some((product) => taking(known[product], op, values).length));
    opspec.rows(table, [words.operator, ...products.map((product) => names[product])], found, ([op, , support]) => [
      opspec.linkTo(op),
      ...products.map((product, i) => {
        if (!narrow || support[i] === "n") return mark(support[i]);
        const taken = taking(known[product], op, values).map(([param]) => param);
        return taken.length ? taken.join(", ") : "–";
      }),
    ], rows.length);
  }

  function ofProduct(listed, values, known) {
    const place = products.indexOf(values.product);
    const found = listed.flatMap(([op, , support]) => {
      const own = taking(known, op, values);
      if (own.length) return own.map((param) => [op, support[place], param]);
      return values.dtype || values.format ? [] : [[op, support[place], null]];
    });
    const head = [words.operator, words.support, words.param, words.direction, words.dtype, words.format];
    opspec.rows(table, head, found, ([op, support, param]) => [
      opspec.linkTo(op),
      mark(support),
      ...(param ? [opspec.breaking(param[0]), param[1], known.sets[param[2]].join(" "), known.sets[param[3]].join(" ")] : ["", "", "", ""]),
    ], found.length);
  }

  opspec.filters(["q", "family", "product", "dtype", "format"], show);
})();
