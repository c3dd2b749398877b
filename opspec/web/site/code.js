// Calls in code of PyTorch: the tensors that names stand for, and which arguments of which operator a call gives.
"use strict";

opspec.code = (function () {
  const TORCH = { long: "INT64", int: "INT32", short: "INT16" }; // what these are to PyTorch
  const METHODS = { half: "FLOAT16", float: "FLOAT", double: "DOUBLE", bfloat16: "BFLOAT16", long: "INT64", int: "INT32", bool: "BOOL" };
  const KEPT = new Set(["npu", "cuda", "cpu", "contiguous", "detach", "clone", "requires_grad_"]); // a tensor like the one before
  const MADE = /^(?:torch|np|numpy)\.(randn|rand|zeros|ones|empty|full|randint|tensor|arange)\s*\(/;
  const SIGNS = { "@": "matmul", "+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow" };

  const compact = (name) => name.toLowerCase().replace(/(?<=.)_|optional$|ref$/g, "");
  const numbersOf = (text) => (text || "").split(/[,x]/).map((part) => part.trim()).filter(Boolean).map(Number);

  /** A data type in any spelling, or null: torch.float16, DT_FLOAT16, ACL_FLOAT16. */
  const dtypeOf = (text) => TORCH[text.replace(/^torch\./, "")] || opspec.spelled("dtype", text);

  // --- texts

  /** The parts of what stands in the brackets that open at a place, and where they close. */
  function bracketed(text, start) {
    const parts = [];
    let depth = 0, from = start + 1, quote = "";
    for (let i = start; i < text.length; i++) {
      const sign = text[i];
      if (quote) quote = sign === quote ? "" : quote;
      else if (sign === "'" || sign === '"') quote = sign;
      else if ("([{".includes(sign)) depth += 1;
      else if (")]}".includes(sign)) depth -= 1;
      if ((depth === 0 && i > start) || (depth === 1 && sign === "," && !quote)) {
        parts.push(text.slice(from, i).trim());
        from = i + 1;
        if (depth === 0) return [parts.filter(Boolean), i];
      }
    }
    return [parts.filter(Boolean), text.length];
  }

  /** Statements, each on a line of its own however many it is written on. */
  function statements(text) {
    let depth = 0;
    const one = [...text.replace(/#.*$/gm, "")].map((sign) => {
      if ("([{".includes(sign)) depth += 1;
      if (")]}".includes(sign)) depth = Math.max(0, depth - 1);
      return sign === "\n" && depth ? " " : sign === ";" && !depth ? "\n" : sign;
    });
    return one.join("").split("\n").map((line) => line.trim()).filter(Boolean);
  }

  const keyword = (part) => part.match(/^(\w+)\s*=\s*(?!=)(.+)$/s);

  function literal(text) {
    if (/^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return Number(text);
    if (text === "True" || text === "False") return text === "True";
    if (text === "None") return null;
    if (/^float\(['"](-?inf|nan)['"]\)$/.test(text)) return Number(text.match(/-?inf|nan/)[0].replace("inf", "Infinity"));
    if (/^(['"]).*\1$/s.test(text)) return text.slice(1, -1);
    if (/^[[(][-\d,\s]*[\])]$/.test(text)) return numbersOf(text.slice(1, -1));
    return undefined;
  }

  // --- tensors

  /** What torch.tensor makes of nested lists of numbers, or null. */
  function ofLists(text) {
    try {
      const shape = [];
      const json = JSON.parse(text.replaceAll("(", "[").replaceAll(")", "]").replace(/\bTrue\b/g, "true").replace(/\bFalse\b/g, "false").replace(/,\s*\]/g, "]").replace(/(\d)\.(?!\d)/g, "$1.0"));
      for (let part = json; Array.isArray(part); part = part[0]) shape.push(part.length);
      const values = [json].flat(Infinity);
      const dtype = values.some((value) => typeof value === "boolean") ? "BOOL" : /\d\.|e/.test(text) ? "FLOAT" : "INT64";
      return { shape, dtype, format: "ND", ...(values.length === shape.reduce((product, size) => product * size, 1) ? { values } : {}) };
    } catch {
      return null;
    }
  }

  /** The tensor that a call makes: [tensor, the rest of the text], or null. */
  function made(text) {
    const found = text.match(MADE);
    if (!found) return null;
    const [parts, end] = bracketed(text, found[0].length - 1);
    const given = Object.fromEntries(parts.map(keyword).filter(Boolean).map(([, name, value]) => [name, value]));
    const free = parts.filter((part) => !keyword(part));
    const numbers = free.filter((part) => /^-?\d+$/.test(part)).map(Number);
    const sized = given.size || free.find((part) => /^[[(]/.test(part));
    const [from, to, step] = numbers.length > 1 ? [...numbers, 1] : [0, numbers[0], 1];
    const counted = found[1] === "arange" ? [Math.max(0, Math.ceil((to - from) / step))] : null;
    const usual = found[1] === "randint" || found[1] === "arange" ? "INT64" : "FLOAT";
    const tensor = found[1] === "tensor" ? ofLists(free[0] || "") : { shape: counted || (sized ? numbersOf(sized.slice(1, -1)) : numbers), dtype: usual, format: "ND" };
    if (tensor && given.dtype) tensor.dtype = dtypeOf(given.dtype) || tensor.dtype;
    return tensor && [tensor, text.slice(end + 1)];
  }

  const transposed = (tensor) => ({ ...tensor, shape: [...tensor.shape.slice(0, -2), ...tensor.shape.slice(-2).reverse()] });

  /** A tensor after a method, or null where its shape is not known any more. */
  function after(tensor, name, parts) {
    const { values: _, ...plain } = tensor;
    const numbers = literal(parts[0] ?? "") instanceof Array ? literal(parts[0]) : parts.map(Number);
    if (METHODS[name] && !parts.length) return { ...plain, dtype: METHODS[name] };
    if (name === "to" || name === "type") return { ...tensor, dtype: parts.map((part) => dtypeOf(part.replace(/^dtype\s*=\s*/, ""))).find(Boolean) || tensor.dtype };
    if (name === "t" || (name === "transpose" && parts.join() === "-1,-2")) return transposed(plain);
    if ((name === "view" || name === "reshape") && numbers.every((size) => size >= 0)) return { ...plain, shape: numbers };
    return KEPT.has(name) ? tensor : null;
  }

  /** The tensor that an expression is, or null. */
  function tensorOf(text, known) {
    const name = text.match(/^[A-Za-z_]\w*/);
    let [tensor, rest] = made(text) || (name && Object.hasOwn(known, name[0]) && !Array.isArray(known[name[0]]) ? [known[name[0]], text.slice(name[0].length)] : [null, ""]);
    while (tensor && rest) {
      const method = rest.match(/^\.(\w+)\s*(\(?)/);
      if (/^\s*([<>]=?|[!=]=)/.test(rest)) return { shape: tensor.shape, dtype: "BOOL", format: "ND" };
      if (!method) return null;
      const [parts, end] = method[2] ? bracketed(rest, method[0].length - 1) : [[], method[0].length - 1];
      tensor = method[1] === "T" ? transposed(tensor) : after(tensor, method[1], parts);
      rest = rest.slice(end + 1);
    }
    return tensor;
  }

  // --- calls

  /** The calls of a statement, [function, arguments]: of methods the tensor comes first, of a module its own come last. */
  function callsOf(expression, known, modules) {
    const found = [];
    const [, left, sign, right] = expression.match(/^([\w.]+(?:\([^()]*\))?)\s*(\*\*|[-@+*/])\s*(\S+)$/) || [];
    if (sign && tensorOf(left, known)) found.push([SIGNS[sign], [left, right]]);
    for (const call of expression.matchAll(/([A-Za-z_][\w.]*)\s*\(/g)) {
      const [parts] = bracketed(expression, call.index + call[0].length - 1);
      const path = call[1].split(".");
      const name = path.at(-1);
      const before = expression[call.index - 1] === "." ? expression.slice(0, call.index - 1) : path.length > 1 && Object.hasOwn(known, path[0]) ? path.slice(0, -1).join(".") : null;
      if (Object.hasOwn(modules, name)) found.push([modules[name][0], [...parts, ...modules[name][1]]]);
      else if (before !== null) found.push([name, [before, ...parts]]);
      else if (!["print", "range", "len", "int", "float"].includes(name)) found.push([call[1], parts]);
    }
    return found;
  }

  /** The calls in code, the ones that only make a tensor first, and the tensors that names stand for. */
  function read(text) {
    const known = {}, modules = {}, calls = [];
    for (const [, name, shape, dtype] of text.matchAll(/#.*?\b(\w+)\b\s*[:=]\s*(?:\w*\s*)?[[(](\d+(?:\s*,\s*\d+)*)[\])]\s*(?:,?\s*((?:torch\.)?\w+))?/g)) {
      known[name] = { shape: numbersOf(shape), dtype: (dtype && dtypeOf(dtype)) || "FLOAT", format: "ND" };
    }
    for (const line of statements(text)) {
      const [, target, right] = line.match(/^(\w+)\s*=\s*(?!=)(.+)$/s) || [];
      const expression = right ?? line.replace(/^[\w\s,]+=\s*(?!=)/, "");
      const module = expression.match(/^(?:torch\.)?nn\.([A-Z]\w*)\s*\(/);
      const [own, end] = module ? bracketed(expression, module[0].length - 1) : [];
      if (module && expression[end + 1] === "(") calls.push([module[1], [...bracketed(expression, end + 1)[0], ...own]]);
      else if (module && target) modules[target] = [module[1], own];
      else calls.push(...callsOf(expression, known, modules));
      const value = target && valueOf(expression, known);
      if (value && typeof value === "object" && (value.shape || value[0]?.shape)) known[target] = value;
    }
    const isPlain = ([name]) => MADE.test(`${name}(`) || METHODS[name] || KEPT.has(name) || ["to", "type", "view", "reshape", "t"].includes(name);
    return [[...calls.filter(isPlain), ...calls.filter((call) => !isPlain(call))], known];
  }

  // --- signatures, as opspec/site/data/signatures.yaml writes them

  function signature(text) {
    const start = text.indexOf("(");
    const takes = bracketed(text, start)[0].map((part) => {
      const [, always, many, name, own, turned, length, choices, none, fallback] = part.match(/^(@?)(\*?)(\w+)(?:>(\w*)(\.t)?)?(?:\[(\d)\])?(?:\{([^}]*)\})?(>?)(?:=(.*))?$/s);
      return { name, always: Boolean(always), many: Boolean(many), target: own === "" || none ? null : own ?? name, turned: Boolean(turned), length: length && Number(length), fallback,
        choices: choices && Object.fromEntries(choices.split(",").map((pair) => pair.split(":"))) };
    });
    return { op: `aclnn${text.slice(0, start)}`, takes };
  }

  const finite = (value) => (Number.isFinite(value) ? value : String(value).toLowerCase().replace("infinity", "inf"));

  /** A value as a param has it, or undefined. */
  function fitting(value, param, taken, dims, text) {
    if (taken.choices) value = typeof value === "string" ? taken.choices[value] : value === null ? undefined : value;
    if (taken.choices && /^-?\d+$/.test(value) && param?.kind !== "string") value = Number(value);
    if (value === undefined || taken.target === null) return value;
    if (value === null) return param.pointer ? null : undefined;
    const isTensor = typeof value === "object" && !Array.isArray(value);
    switch (param.kind) {
      case "tensor": return isTensor ? (taken.turned ? transposed(value) : value) : undefined;
      case "tensor_list": return isTensor ? [value] : Array.isArray(value) && value.every((one) => one && typeof one === "object") ? value : undefined;
      case "int_array":
        if (taken.length && value?.length !== taken.length) return undefined;
        return Number.isInteger(value) ? Array(dims).fill(value) : Array.isArray(value) && value.every(Number.isInteger) ? value : undefined;
      case "scalar":
        if (typeof value === "boolean") return { dtype: "BOOL", value };
        return typeof value === "number" ? { dtype: /^-?\d+$/.test(text) ? "INT64" : "FLOAT", value: finite(value) } : undefined;
      case "int": return Number.isInteger(value) ? value : undefined;
      case "float": case "float32": return typeof value === "number" ? finite(value) : undefined;
      case "bool": return typeof value === "boolean" ? value : undefined;
      case "string": return typeof value === "string" ? value : undefined;
      case "dtype": return typeof value === "string" ? dtypeOf(value) ?? undefined : undefined;
      default: return undefined;
    }
  }

  function valueOf(text, known) {
    if (Object.hasOwn(known, text)) return known[text];
    const tensor = tensorOf(text, known);
    if (tensor) return tensor;
    if (/^torch\.\w+$/.test(text)) return text;
    const plain = literal(text);
    if (plain !== undefined || !/^[[(]/.test(text)) return plain;
    const all = bracketed(text, 0)[0].map((part) => tensorOf(part, known));
    return all.length && all.every(Boolean) ? all : undefined;
  }

  /** The arguments that a call gives for the params of an operator, and what of it was not read. */
  function fitted(name, parts, known, params, takes) {
    const args = {}, over = [], given = new Set();
    const dims = Number(name.match(/(\d)d$/)?.[1] ?? 1);
    const own = takes.filter(({ always }) => !always);
    const paramOf = (taken) => params.find((param) => taken.target !== null && compact(param.name) === compact(taken.target));
    const put = (taken, value, text) => {
      const param = paramOf(taken);
      const fits = taken.target === null || param ? fitting(value, param, taken, dims, text) : undefined;
      if (fits === undefined) return false;
      given.add(taken);
      if (param) args[param.name] = fits;
      return true;
    };
    let next = 0;
    for (const [i, part] of parts.entries()) {
      const [, word, text] = keyword(part) || [null, null, part];
      const value = valueOf(text, known);
      const rest = parts.slice(i).map((one) => valueOf(one, known));
      const taken = word ? own.find((one) => compact(one.name) === compact(word)) || (word === "input" ? own[0] : undefined) : own[next];
      if (!word && taken?.many && rest.length && (rest.every(Number.isInteger) || rest.every((one) => one && typeof one === "object" && !Array.isArray(one)))) {
        if (!put(taken, rest, "")) over.push(...parts.slice(i));
        break;
      }
      if (!word) next += 1;
      if (!taken || value === undefined || !put(taken, value, text)) over.push(part);
    }
    for (const taken of takes) {
      if (given.has(taken) || taken.fallback === undefined) continue;
      const other = takes.find((one) => one.name === taken.fallback); // whose value it has
      const value = other ? args[paramOf(other)?.name] : literal(taken.fallback);
      put(taken, value === undefined ? taken.fallback : value, taken.fallback);
    }
    return { args, over };
  }

  /** The same where nothing says how it is called: what comes next is for the next param that takes it. */
  function guessed(parts, known, params) {
    const inputs = params.filter(({ io }) => io !== "out").map(({ name, ...param }) => ({ name, target: name, param: { name, ...param } }));
    const args = {}, over = [];
    let next = 0;
    for (const part of parts) {
      const [, word, text] = keyword(part) || [null, null, part];
      const value = valueOf(text, known);
      const fits = (taken) => value !== undefined && fitting(value, taken.param, taken, 1, text) !== undefined;
      if (!word) while (next < inputs.length && !fits(inputs[next])) next += 1;
      const taken = word ? inputs.find((one) => compact(one.name) === compact(word)) : inputs[next++];
      if (taken && fits(taken)) args[taken.name] = fitting(value, taken.param, taken, 1, text);
      else over.push(part);
    }
    return { args, over };
  }

  /**
   * The operator that a call stands for, with its arguments, or null.
   *
   * @param described gives the params of an operator of this release, or null where there is none
   * @param operatorOf gives the operator that is called so elsewhere, or null
   */
  async function called([path, parts], known, described, operatorOf) {
    const name = path.split(".").at(-1);
    const all = await opspec.get("signatures", "assets/signatures.js");
    const plain = (one) => one.replace(/^([A-Z]\w*Norm)\dd$/, "$1").toLowerCase().replace(/(?<=.)_(?=.)/g, "");
    const key = Object.hasOwn(all, name) ? name : Object.keys(all).find((one) => plain(one) === plain(name));
    let best = null;
    for (const text of key ? all[key] : []) {
      const { op, takes } = signature(text);
      const params = await described(op);
      const found = params && { op, ...fitted(key, parts, known, params, takes) };
      if (found && (!best || found.over.length < best.over.length)) best = found;
    }
    if (best) return best;
    const op = await operatorOf(path);
    const params = op && (await described(op));
    return params ? { op, ...guessed(parts, known, params) } : null;
  }

  return { read, called, dtypeOf };
})();
