// What somebody pastes as a call: JSON, a line of a log or of opspec's own output, or code of PyTorch.
//
// It gives {op, product, release, args, taken, over, guess}: arguments by name that were read, what was read in words,
// what was given and could not be read, and whether outputs are to be made to fit; or throws with what was expected.
"use strict";

opspec.paste = (function () {
  const { words, phrase } = opspec;
  const TORCH = { long: "INT64", int: "INT32", short: "INT16" }; // what these are to PyTorch
  const PREFIX = /^(acl_format_|format_|acl_|dt_|torch\.|torch_npu\.|numpy\.|np\.|ml_dtypes\.|mindspore\.)/;

  class Unread extends Error {}

  /** The name of a data type or format in any spelling, or of a number; null where there is none. */
  function named(kind, value) {
    const known = opspec.vocabulary.spelled[kind], word = String(value).trim().toLowerCase();
    if (typeof value !== "string" && !Number.isInteger(value)) return null;
    if (typeof value === "string" && /^-?\d+$/.test(word)) return null;
    return [word, word.replace(PREFIX, "")].map((one) => (Object.hasOwn(known, one) ? known[one] : null)).find(Boolean) || null;
  }

  /** A data type in any spelling, or null: torch.float16, DT_FLOAT16, ACL_FLOAT16. */
  const dtypeOf = (text) => TORCH[text.replace(/^torch\./, "")] || named("dtype", text);

  // --- JSON

  const WRAPS = ["tensor", "tensor_list", "scalar", "scalar_list", "int_array", "float_array", "bool_array", "dtype", "pointer"];
  const plain = (value) => (value && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 1 && WRAPS.includes(Object.keys(value)[0]) ? Object.values(value)[0] : value);

  const NAMES = { dtype: "dtype", format: "format", storage_format: "format" };

  /** A value with the names of its data types and formats; those that are none are put into `over`. */
  function spelled(value, path, over) {
    if (Array.isArray(value)) return value.map((one, place) => spelled(one, `${path}[${place}]`, over));
    if (value === null || typeof value !== "object") return value;
    const made = {};
    for (const [key, part] of Object.entries(value)) {
      const name = key in NAMES && part !== null ? named(NAMES[key], part) : undefined;
      if (name === null) over.push(`${path}.${key} = ${JSON.stringify(part)}`);
      else made[key] = name === undefined ? part : name;
    }
    return made;
  }

  /** JSON whose long integers stay as they are, as texts. */
  function parsed(text) {
    const safe = text.replace(/"(?:\\.|[^"\\])*"|-?\b\d{16,}\b(?![.eE])/g, (part) => (part[0] === '"' ? part : `"${part}"`));
    try {
      return JSON.parse(safe);
    } catch (error) {
      throw new Unread(phrase("paste_no_json", error.message));
    }
  }

  async function fromJson(text, described) {
    const lines = text.split("\n").filter((line) => line.trim());
    const whole = lines.length > 1 && lines.every((line) => /^\s*\{.*\}\s*$/.test(line)) ? lines[0] : text; // a file of calls
    const value = parsed(whole);
    const call = Array.isArray(value) ? value[0] : value;
    if (!call || typeof call !== "object" || typeof call.op !== "string") throw new Unread(words.paste_no_op);
    const args = {}, over = [];
    for (const [name, one] of Object.entries(call.args || {})) args[name] = spelled(plain(one), name, over);
    for (const { name, kind } of (await described(call.op)) || []) {
      if (kind === "dtype" && name in args) args[name] = named("dtype", args[name]) || "DT_UNDEFINED";
    }
    return { op: call.op, product: call.product || null, release: call.release || null, args, over, exact: true };
  }

  // --- logs

  const LIST = /[[({]\s*(-?\d+(?:\s*[,x]\s*-?\d+)*)?\s*,?\s*[\])}]/;
  const dims = (text) => (text || "").split(/[,x]/).map((part) => part.trim()).filter(Boolean).map(Number);

  /** What a text says of tensors: as `x.dtype = FLOAT16`, or the first dtype and shape behind a name. */
  function fromLog(text, op, params) {
    const args = {};
    const put = (name, part, value) => {
      const param = params.find((one) => one.name === name);
      if (!param || value === null || value === undefined) return;
      if (param.kind === "tensor" || param.kind === "scalar") args[name] = { ...args[name], [part]: value };
      else if (part === "value") args[name] = value;
    };
    for (const [, name, part, value] of text.matchAll(/\b(\w+)\.(dtype|shape|format) = (\w+|\[[^\]]*\])/g)) {
      put(name, part, part === "dtype" ? dtypeOf(value) : part === "shape" ? dims(value.slice(1, -1)) : value);
    }
    for (const [, name, value] of text.matchAll(/\b(\w+) = ("[^"]*"|-?\d+\b(?!\.))/g)) put(name, "value", value[0] === '"' ? value.slice(1, -1) : Number(value));
    for (const param of params) {
      const [, said] = text.match(new RegExp(`\\b${param.name}\\b(?!\\.)([^\\n]*)`)) || [];
      if (said === undefined || args[param.name] || param.kind !== "tensor") continue;
      const others = params.filter(({ name }) => name !== param.name).map(({ name }) => said.search(new RegExp(`\\b${name}\\b`))).filter((at) => at >= 0);
      const own = said.slice(0, Math.min(said.length, ...others));
      const limits = own.search(/\b(should|must|support(s|ed)?|expected|in)\b.*?[[{(]/); // what is wanted is no value
      const before = limits >= 0 ? own.slice(0, limits) : own;
      put(param.name, "dtype", (before.match(/\b(?:DT_|ACL_)?[A-Z][A-Z0-9_]{2,}\b/g) || []).map(dtypeOf).find(Boolean));
      const shape = before.match(new RegExp(`(?:shape|size)\\D{0,12}${LIST.source}`, "i")) || before.match(LIST);
      if (shape) put(param.name, "shape", dims(shape[1]));
    }
    return args;
  }

  // --- PyTorch

  /** The arguments in brackets behind a place, and where they end. */
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

  const METHODS = { half: "FLOAT16", float: "FLOAT", double: "DOUBLE", bfloat16: "BFLOAT16", long: "INT64", int: "INT32", bool: "BOOL" };
  const MADE = /^(?:torch|np|numpy)\.(randn|rand|zeros|ones|empty|full|randint|tensor|arange)\s*\(/;

  /** The tensor that an expression makes, or null. */
  function tensorOf(text, known) {
    const found = text.match(MADE);
    let tensor = null, rest = "";
    if (found) {
      const [parts, end] = bracketed(text, found[0].length - 1);
      rest = text.slice(end + 1);
      const named = Object.fromEntries(parts.map((part) => part.match(/^(\w+)\s*=\s*(.+)$/s)).filter(Boolean).map(([, name, value]) => [name, value]));
      const free = parts.filter((part) => !/^\w+\s*=/.test(part));
      const sized = named.size || free.find((part) => /^[[(]/.test(part));
      const shape = sized ? dims(sized.slice(1, -1)) : free.filter((part) => /^\d+$/.test(part)).map(Number);
      const usual = found[1] === "randint" || found[1] === "arange" ? "INT64" : "FLOAT";
      if (found[1] !== "tensor") tensor = { shape, dtype: (named.dtype && dtypeOf(named.dtype)) || usual, format: "ND" };
    } else {
      const name = text.match(/^[A-Za-z_]\w*/);
      if (name && known[name[0]]) [tensor, rest] = [{ ...known[name[0]] }, text.slice(name[0].length)];
    }
    if (!tensor) return null;
    for (const [, method] of rest.matchAll(/\.(\w+)\(\)/g)) if (METHODS[method]) tensor.dtype = METHODS[method];
    for (const [, dtype] of rest.matchAll(/\.to\([^)]*?(torch\.\w+)/g)) tensor.dtype = dtypeOf(dtype) || tensor.dtype;
    return tensor;
  }

  function literal(text) {
    if (/^-?\d+$/.test(text)) return Number(text);
    if (/^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return Number(text);
    if (text === "True" || text === "False") return text === "True";
    if (text === "None") return null;
    if (/^(['"]).*\1$/s.test(text)) return text.slice(1, -1);
    if (/^[[(][-\d,\s]*[\])]$/.test(text)) return dims(text.slice(1, -1));
    return undefined;
  }

  /** The calls in code: [name, arguments], and the tensors that names stand for. */
  function readCode(text) {
    const known = {};
    const calls = [];
    for (const [, name, shape, dtype] of text.matchAll(/#.*?\b(\w+)\b\s*[:=]\s*(?:\w*\s*)?[[(](\d+(?:\s*,\s*\d+)*)[\])]\s*(?:,?\s*((?:torch\.)?\w+))?/g)) {
      known[name] = { shape: dims(shape), dtype: (dtype && dtypeOf(dtype)) || "FLOAT", format: "ND" };
    }
    const code = text.replace(/#.*$/gm, "");
    for (const [, name, value] of code.matchAll(/^\s*(\w+)\s*=\s*((?:torch|np|numpy)\.[^\n]+|\w+\.(?:half|to|bfloat16|float|npu|cuda)\([^\n]*)$/gm)) {
      const made = tensorOf(value.trim(), known);
      if (made) known[name] = made;
    }
    for (const found of code.matchAll(/\b([A-Za-z_][\w.]*)\s*\(/g)) {
      const name = found[1];
      if (MADE.test(`${name}(`) || /\.(half|to|npu|cuda|float|bfloat16|double|long|int|size|view)$/.test(name) || ["print", "range", "len", "int", "float"].includes(name)) continue;
      const owner = name.split(".")[0];
      const [parts] = bracketed(code, found.index + found[0].length - 1);
      calls.push(known[owner] ? [`torch.${name.split(".").pop()}`, [owner, ...parts]] : [name, parts]);
    }
    return [calls, known];
  }

  const compact = (name) => name.toLowerCase().replace(/_|optional$|ref$/g, "");
  const SAME = { input: "self", query: "query", key: "key", value: "value", mat2: "mat2", other: "other", weight: "weight" };

  /** The arguments of a call for the params of an operator. */
  function fitted(parts, known, params) {
    const args = {}, over = [];
    const inputs = params.filter(({ io }) => io !== "out");
    const takes = (param, value) => {
      if (value === null) return param.pointer;
      if (Array.isArray(value)) return param.kind === "int_array";
      if (typeof value === "object") return param.kind === "tensor" || param.kind === "tensor_list";
      if (typeof value === "boolean") return param.kind === "bool";
      if (typeof value === "string") return param.kind === "string";
      return ["int", "float", "float32", "scalar"].includes(param.kind);
    };
    const put = (param, value) => {
      if (param.kind === "scalar") args[param.name] = { dtype: Number.isInteger(value) ? "INT64" : "FLOAT", value };
      else if (param.kind === "tensor_list" && value) args[param.name] = [value];
      else args[param.name] = value;
    };
    let next = 0;
    for (const part of parts) {
      const [, name, text] = part.match(/^(\w+)\s*=\s*(?!=)(.+)$/s) || [null, null, part];
      const value = tensorOf(text, known) || literal(text);
      if (value === undefined) over.push(part);
      else if (name) {
        const param = inputs.find((one) => compact(one.name) === compact(name)) || inputs.find((one) => one.name === SAME[name]);
        if (param && takes(param, value)) put(param, value);
        else over.push(part);
      } else {
        while (next < inputs.length && !takes(inputs[next], value)) next += 1;
        if (next < inputs.length) put(inputs[next++], value);
        else over.push(part);
      }
    }
    return [args, over];
  }

  /** The operator that a call of a library stands for, or null. */
  async function operatorOf(name) {
    const { found } = await opspec.search(name.replace(/^F\./, "torch.nn.functional."));
    const [first] = found.filter(([, place]) => !place);
    return first ? first[0] : null;
  }

  /**
   * A call out of what was pasted.
   *
   * @param described gives the params of an operator of this release, or null where there is none
   */
  async function read(text, described) {
    if (/^\s*(\[\s*)?\{/.test(text)) return fromJson(text, described);
    const [named] = text.match(/\baclnn[A-Z]\w*/) || [];
    if (named) {
      const op = named.replace(/GetWorkspaceSize$/, "");
      const params = await described(op);
      if (!params) throw new Unread(phrase("paste_unknown", op));
      return { op, product: null, release: null, args: fromLog(text, op, params), over: [] };
    }
    const [calls, known] = readCode(text);
    for (const [name, parts] of calls.reverse()) {
      const op = await operatorOf(name);
      const params = op && (await described(op));
      if (!params) continue;
      const [args, over] = fitted(parts, known, params);
      return { op, product: null, release: null, args, over, called: name, guess: true };
    }
    throw new Unread(calls.length ? phrase("paste_unknown", calls[0][0]) : words.paste_nothing);
  }

  return { read, Unread };
})();
