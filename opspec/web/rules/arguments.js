// Arguments of a call: from JSON, where integers that a number cannot hold are texts of digits, to what rules
// read. Values of C floats are binary32 already.
"use strict";

opspec.arguments = (function () {
  const { whole } = opspec.runtime;
  const NOT_FINITE = { nan: NaN, inf: Infinity, "-inf": -Infinity };

  const integer = (value) => (typeof value === "string" ? whole(BigInt(value)) : value);
  const list = (convert) => (items) => items.map(convert);
  const orNull = (convert) => (value) => (value === null || value === undefined ? null : convert(value));

  /** A value of a scalar or of a tensor's element: a number, `{"integer": digits}`, a name of NOT_FINITE, or a bool. */
  function number(value) {
    if (typeof value === "boolean") return Number(value);
    if (typeof value === "object") return "integer" in value ? whole(BigInt(value.integer)) : null; // complex: no value
    return typeof value === "string" ? NOT_FINITE[value] : value;
  }

  const dims = orNull(list(integer));

  function tensor(value) {
    const shape = dims(value.shape);
    const none = shape !== null && shape.some((dim) => Number(dim) === 0) ? [] : null; // an empty tensor's are known
    const values = value.values === undefined || value.values === null ? none : value.values;
    return {
      shape,
      dtype: value.dtype,
      format: value.format || "ND",
      strides: dims(value.strides),
      offset: value.offset === undefined ? 0 : integer(value.offset),
      storage_shape: dims(value.storage_shape),
      storage_format: value.storage_format || null,
      values: values === null ? null : values.map(number),
    };
  }

  const scalar = (value) => ({ dtype: value.dtype, value: orNull(number)(value.value) });
  const plain = (value) => value;

  const CONVERTERS = {
    tensor, scalar, int: integer, bool: plain, string: plain, dtype: plain, pointer: plain,
    tensor_list: list(orNull(tensor)), scalar_list: list(scalar), int_array: list(integer), bool_array: list(plain),
    float: number, float32: number, float_array: list(number),
  };

  /** Arguments in the order of an operator's params, from an object by their names. */
  return (operator, args) => operator.params.map(({ name, kind }) => orNull(CONVERTERS[kind])(args[name]));
})();

/** Operators by release and name: what their scripts give. */
opspec.operators = {};

/** What a rule says that does not say it: as in opspec/codegen/javascript/operator.py. */
opspec.USUAL = { kind: "relation", param: null, when: null, status: 161002, stage: "params", basis: "documented", usual: "refused", on: {}, assumed: false, guardedBy: [], lacks: [""] };
opspec.FACETS = { null: "presence", "private-format": "format", strided: "layout", enum: "value" };

opspec.operator = function (operator) {
  operator.rules = operator.rules.map((rule) => {
    const { param, kind } = { ...opspec.USUAL, ...rule };
    return { ...opspec.USUAL, id: `${param}.${kind}`, facts: [`${param}.${opspec.FACETS[kind] || kind}`], ...rule };
  });
  (opspec.operators[operator.release] || (opspec.operators[operator.release] = {}))[operator.name] = operator;
};
