// The try-it page: an operator's rules judge the call that the form says; the call is in the address.
"use strict";

(function () {
  const { element, words, phrase } = opspec;
  const { release, lang } = document.documentElement.dataset;
  const choice = document.getElementById("choice").elements;
  const form = document.getElementById("form");
  const verdict = document.getElementById("verdict");
  let read = () => null;
  let known = null; // what the operator's script gave
  let written = ""; // the part of the address that was written here last

  // --- an operator and its form

  async function open() {
    const state = opspec.state.read();
    const name = state.get("op") || "";
    const problem = document.getElementById("problem");
    choice.op.value = name;
    problem.hidden = true;
    document.getElementById("try").hidden = true;
    delete verdict.dataset.of;
    if (!name) return;
    if (!/^\w+$/.test(name) || !(await loaded(name))) {
      problem.textContent = words.broken_link;
      problem.hidden = false;
      return;
    }
    const link = document.getElementById("page");
    link.href = `${name}.${lang}.html`;
    link.textContent = name;
    fill(given(state.get("call")), state.get("product"));
    document.getElementById("try").hidden = false;
  }

  /** Load an operator's scripts; whether there are any. */
  async function loaded(name) {
    try {
      known = { name, ...(await opspec.data(`words/${release}/${name}`, `operators/${name}.words`)) };
      if (!opspec.operators[release]?.[name]) await opspec.load(`data/${release}/operators/${name}.js`);
      return true;
    } catch {
      return false;
    }
  }

  /** The arguments that an address says, or those of the example. */
  function given(text) {
    try {
      const args = JSON.parse(text);
      if (args !== null && typeof args === "object") return args;
    } catch {
      // an address that somebody cut
    }
    return known.example ? known.example.args : {};
  }

  function fill(args, product) {
    const fallback = opspec.product() || (known.example && known.example.product) || "";
    choice.product.value = product === null ? fallback : product;
    try {
      read = opspec.form(form, known.params, args, changed);
    } catch {
      read = opspec.form(form, known.params, {}, changed); // arguments of another form
    }
    judge();
  }

  function changed() {
    const args = judge();
    if (args === null) return;
    opspec.state.write({ op: known.name, product: choice.product.value || "-", call: JSON.stringify(args) });
    written = location.hash;
  }

  // --- the verdict

  function judge() {
    const args = read();
    if (args === null) {
      verdict.replaceChildren(element("p", { class: "partial" }, words.wrong_input));
      verdict.dataset.status = "input";
      verdict.dataset.of = location.hash;
      return null;
    }
    const operator = opspec.operators[release][known.name];
    const named = choice.product.value;
    const owner = Object.entries(opspec.vocabulary.members).find(([, members]) => members.includes(named));
    const [product, member] = owner ? [owner[0], named] : [named || null, null];
    show(opspec.judge(operator, opspec.arguments(operator, args), product, member));
    document.getElementById("json").textContent = callText(args, named);
    return args;
  }

  /** What is told of a broken rule: nothing where its status says it all. */
  function told(way, assumed) {
    return words[`told_${way}${assumed ? "_assumed" : ""}`];
  }

  /** What is told of an illegal call with status 0: as much is known as of the least known of its broken rules. */
  function silence(violations) {
    const way = violations.some((item) => item.enforcement === "unknown") ? "unknown" : "unchecked";
    return words[`success_${way}${violations.some((item) => item.assumed) ? "_assumed" : ""}`];
  }

  function show(found) {
    verdict.dataset.of = location.hash; // what drives this page can see which call it is about
    const silent = !found.legal && found.code === 0;
    const title = found.legal ? words.legal : silent ? phrase("illegal_silent", silence(found.violations)) : words.illegal;
    verdict.dataset.status = String(found.code);
    verdict.dataset.legal = String(found.legal);
    verdict.replaceChildren(
      element("p", { class: `result ${found.legal ? "legal" : "illegal"}` }, element("b", {}, title)),
      element("p", {}, `${words.status}: `, element("b", {}, String(found.code))),
      ...section("violations", found.violations), ...section("warnings", found.warnings), ...section("undecided", found.undecided));
  }

  function section(title, findings) {
    if (!findings.length) return [];
    return [element("h3", {}, `${words[title]} (${findings.length})`), element("ul", { id: title }, ...findings.map(finding))];
  }

  function finding(item) {
    const sentence = item.number < 0 ? words.product_unknown : known.say[lang][item.number];
    const rule = element("a", { href: `${known.name}.rules.${lang}.html#rule-${item.rule}` }, element("code", {}, item.rule));
    const attributes = { "data-enforcement": item.enforcement || "", "data-assumed": item.assumed ? "yes" : "" };
    const line = element("li", { "data-rule": item.rule, ...attributes });
    line.append(...(item.number < 0 ? [] : [rule, " "]), sentence);
    const notes = item.reason ? [phrase(item.reason, item.needs)] : [];
    if (item.enforcement === "refused") notes.push(`${words.refused} (${item.status})`);
    if (item.enforcement) notes.push(...[told(item.enforcement, item.assumed)].filter(Boolean));
    if (item.early) notes.push(words.early);
    if (notes.length) line.append(element("span", { class: "note" }, ` ${notes.join("; ")}`));
    return line;
  }

  // --- the call as other tools read it

  const WRAPPED = new Set(["tensor", "tensor_list", "scalar", "scalar_list", "int_array", "float_array", "bool_array", "dtype", "pointer"]);

  /** A call in JSON: integers of any size are numbers there. */
  function callText(args, product) {
    const digits = [];

    function exact(value) {
      if (typeof value === "string" && /^-?\d{16,}$/.test(value)) return `@${digits.push(value) - 1}@`;
      if (Array.isArray(value)) return value.map(exact);
      if (value === null || typeof value !== "object") return value;
      if ("integer" in value) return exact(value.integer);
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, exact(part)]));
    }

    function wrapped({ name, kind }) {
      const value = kind === "string" ? args[name] : exact(args[name]);
      return [name, value === null || !WRAPPED.has(kind) ? value : { [kind]: value }];
    }

    const call = { op: known.name, release, ...(product ? { product } : {}), args: Object.fromEntries(known.params.map(wrapped)) };
    return JSON.stringify(call, null, 1).replace(/"@(\d+)@"/g, (_, place) => digits[place]);
  }

  // --- events

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", changed);
  document.getElementById("choice").addEventListener("submit", (event) => event.preventDefault());
  choice.product.addEventListener("change", changed);
  choice.op.addEventListener("change", () => {
    location.hash = new URLSearchParams({ op: choice.op.value.trim() }).toString();
  });
  document.getElementById("reset").addEventListener("click", () => {
    location.hash = new URLSearchParams({ op: known.name }).toString();
    fill(given(null), null);
  });
  addEventListener("hashchange", () => {
    if (location.hash !== written) open();
  });
  open();
})();
