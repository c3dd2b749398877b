// The form of a call: fields for each param, from and to arguments as opspec.arguments reads them.
"use strict";

opspec.form = (function () {
  const { element, words, phrase } = opspec;
  const INT64 = ["-9223372036854775808", "9223372036854775807"];
  const UINT64_MAX = "18446744073709551615";
  const { lang } = document.documentElement.dataset;
  let count = 0;

  class Wrong extends Error {}

  // --- texts to values

  function integer(text, low = INT64[0], high = INT64[1]) {
    if (!/^[-+]?\d+$/.test(text.trim())) throw new Wrong(phrase("bad_integer", low, high));
    const value = BigInt(text.trim());
    if (value < BigInt(low) || value > BigInt(high)) throw new Wrong(phrase("bad_integer", low, high));
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }

  function real(text) {
    const plain = text.trim().toLowerCase();
    if (["nan", "inf", "-inf"].includes(plain)) return plain;
    if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(plain) || !Number.isFinite(Number(plain))) throw new Wrong(words.bad_number);
    return Number(plain);
  }

  function binary32(text) {
    const value = real(text);
    if (typeof value === "string") return value;
    if (!Number.isFinite(Math.fround(value))) throw new Wrong(words.bad_float32);
    return Math.fround(value);
  }

  /** A value of a scalar or an element: an integer stays one, however large; 1+2j is complex. */
  function number(text) {
    const plain = text.trim().toLowerCase();
    const [, re, im] = plain.match(/^([-+]?[\d.]+(?:e[-+]?\d+)?|[-+]?inf|nan)([-+](?:[\d.]+(?:e[-+]?\d+)?|inf|nan))j$/) || [];
    if (re) return { real: String(real(re)), imaginary: String(real(im.replace(/^\+(?=inf|nan)/, ""))) };
    if (plain === "true" || plain === "false") return plain === "true";
    if (!/^[-+]?\d+$/.test(plain)) return real(text);
    const value = integer(text, INT64[0], UINT64_MAX);
    return typeof value === "string" ? { integer: value } : value;
  }

  function boolean(text) {
    const plain = text.trim().toLowerCase();
    if (!["true", "false", "1", "0"].includes(plain)) throw new Wrong(phrase("bad_list", words.booleans));
    return plain === "true" || plain === "1";
  }

  function dim(text) {
    try {
      return integer(text, "0");
    } catch {
      throw new Wrong(words.not_finite_dim);
    }
  }

  const list = (convert) => (text) => {
    const inner = text.trim().replace(/^[[(]|[\])]$/g, "");
    return inner.trim() ? inner.trim().replace(/,$/, "").split(/\s*,\s*|\s+/).map(convert) : [];
  };

  // --- values to texts

  const shownComplex = ({ real, imaginary }) => `${real}${/^-/.test(imaginary) ? "" : "+"}${imaginary}j`;
  const shownNumber = (value) => (value === null || typeof value !== "object" ? String(value) : Array.isArray(value) ? shownComplex({ real: value[0], imaginary: value[1] }) : "real" in value ? shownComplex(value) : value.integer || "");
  const shownList = (values) => values.map(shownNumber).join(", ");

  // --- fields: {node, read}; read gives a value, or throws Wrong after it marked the field

  function labelled(title, field) {
    const id = `field-${++count}`;
    field.id = id;
    return element("div", { class: "field" }, element("label", { for: id }, title), field);
  }

  /** A field of text; an empty one is null where `empty` says so. */
  function textField(title, value, convert, { empty = false, shown = shownNumber, size = 12 } = {}) {
    const input = element("input", { autocomplete: "off", spellcheck: "false", size });
    input.value = value === null || value === undefined ? "" : shown(value);
    const node = labelled(title, input);
    const problem = element("p", { class: "problem", id: `${input.id}-problem`, hidden: true });
    node.append(problem);
    return {
      node,
      read() {
        problem.hidden = true;
        input.removeAttribute("aria-invalid");
        input.removeAttribute("aria-describedby");
        if (empty && !input.value.trim()) return null;
        try {
          return convert(input.value);
        } catch (error) {
          if (!(error instanceof Wrong)) throw error;
          problem.textContent = error.message;
          problem.hidden = false;
          input.setAttribute("aria-invalid", "true");
          input.setAttribute("aria-describedby", problem.id);
          throw error;
        }
      },
    };
  }

  function selectField(title, value, names, empty = null) {
    const select = element("select", {}, ...(empty === null ? [] : [element("option", { value: "" }, empty)]), ...names.map((name) => element("option", { value: name }, name)));
    select.value = value === null || value === undefined ? (empty === null ? names[0] : "") : value;
    return { node: labelled(title, select), read: () => select.value || null };
  }

  function checkbox(title, value) {
    const input = element("input", { type: "checkbox" });
    input.checked = value;
    const id = `field-${++count}`;
    input.id = id;
    return { node: element("div", { class: "field check" }, input, element("label", { for: id }, title)), read: () => input.checked };
  }

  /** A choice among data types, those that the param takes first. */
  function dtypeField(title, value, taken = []) {
    const field = selectField(title, null, taken.length ? taken : Object.keys(opspec.vocabulary.bits));
    const select = field.node.querySelector("select");
    const others = Object.keys(opspec.vocabulary.bits).filter((name) => !taken.includes(name));
    if (taken.length) select.append(element("optgroup", { label: words.not_taken }, ...others.map((name) => element("option", { value: name }, name))));
    if (value) select.value = value;
    return field;
  }

  /** A choice among the values that a param has; any other is typed. */
  function choiceField(title, value, values, convert) {
    const shown = value === null || value === undefined ? values[0] : shownNumber(value);
    const text = textField(words.other_value, shown, convert);
    const pick = selectField(title, values.includes(shown) ? shown : "", values, words.other_value);
    const select = pick.node.querySelector("select");
    const picked = select.value;
    select.append(select.options[0]); // the other values come last
    select.value = picked;
    const sync = () => (text.node.hidden = pick.read() !== null);
    select.addEventListener("change", sync);
    sync();
    return { node: element("div", { class: "fields" }, pick.node, text.node), read: () => (pick.read() === null ? text.read() : convert(pick.read())) };
  }

  function tensorFields(value, taken) {
    const given = { shape: [2, 3], dtype: (taken || [])[0] || "FLOAT", format: "ND", ...value };
    const fields = {
      shape: textField(words.shape, given.shape, list(dim), { shown: shownList, size: 16 }),
      dtype: dtypeField(words.dtype, given.dtype, taken),
      format: selectField(words.format, given.format, opspec.vocabulary.formats),
      strides: textField(words.strides, given.strides, list((text) => integer(text)), { empty: true, shown: shownList }),
      offset: textField(words.offset, given.offset, (text) => integer(text), { empty: true }),
      storage_shape: textField(words.storage_shape, given.storage_shape, list(dim), { empty: true, shown: shownList }),
      storage_format: selectField(`${words.storage_shape}: ${words.format}`, given.storage_format, opspec.vocabulary.formats, words.not_given),
      values: textField(words.values, given.values, list(number), { empty: true, shown: shownList, size: 24 }),
    };
    const more = ["strides", "offset", "storage_shape", "storage_format", "values"];
    const details = element("details", {}, element("summary", {}, words.more_of_tensor), element("div", { class: "fields" }, ...more.map((name) => fields[name].node)));
    details.open = more.some((name) => given[name] !== undefined && given[name] !== null);
    return {
      node: element("div", {}, element("div", { class: "fields" }, fields.shape.node, fields.dtype.node, fields.format.node), details),
      read() {
        const found = readAll(Object.entries(fields));
        const elements = found.shape.reduce((product, size) => product * Number(size), 1);
        if (found.values !== null && found.values.length !== elements) found.values = null; // as if they were not there
        for (const name of more) if (found[name] === null) delete found[name];
        return found;
      },
    };
  }

  function scalarFields(value, taken) {
    const given = value || { dtype: "FLOAT", value: 1 };
    const fields = {
      dtype: dtypeField(words.dtype, given.dtype, taken),
      value: textField(words.value, given.value, number, { empty: true }),
    };
    return {
      node: element("div", { class: "fields" }, fields.dtype.node, fields.value.node),
      read() {
        const found = readAll(Object.entries(fields));
        if (found.value === null) delete found.value;
        return found;
      },
    };
  }

  /** All fields are read, so that all that are wrong are marked. */
  function readAll(fields) {
    const found = {};
    let wrong = null;
    for (const [name, field] of fields) {
      try {
        found[name] = field.read();
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        wrong = error;
      }
    }
    if (wrong) throw wrong;
    return found;
  }

  /** Fields that a box takes away: what is null. */
  function nullable(make, value, fallback) {
    const box = checkbox(words.null, value === null || value === undefined);
    let inner = make(value === null || value === undefined ? fallback : value);
    const holder = element("div", {}, inner.node);
    const sync = () => (holder.hidden = box.read());
    box.node.querySelector("input").addEventListener("change", sync);
    sync();
    return { node: element("div", {}, box.node, holder), read: () => (box.read() ? null : inner.read()) };
  }

  /** A list of elements, each with fields of its own. */
  function items(make, values, changed) {
    const fields = [];
    const holder = element("div", { class: "elements" });

    function add(value) {
      const field = make(value);
      fields.push(field);
      holder.append(element("fieldset", {}, element("legend", {}, phrase("element", fields.length - 1)), field.node));
    }

    for (const value of values) add(value);
    const buttons = element("p", {},
      element("button", { type: "button", onclick: () => { add(undefined); changed(); } }, words.add), " ",
      element("button", { type: "button", onclick: () => { if (fields.pop()) holder.lastChild.remove(); changed(); } }, words.remove));
    return { node: element("div", {}, holder, buttons), read: () => Object.values(readAll(fields.map((field, i) => [i, field]))) };
  }

  const arrays = {
    int_array: ["integers", (text) => integer(text)],
    float_array: ["numbers", binary32],
    bool_array: ["booleans", boolean],
  };

  function fieldOf(param, value, changed) {
    const low = param.low || INT64[0];
    const high = param.high || UINT64_MAX;
    const tensor = (one) => tensorFields(one, param.dtypes);
    const scalar = (one) => scalarFields(one, param.dtypes);
    const values = param.values || [];
    switch (param.kind) {
      case "tensor":
        return nullable(tensor, value, null);
      case "scalar":
        return nullable(scalar, value, null);
      case "tensor_list":
        return nullable((list) => items((one) => nullable(tensor, one === undefined ? { shape: [2, 3], dtype: "FLOAT" } : one, null), list, changed), value, []);
      case "scalar_list":
        return nullable((list) => items(scalar, list, changed), value, []);
      case "int_array":
      case "float_array":
      case "bool_array": {
        const [title, convert] = arrays[param.kind];
        return nullable((list) => textField(words[title], list, listOf(convert), { shown: shownList, size: 28 }), value, []);
      }
      case "int":
        if (values.length && values.every((text) => /^-?\d+$/.test(text))) return choiceField(words.value, value, values, (text) => integer(text, low, high));
        return textField(words.value, value === undefined ? 0 : value, (text) => integer(text, low, high));
      case "float":
      case "float32":
        return textField(words.value, value === undefined ? 0 : value, param.kind === "float" ? real : binary32);
      case "bool":
        return checkbox(words.value, value === true);
      case "dtype":
        return dtypeField(words.value, value, param.dtypes);
      case "string": {
        const plain = (given) => given;
        const field = (text) => (values.length ? choiceField(words.value, text, values, plain) : textField(words.value, text, plain, { size: 28 }));
        return param.pointer ? nullable(field, value, "") : field(value === undefined ? "" : value);
      }
      default: // a pointer: there, or null
        return nullable(() => ({ node: element("span"), read: () => true }), value, true);
    }
  }

  const listOf = list;

  const isNumber = (value) => ["number", "boolean", "string"].includes(typeof value) || (value !== null && typeof value === "object" && ("integer" in value || "real" in value));
  const isShape = (shape) => Array.isArray(shape) && shape.every((size) => isNumber(size));
  const isTensor = (value) => value !== null && typeof value === "object" && isShape(value.shape);
  const isScalar = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && [value.value ?? 0].flat().every(isNumber);
  const KINDS = {
    tensor: isTensor,
    scalar: isScalar,
    tensor_list: (value) => Array.isArray(value) && value.every((one) => one === null || isTensor(one)),
    scalar_list: (value) => Array.isArray(value) && value.every(isScalar),
    int_array: isShape,
    float_array: isShape,
    bool_array: isShape,
    bool: (value) => typeof value === "boolean",
    string: (value) => typeof value === "string",
    dtype: (value) => typeof value === "string",
  };

  /** Whether an argument is of the form that its param's kind has. */
  const isOfKind = ({ kind }, value) => value === undefined || value === null || (KINDS[kind] || (() => typeof value !== "object"))(value);

  /**
   * Fill a form with the fields of an operator's params.
   *
   * Throws where an argument is of another form.
   *
   * @param changed called when a field was added or taken away
   * @returns a function that gives the arguments by name, or null where a field is wrong
   */
  return function fill(target, params, args, changed) {
    const other = params.find((param) => !isOfKind(param, args[param.name]));
    if (other) throw new Error(other.name);
    const fields = params.map((param) => [param.name, fieldOf(param, args[param.name], changed)]);
    target.replaceChildren(...params.map((param, i) =>
      element("fieldset", { class: "param", "data-param": param.name },
        element("legend", {}, element("b", {}, param.name), " ", element("code", {}, param.ctype)),
        ...(param.about?.[lang] ? [element("p", { class: "note" }, param.about[lang])] : []), fields[i][1].node)));
    return function read() {
      try {
        return readAll(fields);
      } catch (error) {
        if (error instanceof Wrong) return null;
        throw error;
      }
    };
  };
})();
