// What somebody pastes as a call: JSON, a line of a log or of opspec's own output, or code of PyTorch (code.js).
//
// It gives {op, product, release, args, taken, over, guess}: arguments by name that were read, what was read in words,
// what was given and could not be read, and whether outputs are to be made to fit; or throws with what was expected.
"use strict";

opspec.paste = (function () {
  const { words, phrase } = opspec;
  const PREFIX = /^(acl_format_|format_|acl_|dt_|torch\.|torch_npu\.|numpy\.|np\.|ml_dtypes\.|mindspore\.)/;

  class Unread extends Error {}

  /** The name of a data type or format in any spelling, or of a number; null where there is none. */
  function named(kind, value) {
    const known = opspec.vocabulary.spelled[kind], word = String(value).trim().toLowerCase();
    if (typeof value !== "string" && !Number.isInteger(value)) return null;
    if (typeof value === "string" && /^-?\d+$/.test(word)) return null;
    return [word, word.replace(PREFIX, "")].map((one) => (Object.hasOwn(known, one) ? known[one] : null)).find(Boolean) || null;
  }

  opspec.spelled = named;
  const dtypeOf = (text) => opspec.code.dtypeOf(text);

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
    const safe = text.replace(/"(?:\\.|[^"\\])*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g, (part) => (part[0] === '"' ? part : `"${part}"`));
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
    for (const [, name, value] of text.matchAll(/(?<!\/ ?)\b(\w+)(?: =| is:?) ("[^"]*"|-?\d+\b(?!\.))/g)) put(name, "value", value[0] === '"' ? value.slice(1, -1) : Number(value));
    for (const param of params) {
      const flags = param.name.length > 3 ? "i" : ""; // messages begin with capitals
      const [, said] = text.match(new RegExp(`\\b${param.name}\\b(?!\\.)([^\\n]*)`, flags)) || [];
      if (said === undefined || args[param.name] || !["tensor", "dtype"].includes(param.kind)) continue;
      const others = params.filter(({ name }) => name !== param.name).map(({ name }) => said.search(new RegExp(`\\b${name}\\b`))).filter((at) => at >= 0);
      const own = said.slice(0, Math.min(said.length, ...others));
      const [, seen] = own.match(/\b(?:found|got|actual(?:ly)?(?: \w+)?(?: is)?|but(?: \w+)?)\W+((?:DT_|ACL_)?[A-Z][A-Z0-9_]{2,})\b/) || [];
      const limits = own.search(/\b(should|must|support(s|ed)?|expected|in)\b.*?[[{(]/); // what is wanted is no value
      const before = limits >= 0 ? own.slice(0, limits) : own;
      put(param.name, param.kind === "dtype" ? "value" : "dtype", (seen && dtypeOf(seen)) || (before.match(/\b(?:DT_|ACL_)?[A-Z][A-Z0-9_]{2,}\b/g) || []).map(dtypeOf).find(Boolean));
      const shape = before.match(new RegExp(`(?:shape|size)\\D{0,12}${LIST.source}`, "i")) || before.match(LIST);
      if (shape) put(param.name, "shape", dims(shape[1]));
    }
    const both = text.match(/\binputs\b[^\n[]*\[([\d,\s]+)\],?\s*(?:and\s*)?\[([\d,\s]+)\]/);
    const tensors = params.filter(({ kind, io }) => kind === "tensor" && io !== "out");
    if (both && tensors.every(({ name }) => !args[name]?.shape)) for (const i of [0, 1]) if (tensors[i]) put(tensors[i].name, "shape", dims(both[i + 1]));
    return args;
  }

  /** The operator that is called so elsewhere, or null. */
  async function operatorOf(name) {
    const { found, named: isName } = await opspec.search(name.replace(/^F\./, "torch.nn.functional."));
    return isName && !found[0][1] ? found[0][0] : null;
  }

  const LOG = /\b(?:EZ|E|W|ERR)\d{4,5}\b|error code is|\[PID:|\bfailed, (?:detail|ret)/; // in which brackets are no calls

  /** The operator that a log names, by itself or by the function that called it. */
  async function ofLog(text) {
    const [own] = text.match(/\baclnn[A-Z]\w*/) || [];
    if (own) return own.replace(/GetWorkspaceSize$/, "");
    for (const [name] of LOG.test(text) ? text.matchAll(/\b_?npu_\w+/g) : []) {
      const op = await operatorOf(name);
      if (op) return op;
    }
    return null;
  }

  /**
   * A call out of what was pasted.
   *
   * @param described gives the params of an operator of this release, or null where there is none
   */
  async function read(text, described) {
    if (/^\s*(\[\s*)?\{/.test(text)) return fromJson(text, described);
    const op = await ofLog(text);
    if (op) {
      const params = await described(op);
      if (!params) throw new Unread(phrase("paste_unknown", op));
      return { op, product: null, release: null, args: fromLog(text, op, params), over: [], guess: true };
    }
    const [calls, known] = LOG.test(text) ? [[], {}] : opspec.code.read(text);
    let best = null;
    for (const call of calls.reverse()) {
      const found = await opspec.code.called(call, known, described, operatorOf);
      const isRead = found && Object.values(found.args).some((value) => value && typeof value === "object");
      if (found && (!best || isRead)) best = { product: null, release: null, ...found, called: call[0], guess: true };
      if (isRead) break;
    }
    if (best) return best;
    throw new Unread(calls.length ? phrase("paste_unknown", calls[0][0]) : words.paste_nothing);
  }

  return { read, Unread };
})();
