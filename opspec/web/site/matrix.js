// The support matrix: operators by products, or with a product chosen its tensor params.
"use strict";

(async function () {
  const MARKS = { yes: "✓", no: "✗", unknown: "?" };
  const { element, words } = opspec;
  const table = document.getElementById("matrix");
  const names = Object.fromEntries([...document.querySelector("#filters select[name=product]").options].map(({ value, textContent }) => [value, textContent]));
  const { rows, sets, products } = await opspec.data("matrix");

  /** The params of a product that take what is asked for. */
  function taking(params, product, { dtype, format }) {
    return params.filter(([own, , , dtypes, formats]) =>
      own === product && (!dtype || sets[dtypes].includes(dtype)) && (!format || sets[formats].includes(format)));
  }

  function mark(support) {
    const known = support || "unknown";
    return element("span", { class: `mark ${known}`, title: words[known] }, MARKS[known], element("span", { class: "hidden" }, words[known]));
  }

  function show(values) {
    const listed = rows.filter(([op, family]) => opspec.hasWords(values.q, op) && (!values.family || family === values.family));
    if (values.product) ofProduct(listed, values);
    else ofAll(listed, values);
  }

  function ofAll(listed, values) {
    const narrow = values.dtype || values.format;
    const found = listed.filter(([, , , params]) => !narrow || products.some((product) => taking(params, product, values).length));
    opspec.rows(table, [words.operator, ...products.map((product) => names[product])], found, ([op, , support, params]) => [
      opspec.linkTo(op),
      ...products.map((product) => {
        if (!narrow || support[product] === "no") return mark(support[product]);
        const taken = taking(params, product, values).map(([, param]) => param);
        return taken.length ? taken.join(", ") : "–";
      }),
    ], rows.length);
  }

  function ofProduct(listed, values) {
    const found = listed.flatMap(([op, , support, params]) => {
      const own = taking(params, values.product, values);
      if (own.length) return own.map((param) => [op, support[values.product], param]);
      return values.dtype || values.format ? [] : [[op, support[values.product], null]];
    });
    const head = [words.operator, words.support, words.param, words.direction, words.dtype, words.format];
    opspec.rows(table, head, found, ([op, support, param]) => [
      opspec.linkTo(op),
      mark(support),
      ...(param ? [param[1], param[2], sets[param[3]].join(" "), sets[param[4]].join(" ")] : ["", "", "", ""]),
    ], found.length);
  }

  opspec.filters(["q", "family", "product", "dtype", "format"], show);
  table.dataset.ready = "yes";
})();
