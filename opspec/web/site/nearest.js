// The nearest legal call: changes of what broken rules read, one thing at a time, the least first.
"use strict";

opspec.nearest = (function () {
  const MOST = 4000; // calls that are judged
  const LONGEST = 2500; // milliseconds
  const MOST_CANDIDATES = 40; // values that are tried of one thing
  const MOST_SHAPES = 4000; // shapes of a rank of which one is sought that a rule wants in all its dims
  const MOST_SIZES = 400; // sizes that come of others
  const MOST_SUMS = 60; // of these that are tried two at a time
  const SPARE = 900; // milliseconds in which shapes are sought beyond those of the own rank
  //: what a change costs: an output is made to fit before an input is changed, an attribute before a shape
  const COST = { layout: 1, format: 2, value: 3, presence: 4, values: 4, dtype: 5, shape: 6 };
  const OF_OUTPUT = 0.4; // of the cost
  const LAYOUT = ["strides", "offset", "storage_shape", "storage_format", "values"];

  const copy = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
  const isList = (param) => param.kind.endsWith("_list");
  const tensors = (args) => Object.values(args).flat().filter((value) => value && typeof value === "object" && Array.isArray(value.shape));

  function distinct(values) {
    const known = new Set();
    return values.filter((value) => {
      const key = JSON.stringify(value);
      return value !== undefined && !known.has(key) && known.add(key);
    });
  }

  /** The shape that two come to by broadcasting, or null. */
  function broadcast(one, other) {
    const rank = Math.max(one.length, other.length);
    const found = [];
    for (let i = 1; i <= rank; i++) {
      const [a, b] = [one[one.length - i] ?? 1, other[other.length - i] ?? 1];
      if (a !== b && a !== 1 && b !== 1) return null;
      found.unshift(a === 1 ? b : a);
    }
    return found;
  }

  function shapes(own, args, example) {
    const all = tensors(args).map(({ shape }) => shape);
    const pairs = all.flatMap((one, i) => all.slice(i + 1).map((other) => broadcast(one, other) || undefined));
    const sizes = distinct([...all.flat(), ...Object.values(args).flat().filter((value) => Number.isInteger(value) && value >= 0), 1]);
    const changed = own.flatMap((_, i) => sizes.map((size) => own.with(i, size)));
    const shorter = own.length ? [own.slice(1), own.slice(0, -1), ...own.map((_, i) => own.toSpliced(i, 1))] : [];
    const longer = sizes.flatMap((size) => [[...own, size], [size, ...own]]);
    return distinct([...all, ...pairs, ...changed, ...shorter, ...longer, example && example.shape]);
  }

  const integers = (args) => distinct(Object.values(args).flat().map((value) => (value && typeof value === "object" ? value.value : value)).filter(Number.isInteger));

  /** Sizes that come of those of a call and of its numbers: of what is joined, padded, halved, counted, or seen through a window. */
  function derived(sizes, numbers) {
    const few = distinct([0, 1, 2, ...numbers]).filter((number) => number >= 0 && number < 1000).slice(0, 8);
    const found = sizes.flatMap((size) => [...few.flatMap((one) => [size + one, size - one, size * one, ...(one ? [Math.ceil(size / one)] : []), ...few.map((other) => size + one + other)]), ...sizes.map((other) => size + other)]);
    const windows = sizes.flatMap((size) => few.flatMap((pad) => few.flatMap((kernel) => few.flatMap((step) => (step ? [Math.floor((size + 2 * pad - kernel) / step) + 1] : [])))));
    const counted = numbers.flatMap((to) => numbers.flatMap((from) => numbers.map((step) => (step ? Math.ceil((to - from) / step) : 0))));
    return distinct([...found, ...windows, ...counted]).filter((size) => Number.isInteger(size) && size > 0).slice(0, MOST_SIZES);
  }

  /** Shapes of which a rule may want one: all of sizes that occur in a call, of its ranks, then those with a size that comes of them. */
  function* whole(own, args) {
    const arrays = Object.values(args).filter((value) => Array.isArray(value) && value.length && value.every((size) => Number.isInteger(size) && size > 0));
    const shapes = [...tensors(args).map(({ shape }) => shape), ...arrays];
    const numbers = integers(args);
    const sizes = distinct([...numbers.filter((number) => number > 0), ...shapes.flat(), 1]).slice(0, 12);
    const ranks = distinct([own.length, ...shapes.map((shape) => shape.length), ...shapes.map((shape) => Math.max(0, shape.length - 1))]);
    for (const rank of ranks) {
      for (let number = 0; number < Math.min(sizes.length ** rank, MOST_SHAPES); number++) {
        yield Array.from({ length: rank }, (_, i) => sizes[Math.floor(number / sizes.length ** i) % sizes.length]);
      }
    }
    const more = derived(sizes, numbers);
    for (const shape of distinct([...shapes, own])) for (const i of shape.keys()) for (const size of more) yield shape.with(i, size);
    const bases = distinct(shapes.filter((shape) => shape.length > 2).flatMap((shape) => [shape, ...sizes.map((size) => shape.with(1, size))]));
    for (const size of more) for (const shape of bases) yield [...shape.slice(0, 2), ...shape.slice(2).map(() => size)];
    for (const size of more) for (const shape of bases) yield [...shape.slice(0, -2), size, size];
    const sums = more.slice(0, MOST_SUMS);
    for (const shape of shapes) if (shape.length > 1) for (const one of sums) for (const other of sums) yield [...shape.slice(0, -2), one, other];
  }

  function dtypes(param, args) {
    const used = Object.values(args).flat().map((value) => value && value.dtype).filter(Boolean);
    const known = param.dtypes || [];
    return distinct([...used.filter((name) => !known.length || known.includes(name)), ...(known.length ? known : ["FLOAT", "FLOAT16", "INT32", "INT64", "BOOL"])]);
  }

  function numbers(param, value, args, example) {
    const sizes = tensors(args).flatMap(({ shape }) => [...shape, shape.length, shape.length - 1, ...shape.map((_, i) => shape.slice(i).reduce((product, size) => product * size, 1))]);
    return distinct([...(param.values || []).map((text) => (/^-?\d+$/.test(text) ? Number(text) : undefined)), example, 0, 1, -1, 2, ...sizes]);
  }

  /** What an argument may be instead, as far as a rule reads it: [what is changed, the new value]. */
  function instead(param, value, facet, args, example) {
    if (facet === "presence" || value === null) {
      return value === null ? [["presence", example ?? (param.kind === "tensor" ? { shape: [1], dtype: "FLOAT", format: "ND" } : isList(param) ? [] : 0)]] : param.pointer ? [["presence", null]] : [];
    }
    switch (param.kind) {
      case "tensor":
        return ofTensor(param, value, facet, args, example);
      case "tensor_list": {
        const each = value.flatMap((one, i) => (one ? ofTensor(param, one, facet, args, example && example[0]).map(([what, made]) => [what, value.with(i, made)]) : []));
        const [first] = value;
        const alike = first && facet === "shape" ? shapes(first.shape, args, example?.[0]).map((shape) => ["shape", value.map((one) => one && { ...one, shape })]) : [];
        return [...each, ...alike, ["presence", [...value, copy(value.at(-1))]], ["presence", value.slice(0, -1)], ["presence", example]];
      }
      case "scalar":
        return dtypes(param, args).map((dtype) => ["dtype", { ...value, dtype }]).concat([["value", example], ["value", { ...value, value: 1 }], ["value", { ...value, value: 0 }]]);
      case "int":
        return numbers(param, value, args, example).map((number) => ["value", number]);
      case "int_array": {
        const sizes = tensors(args).flatMap(({ shape }) => shape);
        const one = value.flatMap((_, i) => distinct([0, 1, -1, ...sizes]).map((number) => value.with(i, number)));
        return [example, ...tensors(args).map(({ shape }) => shape), value.slice(0, -1), [...value, value.at(-1) ?? 1], ...one].map((made) => ["value", made]);
      }
      case "bool":
        return [["value", !value]];
      case "string":
        return [...(param.values || []), example].map((text) => ["value", text]);
      case "dtype":
        return distinct([example, ...dtypes(param, args)]).map((name) => ["dtype", name]);
      default:
        return [["value", example]];
    }
  }

  function ofTensor(param, value, facet, args, example) {
    const plain = Object.fromEntries(Object.entries(value).filter(([name]) => !LAYOUT.includes(name)));
    switch (facet) {
      case "dtype":
        return dtypes(param, args).map((dtype) => ["dtype", { ...value, dtype }]);
      case "shape":
      case "rank":
        return shapes(value.shape, args, example).map((shape) => ["shape", { ...plain, shape }]);
      case "format":
        return [["format", { ...plain, format: "ND" }], ...tensors(args).map(({ format }) => ["format", { ...plain, format }])];
      case "layout":
        return [["layout", plain]];
      case "values":
        return [["values", plain], ["values", example && { ...value, values: example.values }]];
      default:
        return [];
    }
  }

  /** The first shape that fits, or null; what it costs beyond the first ones is taken from what is spare. */
  function sought(own, args, fits, spare, free) {
    const start = performance.now();
    const late = () => performance.now() - start > spare.left;
    let tried = 0, found = null;
    for (const shape of whole(own, args)) {
      tried += 1;
      if (tried > free && late()) break;
      if (fits(shape)) found = shape;
      if (found) break;
    }
    if (tried > free) spare.left -= performance.now() - start;
    return found;
  }

  /** The calls that differ from one in one thing that a broken rule reads. */
  function* changed(args, finding, operator, params, example, keeps, spare) {
    const rule = operator.rules[finding.number];
    const read = distinct([...rule.facts, ...rule.guardedBy.flatMap((name) => [`${name}.value`, `${name}.dtype`, `${name}.shape`, `${name}.presence`])]);
    for (const fact of read) {
      const [name, facet] = fact.split(".");
      const param = params.find((one) => one.name === name);
      if (!param) continue;
      const value = args[name] ?? null;
      const own = JSON.stringify(value);
      const usable = (made) => made !== undefined && (made !== null || param.pointer) && JSON.stringify(made) !== own;
      const fits = ([, made]) => usable(made) && keeps({ ...args, [name]: made }, finding.number);
      let tried = distinct(instead(param, value, facet, args, example[name] ?? null)).filter(fits);
      if (!tried.length && facet === "shape" && param.kind === "tensor" && value) {
        const shape = sought(value.shape, args, (made) => fits(["shape", { ...value, shape: made }]), spare, MOST_SHAPES);
        if (shape) tried = [["shape", { ...value, shape }]];
      }
      for (const [place, [what, made]] of tried.slice(0, MOST_CANDIDATES).entries()) {
        const cost = COST[what] * (param.io === "out" ? OF_OUTPUT : 1) + place * 0.01;
        yield { args: { ...args, [name]: copy(made) }, cost };
      }
    }
    const outputs = params.filter(({ name, kind, io }) => io === "out" && kind === "tensor" && args[name] && rule.facts.includes(`${name}.shape`));
    if (outputs.length < 2) return;
    const alike = (shape) => ({ ...args, ...Object.fromEntries(outputs.map(({ name }) => [name, { ...args[name], shape }])) });
    const shape = sought(args[outputs[0].name].shape, args, (made) => keeps(alike(made), finding.number), spare, 0);
    if (shape) yield { args: copy(alike(shape)), cost: COST.shape * OF_OUTPUT * outputs.length };
  }

  /**
   * The nearest legal call that is found, or null; where some params stay as they are, the one that breaks least.
   *
   * @param args of the call, by name
   * @param verdict judges arguments
   * @param keeps says whether arguments keep the rule of a number
   * @param operator whose rules they are, `params` of its form, `example` arguments of a legal call
   * @param fixed names of params that stay as they are
   */
  return function nearest(args, verdict, keeps, operator, params, example, fixed = []) {
    const end = performance.now() + LONGEST;
    const known = new Set([JSON.stringify(args)]);
    const waiting = [{ args, cost: 0, found: verdict(args) }];
    const spare = { left: SPARE };
    let judged = 0;
    let best = waiting[0];
    while (waiting.length && judged < MOST && performance.now() < end) {
      let first = 0;
      for (let i = 1; i < waiting.length; i++) if (rank(waiting[i]) < rank(waiting[first])) first = i;
      const [call] = waiting.splice(first, 1);
      const open = call.found.violations.filter(({ number }) => number < 0 || operator.rules[number].facts.some((fact) => !fixed.includes(fact.split(".")[0])));
      if (!open.length) return call.found.legal || fixed.length ? call.args : null;
      if (call.found.violations.length < best.found.violations.length) best = call;
      for (const finding of open.filter(({ number }) => number >= 0).slice(0, 2)) {
        for (const next of changed(call.args, finding, operator, params, example, keeps, spare)) {
          const key = JSON.stringify(next.args);
          if (known.has(key) || fixed.some((name) => JSON.stringify(next.args[name]) !== JSON.stringify(args[name]))) continue;
          known.add(key);
          const found = verdict(next.args);
          judged += 1;
          waiting.push({ args: next.args, cost: call.cost + next.cost, found });
        }
      }
    }
    return fixed.length ? best.args : null;
  };

  function rank({ cost, found }) {
    return cost + 3 * found.violations.length;
  }
})();

/** What differs between two calls: [name, what it was, what it is], of tensors part by part. */
opspec.differences = function (before, after) {
  const shown = (value) => (value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value));
  const found = [];
  for (const name of Object.keys(after)) {
    const [was, is] = [before[name], after[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const parts = was && is && typeof was === "object" && typeof is === "object" && !Array.isArray(is) ? Object.keys({ ...was, ...is }) : null;
    if (parts === null) found.push([name, shown(was), shown(is)]);
    else for (const part of parts) if (JSON.stringify(was[part]) !== JSON.stringify(is[part])) found.push([`${name}.${part}`, shown(was[part]), shown(is[part])]);
  }
  return found;
};
