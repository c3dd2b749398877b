// The run time of rules in JavaScript: values, the ways to be undefined, and the operators of the rule language.
//
// An integer is a number where a number holds it exactly, else a BigInt: the same value is always of the same type.
// An undefined value is an Undef, one of three; every operation takes undefined operands and yields the highest cause.
"use strict";

var opspec = globalThis.opspec || (globalThis.opspec = {});

opspec.runtime = (function () {
  class Undef {
    constructor(cause) {
      this.cause = cause;
    }
  }

  const NEITHER = new Undef(1); // a dimension that is not there, a division by zero, a result outside int64
  const NO_DATA = new Undef(2); // the call does not carry what is read
  const ABSENT = new Undef(3); // an argument that is null was read
  const LOW = -(2n ** 63n);
  const HIGH = 2n ** 63n - 1n;
  const SAFE = Number.MAX_SAFE_INTEGER;
  const DIVISIBLE = 2 ** 52; // quotients of smaller numbers need no BigInt

  const undef = (value) => value instanceof Undef;

  /** The undefined operand of the highest cause, or null. */
  function worst(values) {
    let found = null;
    for (const value of values) if (undef(value) && (found === null || value.cause > found.cause)) found = value;
    return found;
  }

  /** The higher of two operands' causes; one of them at least is undefined. */
  const higher = (a, b) => (!undef(b) || (undef(a) && a.cause >= b.cause) ? a : b);

  // --- integers

  const isSafe = (number) => number <= SAFE && number >= -SAFE;

  /** An integer in the one form that its value has. */
  function whole(big) {
    return big >= -9007199254740991n && big <= 9007199254740991n ? Number(big) : big;
  }

  /** A result of integers; undefined outside int64. */
  function int64(big) {
    return big < LOW || big > HIGH ? NEITHER : whole(big);
  }

  function floorDivided(a, b) {
    const quotient = a / b;
    return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
  }

  function add(a, b) {
    if (undef(a) || undef(b)) return higher(a, b);
    if (typeof a === "number" && typeof b === "number" && isSafe(a + b)) return a + b;
    return int64(BigInt(a) + BigInt(b));
  }

  function subtract(a, b) {
    if (undef(a) || undef(b)) return higher(a, b);
    if (typeof a === "number" && typeof b === "number" && isSafe(a - b)) return a - b;
    return int64(BigInt(a) - BigInt(b));
  }

  function multiply(a, b) {
    if (undef(a) || undef(b)) return higher(a, b);
    if (typeof a === "number" && typeof b === "number" && isSafe(a * b)) return a * b;
    return int64(BigInt(a) * BigInt(b));
  }

  const dividesExactly = (a, b) =>
    typeof a === "number" && typeof b === "number" && Math.abs(a) < DIVISIBLE && Math.abs(b) < DIVISIBLE;

  function modulo(a, b) {
    if (undef(a) || undef(b)) return higher(a, b);
    if (b == 0) return NEITHER;
    if (dividesExactly(a, b)) {
      const rest = a % b;
      return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
    }
    const [x, y] = [BigInt(a), BigInt(b)];
    return whole(x - floorDivided(x, y) * y);
  }

  function floorDivide(a, b) {
    if (undef(a) || undef(b)) return higher(a, b);
    if (b == 0) return NEITHER;
    if (dividesExactly(a, b)) return (a - modulo(a, b)) / b;
    return int64(floorDivided(BigInt(a), BigInt(b)));
  }

  /** An operation of integers that only BigInt does right. */
  function exactly(operation) {
    return (a, b) => (undef(a) || undef(b) ? higher(a, b) : int64(operation(BigInt(a), BigInt(b))));
  }

  const bitAnd = exactly((a, b) => a & b);
  const bitOr = exactly((a, b) => a | b);
  const bitXor = exactly((a, b) => a ^ b);

  function shiftLeft(a, bits) {
    if (undef(a) || undef(bits)) return higher(a, bits);
    return bits < 0 || bits >= 64 ? NEITHER : int64(BigInt(a) << BigInt(bits));
  }

  function shiftRight(a, bits) {
    if (undef(a) || undef(bits)) return higher(a, bits);
    return bits < 0 || bits >= 64 ? NEITHER : int64(BigInt(a) >> BigInt(bits));
  }

  const negative = (a) => (undef(a) ? a : typeof a === "number" ? -a : int64(-a));
  const inverse = (a) => (undef(a) ? a : int64(~BigInt(a)));

  // --- floating-point numbers: the value of a scalar may be an integer

  function real(operation) {
    return (a, b) => (undef(a) || undef(b) ? higher(a, b) : operation(Number(a), Number(b)));
  }

  const realAdd = real((a, b) => a + b);
  const realSubtract = real((a, b) => a - b);
  const realMultiply = real((a, b) => a * b);
  const realDivide = real((a, b) => (b === 0 ? NEITHER : a / b));
  const realNegative = (a) => (undef(a) ? a : typeof a === "bigint" ? whole(-a) : -a);

  // --- comparisons

  /** Equality, of lists element by element; NaN equals nothing. */
  function same(a, b) {
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (let i = 0; i < a.length; i++) if (!same(a[i], b[i])) return false;
      return true;
    }
    if (typeof a === typeof b) return a === b;
    return isNumber(a) && isNumber(b) ? a == b : false;
  }

  const isNumber = (value) => typeof value === "number" || typeof value === "bigint";
  const includes = (items, item) => items.some((other) => same(item, other));

  const COMPARISONS = {
    "==": same,
    "!=": (a, b) => !same(a, b),
    "<": (a, b) => a < b,
    "<=": (a, b) => a <= b,
    ">": (a, b) => a > b,
    ">=": (a, b) => a >= b,
    in: (a, b) => includes(b, a),
    "not in": (a, b) => !includes(b, a),
  };

  function compare(op, a, b) {
    return undef(a) || undef(b) ? higher(a, b) : COMPARISONS[op](a, b);
  }

  /** `a < b < c`: the conjunction of its neighbouring comparisons. */
  function chain(ops, operands) {
    return threeValued(false, ops.map((op, i) => compare(op, operands[i], operands[i + 1])));
  }

  // --- logic

  function threeValued(decisive, values) {
    for (const value of values) if (value === decisive) return decisive;
    return worst(values) || !decisive;
  }

  const not = (a) => (undef(a) ? a : !a);

  /** A conjunction, or where `decisive` is true a disjunction, whose operands are asked for one after the other. */
  function joined(decisive, first, rest) {
    if (first === decisive) return decisive;
    let found = undef(first) ? first : null;
    for (const next of rest) {
      const value = next();
      if (value === decisive) return decisive;
      if (undef(value) && (found === null || value.cause > found.cause)) found = value;
    }
    return found || !decisive;
  }

  const and = (first, ...rest) => joined(false, first, rest);
  const or = (first, ...rest) => joined(true, first, rest);
  const choose = (condition, then, other) => (undef(condition) ? condition : condition ? then() : other());

  const given = (value) => (value === ABSENT ? true : value);

  function implies(guard, then) {
    if (guard === true) return given(then());
    if (guard === NO_DATA) return given(then()) === true || NO_DATA;
    return true;
  }

  // --- lists

  function all(source, statement, condition) {
    return quantified(false, source, condition ? (item) => or(not(condition(item)), () => statement(item)) : statement);
  }

  function any(source, statement, condition) {
    return quantified(true, source, condition ? (item) => and(condition(item), () => statement(item)) : statement);
  }

  function quantified(decisive, source, statement) {
    if (undef(source)) return source;
    let found = null;
    for (const item of source) {
      const value = statement(item);
      if (value === decisive) return decisive;
      if (undef(value) && (found === null || value.cause > found.cause)) found = value;
    }
    return found || !decisive;
  }

  /** A comprehension: an undefined condition counts before an undefined element. */
  function each(source, element, condition) {
    if (undef(source)) return source;
    const [conditions, elements] = [[], []];
    for (const item of source) {
      const kept = condition ? condition(item) : true;
      if (kept === false) continue;
      conditions.push(kept);
      elements.push(element(item));
    }
    return worst(conditions) || worst(elements) || elements;
  }

  /** A list of items, those of lists spliced in where `starred` says so. */
  function list(items, starred) {
    return worst(items) || (starred ? items.flatMap((item, i) => (starred[i] ? item : [item])) : items);
  }

  const concatenated = (a, b) => (undef(a) || undef(b) ? higher(a, b) : a.concat(b));

  function element(items, index) {
    if (undef(items) || undef(index)) return higher(items, index);
    if (typeof index === "bigint" || index < -items.length || index >= items.length) return NEITHER;
    return items[index < 0 ? index + items.length : index];
  }

  function slice(items, low, high) {
    return worst([items, low, high]) || items.slice(low === null ? 0 : Number(low), high === null ? undefined : Number(high));
  }

  /** How many elements a list has, or characters a text. */
  function length(items) {
    return undef(items) ? items : typeof items === "string" ? [...items].length : items.length;
  }

  function range(low, high) {
    if (undef(low) || undef(high)) return higher(low, high);
    const count = BigInt(high) - BigInt(low);
    if (count > opspec.vocabulary.mostInRange) return NEITHER;
    const start = BigInt(low);
    return Array.from({ length: Math.max(0, Number(count)) }, (_, i) => whole(start + BigInt(i)));
  }

  function zip(lists) {
    const found = worst(lists);
    if (found) return found;
    if (lists.some((items) => items.length !== lists[0].length)) return NEITHER;
    return lists[0].map((_, i) => lists.map((items) => items[i]));
  }

  /** A table's rows for {@link inTable}: a cell is a set of values, or null for any. */
  function rows(cells) {
    return cells.map((row) => row.map((cell) => cell && new Set(cell)));
  }

  /** Whether some row holds every value. */
  function inTable(table, values) {
    const found = worst(values);
    if (found) return found;
    return table.some((row) => row.every((cell, i) => cell === null || holds(cell, values[i])));
  }

  function holds(cell, value) {
    if (cell.has(value) || !isNumber(value) || isSafe(value)) return cell.has(value);
    return [...cell].some((item) => same(item, value)); // an integer and a double may be equal
  }

  // --- reading a call

  /** A value, or undefined when it is null. */
  const present = (value) => (value === null ? ABSENT : value);

  /** An element of a list, or undefined when it is null. */
  const item = (list, index) => present(element(list, index));

  /** Whether a pointer is null, or where `negated` is true whether it is not. */
  const isNull = (value, negated) => (undef(value) ? value : (value === null) !== negated);

  /** A reader of an attribute: undefined where its owner is. */
  function reader(read) {
    return (owner) => (owner === null ? ABSENT : undef(owner) ? owner : read(owner));
  }

  function numel(shape) {
    if (shape.some((dim) => dim < 0)) return NEITHER;
    if (shape.some((dim) => dim === 0)) return 0;
    return shape.reduce(multiply, 1);
  }

  function contiguousStrides(shape) {
    const strides = new Array(shape.length);
    let step = 1n;
    for (let i = shape.length - 1; i >= 0; i--) {
      strides[i] = whole(step);
      step *= shape[i] > 1 ? BigInt(shape[i]) : 1n;
    }
    return strides;
  }

  const read = {
    shape: reader((tensor) => tensor.shape),
    rank: reader((tensor) => tensor.shape.length),
    numel: reader((tensor) => numel(tensor.shape)),
    dtype: reader((owner) => owner.dtype),
    format: reader((tensor) => tensor.format),
    offset: reader((tensor) => tensor.offset),
    strides: reader((tensor) => {
      if (tensor.strides !== null) return tensor.strides;
      const found = contiguousStrides(tensor.shape);
      return found.length && found[0] > HIGH ? NEITHER : found;
    }),
    storage_shape: reader((tensor) => {
      if (tensor.storage_shape !== null) return tensor.storage_shape;
      return tensor.strides === null && tensor.offset === 0 ? tensor.shape : NO_DATA;
    }),
    storage_format: reader((tensor) => tensor.storage_format || tensor.format),
    values: reader((tensor) => (tensor.values === null || tensor.dtype.startsWith("COMPLEX") ? NO_DATA : tensor.values)),
    value: reader((scalar) => (scalar.value === null ? NO_DATA : scalar.value)),
  };

  /** Whether the call's product is one of the named ones, ids or members of one; true stands for the product itself. */
  function product(call, names, deny) {
    const found = threeValued(true, names.map((name) => isProduct(call, name)));
    return deny ? not(found) : found;
  }

  function isProduct(call, name) {
    if (name === true) return true;
    if (call.product === null) return NO_DATA;
    if (name === call.product || name === call.member) return true;
    return call.member === null && opspec.vocabulary.members[call.product].includes(name) ? NO_DATA : false;
  }

  /** What rules are evaluated against: a call's arguments in the order of the params, and derived values as they come. */
  class Call {
    constructor(args, lets, product, member) {
      this.args = args;
      this.lets = lets;
      this.known = new Map();
      this.product = product;
      this.member = member;
    }

    /** An argument, or undefined when it is null. */
    arg(place) {
      return present(this.args[place]);
    }

    /** A derived value, or undefined when it is null. */
    derived(number) {
      return present(this.let(number));
    }

    /** A derived value, which may be null. */
    let(number) {
      if (!this.known.has(number)) this.known.set(number, this.lets[number](this));
      return this.known.get(number);
    }
  }

  return {
    Undef, NEITHER, NO_DATA, ABSENT, LOW, HIGH, Call, undef, worst, whole, int64, floorDivided, add, subtract, multiply,
    modulo, floorDivide, bitAnd, bitOr, bitXor, shiftLeft, shiftRight, negative, inverse, realAdd, realSubtract,
    realMultiply, realDivide, realNegative, same, includes, compare, chain, not, and, or, choose, given, implies, all,
    any, each, list, concatenated, element, slice, length, range, zip, rows, inTable, present, item, isNull, read, product,
    contiguousStrides,
  };
})();
