// The try-it page: an operator's rules judge the call that the form says; the call is in the address.
"use strict";

(function () {
  const { element, words, phrase } = opspec;
  const { release, lang } = document.documentElement.dataset;
  const choice = document.getElementById("choice").elements;
  const form = document.getElementById("form");
  const verdict = document.getElementById("verdict");
  const summary = document.querySelector("#summary a");
  const repair = document.getElementById("repair");
  const said = document.getElementById("said");
  let read = () => null;
  let known = null; // what the operator's scripts gave
  let written = ""; // the part of the address that was written here last

  // --- an operator and its form

  async function open() {
    const state = opspec.state.read();
    const name = state.get("op") || "";
    choice.op.value = name;
    problem();
    document.getElementById("try").hidden = true;
    delete verdict.dataset.of;
    if (!name) return;
    const found = await described(name);
    if (!found) return missing(name);
    const args = given(state);
    if (args === null) return damaged();
    begin(found);
    fill(args, state.get("product"));
  }

  /** What an operator's scripts give, or null where there is none of the name. */
  async function described(name) {
    if (!/^\w+$/.test(name)) return null;
    try {
      const found = { name, ...(await opspec.data(`words/${release}/${name}`, `operators/${name}.words`)) };
      if (!opspec.operators[release]?.[name]) await opspec.load(`data/${release}/operators/${name}.js`);
      found.params = found.params.map((param) => ({ io: "in", ...param }));
      return found;
    } catch {
      return null;
    }
  }

  function begin(found) {
    known = found;
    choice.op.value = found.name;
    const link = document.getElementById("page");
    link.href = `${found.name}.${lang}.html`;
    link.textContent = found.name;
    document.getElementById("try").hidden = false;
  }

  /** What is wrong with what was asked for; nothing where nothing is. */
  function problem(...parts) {
    const box = document.getElementById("problem");
    box.replaceChildren(...parts);
    box.hidden = !parts.length;
  }

  /** There is no such operator: those that may have been meant. */
  async function missing(name) {
    problem(words.broken_link);
    const { found } = await opspec.search(name).catch(() => ({ found: [] }));
    const near = found.filter(([, place]) => !place).slice(0, 3);
    if (near.length) problem(words.broken_link, ` ${words.near} `, ...near.flatMap(([title]) => [element("a", { href: `#op=${title}` }, title), " "]));
  }

  /** A link whose call cannot be read: nothing else is judged in its place. */
  function damaged() {
    problem(words.damaged_link, " ", element("a", { href: `#op=${choice.op.value}` }, words.open_example));
    verdict.dataset.of = location.hash;
    verdict.dataset.status = "damaged";
  }

  /** The arguments that an address says; undefined where it says none, null where they cannot be read. */
  function given(state) {
    if (!state.has("call")) return undefined;
    try {
      const args = JSON.parse(state.get("call"));
      return args !== null && typeof args === "object" && !Array.isArray(args) ? args : null;
    } catch {
      return null;
    }
  }

  const example = () => (known.example ? known.example.args : {});

  function fill(args, product) {
    const fallback = opspec.product() || (known.example && known.example.product) || "";
    choice.product.value = product === null ? fallback : product;
    try {
      read = opspec.form(form, known.params, args ?? example(), changed);
    } catch {
      document.getElementById("try").hidden = true;
      return damaged(); // arguments of another form
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
    repair.replaceChildren();
    if (args === null) {
      verdict.replaceChildren(element("p", { class: "partial" }, words.wrong_input));
      summary.textContent = words.wrong_input;
      verdict.dataset.status = "input";
      verdict.dataset.of = location.hash;
      return null;
    }
    const found = verdictOn(args);
    show(found, args);
    if (!found.legal && known.example) repair.append(element("button", { type: "button", id: "nearest", onclick: () => offer(args) }, words.nearest));
    document.getElementById("json").textContent = callText(args, choice.product.value);
    return args;
  }

  /** What rules say of arguments on the chosen product: the verdict, or whether one of them is kept. */
  function verdictOn(args) {
    return opspec.judge(...asked(args));
  }

  function asked(args) {
    const operator = opspec.operators[release][known.name];
    const named = choice.product.value;
    const owner = Object.entries(opspec.vocabulary.members).find(([, members]) => members.includes(named));
    const [product, member] = owner ? [owner[0], named] : [named || null, null];
    return [operator, opspec.arguments(operator, args), product, member];
  }

  const nearestTo = (args, fixed = []) =>
    opspec.nearest(args, verdictOn, (changed, number) => opspec.judge.keeps(...asked(changed), number), opspec.operators[release][known.name], known.params, example(), fixed);

  /** The nearest legal call, with what it changes. */
  function offer(args) {
    const legal = nearestTo(args);
    const button = document.getElementById("nearest");
    if (legal === null) return button.replaceWith(element("p", { class: "note", id: "nearest-none" }, words.nearest_none));
    const changes = opspec.differences(args, legal).map(([name, was, is]) => element("li", {}, element("code", {}, name), `: ${was} → `, element("b", {}, is)));
    const take = element("button", { type: "button", id: "take", onclick: () => { fill(legal, choice.product.value); changed(); } }, words.nearest_take);
    button.replaceWith(element("h3", {}, words.nearest_title), element("ul", { id: "changes" }, ...changes), take);
    take.focus();
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

  function show(found, args) {
    verdict.dataset.of = location.hash; // what drives this page can see which call it is about
    const silent = !found.legal && found.code === 0;
    const title = found.legal ? words.legal : silent ? phrase("illegal_silent", silence(found.violations)) : words.illegal;
    verdict.dataset.status = String(found.code);
    verdict.dataset.legal = String(found.legal);
    summary.textContent = `${found.legal ? words.legal : words.illegal} ${found.code || ""} ${found.violations.length ? `· ${words.violations}: ${found.violations.length}` : ""}`;
    summary.className = found.legal ? "legal" : "illegal";
    beside(found.violations);
    verdict.replaceChildren(
      element("p", { class: `result ${found.legal ? "legal" : "illegal"}` }, element("b", {}, title)),
      element("p", {}, `${words.status}: `, element("b", {}, String(found.code))),
      ...section("violations", found.violations, args), ...section("warnings", found.warnings, args), ...section("undecided", found.undecided, args));
  }

  function section(title, findings, args) {
    if (!findings.length) return [];
    return [element("h3", {}, `${words[title]} (${findings.length})`), element("ul", { id: title }, ...findings.map((item) => finding(item, args)))];
  }

  /** What is wrong, beside what one changes. */
  function beside(violations) {
    for (const old of form.querySelectorAll(".broken")) old.remove();
    for (const { number } of violations) {
      const rule = opspec.operators[release][known.name].rules[number];
      const name = rule.param || (rule.facts.find((fact) => fact[0] !== ".") || "").split(".")[0];
      form.querySelector(`[data-param="${name}"]`)?.append(element("p", { class: "problem broken" }, known.say[lang][number]));
    }
  }

  /** The values that a rule reads, as `name.facet = value`. */
  function values(rule, args) {
    const shown = (value) => (typeof value === "string" && !opspec.vocabulary.bits[value] ? JSON.stringify(value) : Array.isArray(value) ? `[${value.map((one) => (one && typeof one === "object" ? one.integer ?? JSON.stringify(one) : one)).join(", ")}]` : String(value));
    const part = (value, facet) => (value === null ? null : facet === "rank" ? value.shape?.length : facet === "presence" ? undefined : facet === "value" && typeof value === "object" && "dtype" in value ? value.value : facet === "value" ? value : value[facet]);
    const found = [];
    for (const fact of new Set([...rule.facts, ...rule.guardedBy.map((name) => `${name}.value`)])) {
      const [name, facet] = fact.split(".");
      const { kind = "" } = known.params.find((param) => param.name === name) || {};
      const value = args[name];
      if (value === undefined || !name) continue;
      const many = kind.endsWith("_list") && Array.isArray(value);
      const said = value === null ? null : many ? value.map((one) => (one === null ? null : part(one, facet))) : part(value, facet);
      if (said === undefined || (many && said.includes(undefined))) continue;
      const label = facet === "value" || value === null ? name : fact;
      found.push(`${label} = ${many && said ? `[${said.map(shown).join(", ")}]` : shown(said)}`);
    }
    return [...new Set(found)].join(", ");
  }

  function finding(item, args) {
    const sentence = item.number < 0 ? words.product_unknown : known.say[lang][item.number];
    const rule = element("a", { href: `${known.name}.rules.${lang}.html#rule-${item.rule}` }, element("code", {}, item.rule));
    const attributes = { "data-enforcement": item.enforcement || "", "data-assumed": item.assumed ? "yes" : "" };
    const line = element("li", { "data-rule": item.rule, ...attributes });
    line.append(...(item.number < 0 ? [] : [rule, " "]), sentence);
    const seen = item.number < 0 || item.reason ? "" : values(opspec.operators[release][known.name].rules[item.number], args);
    if (seen) line.append(" ", element("span", { class: "found" }, phrase("found", seen)));
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
      if ("real" in value) return [Number(value.real), Number(value.imaginary)];
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

  for (const id of ["choice", "paste"]) document.getElementById(id).hidden = false; // without scripts they do nothing
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", changed);
  document.getElementById("choice").addEventListener("submit", (event) => event.preventDefault());
  choice.product.addEventListener("change", changed);
  choice.op.addEventListener("change", () => {
    location.hash = new URLSearchParams({ op: choice.op.value.trim() }).toString();
  });
  choice.op.addEventListener("focus", async () => {
    const names = document.getElementById("names");
    const families = await opspec.data("families");
    if (!names.children.length) names.append(...Object.values(families).flat().sort().map((name) => element("option", { value: name })));
  }, { once: true });
  document.getElementById("reset").addEventListener("click", () => {
    location.hash = new URLSearchParams({ op: known.name }).toString();
    fill(undefined, null);
  });

  document.getElementById("pasting").addEventListener("submit", async (event) => {
    event.preventDefault();
    said.replaceChildren();
    problem();
    try {
      await take(await opspec.paste.read(event.target.elements.text.value.trim(), async (name) => (await described(name))?.params || null));
    } catch (error) {
      if (!(error instanceof opspec.paste.Unread)) throw error;
      problem(error.message);
    }
  });

  /** Shows a call that was pasted, and says what of it was read. */
  async function take(call) {
    const found = await described(call.op);
    if (!found) return missing(call.op);
    const names = new Set(found.params.map(({ name }) => name));
    const over = [...(call.over || []), ...Object.keys(call.args).filter((name) => !names.has(name))];
    if (call.product && ![...choice.product.options].some(({ value }) => value === call.product)) {
      over.push(`product = ${call.product}`);
      call.product = null;
    }
    begin(found);
    choice.product.value = call.product || choice.product.value || opspec.product() || found.example?.product || "";
    if (call.guess) for (const [name, value] of Object.entries(call.args)) laidOut(value, found.example?.args[name]);
    const args = call.exact ? { ...Object.fromEntries(found.params.filter(({ pointer }) => pointer).map(({ name }) => [name, null])), ...call.args } : merged(example(), call.args);
    const fixed = Object.keys(call.args);
    const fits = call.guess && !verdictOn(args).legal ? nearestTo(args, fixed) : null;
    fill(fits || args, choice.product.value);
    if (document.getElementById("try").hidden) return problem(words.paste_form);
    changed();
    const read = Object.entries(call.args).map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(", ");
    const lines = [
      call.called ? phrase("paste_stands_for", call.called, call.op) : "",
      call.exact ? phrase("paste_exact", call.op) : read ? phrase("paste_taken", read) : words.paste_example,
      fits && JSON.stringify(fits) !== JSON.stringify(args) ? words.paste_fits : "",
      over.length ? phrase("paste_over", over.join(", ")) : "",
      call.release && call.release !== release ? phrase("paste_release", call.release, release) : "",
    ].filter(Boolean);
    said.replaceChildren(...lines.map((line) => element("p", { class: "note" }, line)));
    document.getElementById("paste").open = false;
    summary.scrollIntoView({ block: "nearest" });
  }

  const BY_RANK = { 3: "NCL", 4: "NCHW", 5: "NCDHW" }; // what torch_npu says of a tensor

  /** Tensors of code have the format of their rank where the example has one of images. */
  function laidOut(value, example) {
    if (Object.values(BY_RANK).includes([example].flat()[0]?.format)) for (const one of [value].flat()) if (one?.shape) one.format = BY_RANK[one.shape.length] || "ND";
  }

  /** Arguments of an example with what a text says of them. */
  function merged(args, own) {
    const made = structuredClone(args);
    for (const [name, value] of Object.entries(own)) {
      const before = made[name];
      const parts = value && before && typeof value === "object" && typeof before === "object" && !Array.isArray(value) && !Array.isArray(before);
      made[name] = parts ? { ...(value.shape ? { dtype: before.dtype, format: before.format } : before), ...value } : value;
    }
    return made;
  }

  addEventListener("hashchange", () => {
    if (location.hash !== written && location.hash !== "#verdict-title") open();
  });
  open();
})();
