// The function library of the rule language, by the functions' names; what they mean: opspec/language/runtime.py.
"use strict";

opspec.library = (function () {
  const { NEITHER, int64, whole, floorDivided, multiply, add, same, worst } = opspec.runtime;
  const words = () => opspec.vocabulary;

  // --- integers

  const big = (operation) => (a, b) => (b == 0 ? NEITHER : int64(operation(BigInt(a), BigInt(b))));
  const ceilDivided = (a, b) => -floorDivided(-a, b);

  /** The greatest of numbers by `before`, of the arguments or of one list. */
  function extreme(before) {
    return (...numbers) => {
      const items = numbers.length === 1 && Array.isArray(numbers[0]) ? numbers[0] : numbers;
      if (!items.length) return NEITHER;
      return items.reduce((found, item) => (before(item, found) ? item : found));
    };
  }

  /** A number rounded to an integer. */
  function rounded(round) {
    return (number) => {
      if (typeof number === "bigint") return int64(number);
      if (!Number.isFinite(number)) return NEITHER;
      return int64(BigInt(round(number)));
    };
  }

  function sum(numbers) {
    return int64(numbers.reduce((total, number) => total + BigInt(number), 0n));
  }

  const prod = (numbers) => (numbers.some((number) => number == 0) ? 0 : numbers.reduce(multiply, 1));

  // --- shapes

  /** The broadcast of two shapes, or null. */
  function pair(a, b) {
    if (a.length < b.length) [a, b] = [b, a];
    const result = [...a];
    for (let i = 0; i < b.length; i++) {
      const at = i + a.length - b.length;
      if (b[i] !== 1 && b[i] !== result[at]) {
        if (result[at] !== 1) return null;
        result[at] = b[i];
      }
    }
    return result;
  }

  /** The shape that shapes broadcast to; undefined where they do not. */
  function broadcast(...shapes) {
    let found = [];
    for (const shape of shapes) {
      found = pair(found, shape);
      if (found === null) return NEITHER;
    }
    return found;
  }

  const broadcastable = (a, b) => pair(a, b) !== null;

  function broadcastableTo(source, target) {
    const found = pair(source, target);
    return found !== null && same(found, target);
  }

  function followsRowMajor(shape, strides) {
    if (shape.length !== strides.length) return false;
    if (shape.some((dim) => dim === 0)) return true;
    let step = 1n;
    for (let i = shape.length - 1; i >= 0; i--) {
      if (shape[i] === 1) continue;
      if (BigInt(strides[i]) !== step) return false;
      step *= BigInt(shape[i]);
    }
    return true;
  }

  const lastTwoSwapped = (items) => [...items.slice(0, -2), items[items.length - 1], items[items.length - 2]];

  const contiguous = (tensor) => tensor.strides === null || followsRowMajor(tensor.shape, tensor.strides);

  function transposedLast2(tensor) {
    const { shape, strides } = tensor;
    if (strides === null || shape.length < 2 || shape.length !== strides.length) return false;
    return followsRowMajor(lastTwoSwapped(shape), lastTwoSwapped(strides));
  }

  function axis(dim, rank) {
    const count = rank > 1 ? rank : 1;
    if (dim < -count || dim >= count) return NEITHER;
    return dim < 0 ? add(dim, count) : dim;
  }

  function permuted(shape, order) {
    const seen = new Set(order);
    if (order.length !== shape.length || seen.size !== order.length) return NEITHER;
    if (order.some((dim) => dim < 0 || dim >= shape.length)) return NEITHER;
    return order.map((dim) => shape[dim]);
  }

  function reduced(shape, axes, keep) {
    const named = axes.map((dim) => axis(dim, shape.length));
    const found = worst(named);
    if (found) return found;
    const gone = new Set(named);
    if (gone.size !== named.length) return NEITHER;
    const isGone = (i) => !gone.size || gone.has(i);
    return keep ? shape.map((dim, i) => (isGone(i) ? 1 : dim)) : shape.filter((_, i) => !isGone(i));
  }

  // --- lists

  const neighbours = (test) => (items) => items.every((item, i) => i === 0 || test(items[i - 1], item));

  /** What equal numbers have in common: a large one may be an integer or a double. */
  const key = (item) => (typeof item === "number" && Number.isInteger(item) ? whole(BigInt(item)) : item);

  function distinct(items) {
    const numbers = items.filter((item) => item === item).map(key); // NaN differs from NaN
    return new Set(numbers).size === numbers.length;
  }

  // --- dtypes and formats

  const kind = (...kinds) => (dtype) => kinds.includes(words().kinds[dtype]);
  const promoted = (table, row, column) => (row === column ? row : (words()[table][row] || {})[column] || null);
  const known = (dtype) => dtype || NEITHER;

  const functions = {
    abs: (number) => int64(number < 0 ? -BigInt(number) : BigInt(number)),
    min: extreme((a, b) => a < b),
    max: extreme((a, b) => a > b),
    sum,
    prod,
    ceil_div: big(ceilDivided),
    align_up: big((a, b) => ceilDivided(a, b) * b),
    floor: rounded(Math.floor),
    ceil: rounded(Math.ceil),
    broadcast,
    broadcastable,
    broadcastable_to: broadcastableTo,
    promote: (a, b) => known(promoted("tensorTensor", a, b)),
    promotable: (a, b) => promoted("tensorTensor", a, b) !== null,
    promote_scalar: (tensor, scalar) => known(promoted("tensorScalar", scalar, tensor)),
    castable: (source, target) => source === target || (words().reach[source] || []).includes(target),
    bits: (dtype) => (words().bits[dtype] === null ? NEITHER : words().bits[dtype]),
    is_floating: kind("float"),
    is_integer: kind("int", "uint"),
    is_complex: kind("complex"),
    is_private: (format) => words().privateFormats.includes(format),
    contiguous,
    transposed_last2: transposedLast2,
    increasing: neighbours((a, b) => a < b),
    nondecreasing: neighbours((a, b) => a <= b),
    distinct,
    axis,
    permuted,
    reduced,
    starts_with: (text, start) => text.startsWith(start),
  };

  /** Each takes undefined operands and null, which is one. */
  function strict(implementation) {
    return (...operands) => worst(operands) || implementation(...operands);
  }

  return Object.fromEntries(Object.entries(functions).map(([name, one]) => [name, strict(one)]));
})();
