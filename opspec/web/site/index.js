// The list of operators: rows stand in the page, and are hidden here.
"use strict";

(function () {
  const rows = [...document.querySelectorAll("#operators tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  let last = null;

  function show(values) {
    last = values;
    const product = opspec.product();
    let count = 0;
    rows.forEach((row, i) => {
      const fits = opspec.hasWords(values.q, texts[i]) && (!values.family || row.dataset.family === values.family);
      row.hidden = !(fits && (!product || row.dataset.products.split(" ").includes(product)));
      count += row.hidden ? 0 : 1;
    });
    document.getElementById("count").textContent = opspec.phrase("shown", count, rows.length);
  }

  opspec.filters(["q", "family"], show);
  document.addEventListener("opspec-product", () => show(last));
})();
