"""The reference page of the spec format, from the models that read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from inspect import getdoc

from opspec.docs.reference import rendered
from opspec.model import spec as model
from opspec.model import values
from opspec.model.canonical import canonical
from opspec.model.enforcement import defaults
from opspec.model.ledger import KINDS
from opspec.model.schema import schema
from opspec.vocabulary import products

#: model -> what the page calls it, in the order of the page
MODELS: dict[type[values.Model], str] = {
    model.Spec: "A spec file",
    model.Param: "A param",
    values.Set: "A set with changes",
    values.Change: "A change of a set",
    values.Case: "A case of a property",
    model.Optional_: "When a param is optional",
    model.Derived: "A derived value",
    model.Rule: "A rule",
    model.Block: "A block of rules",
    model.Scenario: "A scenario",
    model.Alternative: "An alternative of a scenario",
    model.EarlySuccess: "An early success",
    model.Twin: "A twin",
    model.TwinParam: "A param of the twin",
    model.Helper: "A function beside the operator",
    model.Formula: "A formula",
    model.Deprecated: "A deprecated operator",
    model.Determinism: "Determinism",
    model.Remark: "A remark",
    model.Conflict: "A conflict of pages",
    model.ExampleCall: "The example",
    values.Bilingual: "A text in both languages",
}

#: model -> key -> how it is written; a test loads each of them
EXAMPLES: dict[type[values.Model], dict[str, str]] = {
    model.Spec: {
        "operator": "aclnnAddV3",
        "extends": "aclnnAdd",
        "without": "[alpha-castable]",
        "release": "9.1.0",
        "document": "ops-math/math__add/aclnnAddV3&aclnnInplaceAddV3.md",
        "header": "aclnnop/aclnn_add.h",
        "deprecated": "{successors: [aclnnAddV4]}",
        "summary": "{en: Adds a scaled tensor to a scalar., zh: 标量加上缩放后的张量。}",
        "formula": r'["out_i = self_i + \\alpha \\times other_i"]',
        "reference": '{out: "relu(self)"}',
        "small": "{self: 'FLOAT[2, 3]'}",
        "products": "{950: yes, 910b: yes, 310p: no}",
        "configured": "[950]",
        "deterministic": "yes",
        "interface": "single-phase",
        "generated_from": "AddRmsNormQuant",
        "looks_up": "MlaProlog",
        "kernel_parts": "{y: out, softmax_lse: none}",
        "stream": "const aclrtStream",
        "partial": "{en: The backward modes., zh: 反向模式。}",
        "sets": "{T: {any: [FLOAT, BFLOAT16], changes: [{on: [910], subtract: [BFLOAT16]}]}}",
        "words": "{recorded: {en: recorded calls show it, zh: 调用记录表明如此}}",
        "groups": "{older: [910, 310p]}",
        "params": "[{name: self, dtype: T}]",
        "let": '{N: "self.shape[-1]", K: {is: "self.shape[0]", en: rows of `self`, zh: "`self`的行数"}}',
        "rules": '{out-shape: "out.shape == broadcast(self.shape, other.shape)"}',
        "results": '{size: "prod(shape) * 2"}',
        "scenarios": '{modes: {alternatives: [{id: plain, rules: {no-mask: "mask is None"}}]}}',
        "early_success": '[{when: "self.numel == 0", after: shape}]',
        "stage": "tiling",
        "clauses": "{161002/self.rank: [self.rank, out.rank], products: [dtype]}",
        "remarks": "[{about: memory, en: Allocate 200 MB., zh: 需预留200 MB。, from: [constraint/on-size]}]",
        "conflicts": "[{between: [self/dtype, self.dtype/2], resolution: {en: the note, zh: 以注为准}}]",
        "twin": "{operator: aclnnInplaceAdd, rename: {self: selfRef, out: selfRef}}",
        "helpers": "[{function: aclnnWeightSize, params: [{name: shape, ctype: const aclIntArray*}]}]",
        "example": "{product: 910b, args: {self: 'FLOAT[2, 3]', alpha: FLOAT 1.0, out: 'FLOAT[2, 3]'}}",
    },
    model.Param: {
        "name": "self",
        "ctype": "const aclTensor*",
        "io": "out",
        "also": "[input]",
        "about": "{en: the addend, zh: 加数}",
        "optional": '{on: [910b], when: "mode == 0"}',
        "dtype": "[{on: [950], is: [FLOAT, FLOAT8_E5M2]}, {is: [FLOAT]}]",
        "format": "[ND, FRACTAL_NZ]",
        "rank": "2-8",
        "shape": '"(B, S, N, D)"',
        "dims": "B, N, S, D",
        "strided": "transposed",
        "empty": "no",
        "uniform": "[dtype, shape]",
        "length": '"<= 128"',
        "each": '"[0, n)"',
        "enum": "{0: {en: sum, zh: 求和}, 1: {en: mean, zh: 求平均}}",
        "range": '"[1, 65535]"',
        "reserved": '"null"',
    },
    values.Set: {"any": "[FLOAT, FLOAT16, BFLOAT16]", "changes": "[{on: [910, 310p], subtract: [BFLOAT16]}]"},
    values.Change: {
        "on": "[910, 310p]",
        "when": '"mode == 1"',
        "subtract": "[BFLOAT16]",
        "add": "[DOUBLE]",
        "replace": "[FLOAT16]",
    },
    values.Case: {"on": "[950]", "when": "\"layout == 'TND'\"", "is": "[FLOAT16]"},
    model.Optional_: {"on": "[910b]", "when": '"mode == 0"'},
    model.Derived: {
        "is": '"self.shape[:-1]"',
        "en": "the leading dims of `self`",
        "zh": '"`self`的前几维"',
    },
    model.Rule: {
        "check": "out same dtype as self",
        "when": '"biasOptional is not None"',
        "param": "out",
        "status": "ACLNN_ERR_PARAM_INVALID",
        "stage": "tiling",
        "step": "shape",
        "enforced": "no",
        "basis": "observed",
        "evidence": "{en: device values, zh: 值在Device侧}",
        "say": "{en: The sizes of `groups` add up to the rows of `self`, zh: '`groups`各组大小之和须等于`self`的行数'}",
        "fails": "{en: The sizes of `groups` do not add up, zh: '`groups`各组大小之和不等于`self`的行数'}",
        "contradicts": "[self.dtype]",
        "from": "[operands-broadcast, 161002/out-shape]",
    },
    model.Block: {
        "when": "blockTableOptional is not None",
        "rules": '{block-size: "blockSize % 16 == 0", cache: {check: "key.rank == 4", when: "mode == 1"}}',
    },
    model.Scenario: {
        "when": "\"product == '950'\"",
        "status": "ACLNN_ERR_PARAM_INVALID",
        "stage": "tiling",
        "enforced": "yes",
        "from": "[per-token]",
        "evidence": "{en: recorded calls, zh: 调用记录}",
        "say": "{en: '`scale` has one value per token or per channel', zh: '`scale`按token或按通道给出'}",
        "fails": "{en: '`scale` has values for neither tokens nor channels', zh: '`scale`既不按token也不按通道给出'}",
        "param": "x",
        "columns": "[x.dtype, out.dtype, bias]",
        "alternatives": '[{id: per-token, rules: {scale: "scale.rank == 1"}}]',
    },
    model.Alternative: {
        "id": "per-token",
        "about": "{en: quantised weight, zh: 伪量化}",
        "when": '"quantMode == 2"',
        "rows": "[[INT8, FLOAT16, null], [INT4, [FLOAT16, BFLOAT16], present]]",
        "shapes": '{scale: "(n,)"}',
        "rules": '{no-offset: "offset is None"}',
    },
    model.EarlySuccess: {"when": '"self.numel == 0"', "after": "shape", "evidence": "recorded calls"},
    model.Twin: {
        "operator": "aclnnInplaceAdd",
        "header": "aclnnop/aclnn_inplace_add.h",
        "rename": "{self: selfRef, out: selfRef}",
        "summary": "{en: Adds in place., zh: 原地相加。}",
        "params": "[{name: selfRef, dtype: [FLOAT, FLOAT16]}]",
        "rules": '{self-castable: "castable(other.dtype, selfRef.dtype)"}',
        "without": "[out-castable]",
    },
    model.TwinParam: {
        "name": "selfRef",
        "ctype": "const aclTensor*",
        "dtype": "[FLOAT, FLOAT16]",
        "format": "[ND]",
        "rank": "1-8",
    },
    model.Helper: {
        "function": "aclnnCalculateWeightSize",
        "summary": "{en: The size of a weight., zh: 权重大小。}",
        "params": "[{name: size, ctype: uint64_t*, io: out}]",
        "let": '{n: "len(shape)"}',
        "rules": '{rank: "n == 2"}',
        "clauses": "{161001/1: [shape.null]}",
        "results": '{size: "prod(shape)"}',
    },
    model.Formula: {
        "latex": r"y = x^2",
        "title": "{en: forward, zh: 正向}",
        "where": "{x: {en: an element of `self`, zh: '`self`的元素'}}",
    },
    model.Deprecated: {"successors": "[aclnnAddV4]"},
    model.Determinism: {"default": "no", "switchable": "yes", "by": "HCCL_DETERMINISTIC", "on": "[910b]"},
    model.Conflict: {
        "between": "[self/dtype, {en: the table of products, zh: 产品支持表}]",
        "resolution": "{en: the note, zh: 以注为准}",
    },
    model.Remark: {
        "about": "pairing",
        "en": "Pass the `handle` of the forward operator.",
        "zh": "传入前向算子的`handle`。",
        "param": "handle",
        "on": "[910b]",
        "from": "[handle/on-modes]",
    },
    model.ExampleCall: {"product": "910b", "args": "{self: 'FLOAT[2, 3]', sizes: [1, 2], mode: 0}"},
    values.Bilingual: {"en": "the addend", "zh": "加数"},
}


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a mapping: whether it must be there, what it may be, what it means, and how it is written."""

    name: str
    required: bool
    type: str
    meaning: str
    example: str


def format_reference() -> str:
    """The page as Markdown."""
    parts = [(title, getdoc(of) or "", list(keys(of))) for of, title in MODELS.items()]
    return rendered(
        "format.md.j2",
        parts=parts,
        example=canonical(EXAMPLE, "example"),
        derived=_DERIVED,
        kinds=", ".join(f"`{kind}`" for kind in KINDS),
        defaults=defaults(),
        standing=defaults("apart"),
        products=list(_products()),
    )


def _products() -> Iterator[tuple[str, str, str]]:
    for name in products.ids():
        members = products.members(name)
        shown = "; ".join(f"`{member}`: {products.name(member, 'en')}" for member in members)
        yield name, shown, products.name(name, "en")


#: a spec that shows what most specs need
EXAMPLE = """\
# One operator; its in-place twin is made from it.
operator: aclnnScaledAdd
document: ops-math/math__scaled_add/aclnnScaledAdd.md  # the vendor's page
summary: {en: Adds a scaled tensor., zh: 加上缩放后的张量。}
products: {910b: yes, 910: yes, 310p: no}
sets:
  T: {any: [FLOAT, FLOAT16, BFLOAT16], changes: [{on: [910], subtract: [BFLOAT16]}]}
params:
  - {name: self, dtype: T, rank: 0-8}
  - {name: other, dtype: same as self, rank: 0-8}
  - {name: alphaOptional, ctype: const aclScalar*, optional: yes}
  - {name: out, io: out, dtype: T}
let:
  common: "broadcast(self.shape, other.shape)"  # a derived value, read by rules
rules:
  # an id that never changes its meaning, and what must hold; the clauses of the page that say so have the same names
  operands-broadcast: "broadcastable(self.shape, other.shape)"
  out-same-dtype: out same dtype as self
  out-shape: {check: "out.shape == common", from: [operands-broadcast/2]}  # and one more clause says it
  alpha-floating:
    check: "is_floating(alphaOptional.dtype)"
    when: "product == '910'"
clauses:  # which rules that params make formalise a clause, where its name does not say that
  161002/self.dtype: [self.dtype, other.dtype]
twin: {operator: aclnnInplaceScaledAdd, rename: {self: selfRef, out: selfRef}}
example:
  product: 910b
  args: {self: "FLOAT[2, 3]", other: "FLOAT[3]", out: "FLOAT[2, 3]"}
"""

#: property of a param -> the rules that it makes, and their kinds
_DERIVED = (
    ("products: {X: no}", "`product`", "product"),
    ("configured", "`product.excluded`", "product"),
    ("optional", "`PARAM.null`, unless it is yes", "null"),
    ("(of a list)", "`PARAM.elements`: no element is null", "elements"),
    ("reserved", "`PARAM.reserved`", "reserved"),
    ("dtype", "`PARAM.dtype`", "dtype; of a scalar scalar-dtype; `same as` dtype-relation"),
    ("uniform", "`PARAM.uniform-dtype` …", "uniform"),
    ("format", "`PARAM.format`, `PARAM.private-format`", "format, private-format; `same as` format-relation"),
    ("rank", "`PARAM.rank`", "rank; `same as` rank-relation"),
    ("shape", "`PARAM.rank`, `PARAM.shape`", "rank, shape; `same as` shape-relation"),
    ("strided", "`PARAM.strided`, unless it is yes", "strided"),
    ("empty", "`PARAM.empty`, where it is no", "empty"),
    ("enum", "`PARAM.enum`", "enum"),
    ("range", "`PARAM.range`", "range"),
    ("length", "`PARAM.length`", "length"),
    ("each", "`PARAM.each`", "each"),
    (
        "generated_from",
        "`PARAM.required`, `kernel.product`, `product.excluded`, `PARAM.tensors`, `kernel.combination`",
        "null, product, kernel",
    ),
    ("looks_up", "`PARAM.tensors`, `kernel.combination`", "kernel"),
)


def keys(of: type[values.Model]) -> Iterator[Key]:
    """The keys of a mapping, in their canonical order."""
    described = schema(of)
    whole = described if "properties" in described else described["$defs"][of.__name__]
    required = whole.get("required", [])
    for name, field in of.model_fields.items():
        key = field.alias or name
        kind = _type(whole["properties"][key], described.get("$defs", {}))
        yield Key(key, key in required, kind, field.description or "", EXAMPLES[of][key])


def _type(part: dict[str, object], named: dict[str, dict[str, object]]) -> str:
    """What a JSON Schema allows, in a few words."""
    options = part.get("anyOf") or part.get("oneOf")
    if isinstance(options, list):
        found = dict.fromkeys(_type(option, named) for option in options)
        return " or ".join(kind for kind in found if kind != "null")
    reference = part.get("$ref")
    if isinstance(reference, str):
        name = reference.rsplit("/", 1)[-1]
        return _NAMES.get(name.split("_")[0], name) if name in named else name
    values = part.get("enum", [part["const"]] if "const" in part else [])
    if isinstance(values, list) and values:
        words = [value for value in values if isinstance(value, str)]
        return "yes or no" if set(words) == {"yes", "no"} else " or ".join(f"`{word}`" for word in words)
    kind = part.get("type")
    if kind == "array":
        items = part.get("items")
        return f"list of {_type(items, named)}" if isinstance(items, dict) else "list"
    if kind == "object":
        return "mapping"
    return "yes or no" if kind == "boolean" else "null" if kind == "null" else "text"


_NAMES = {
    "Bilingual": "{en, zh}", "Set": "set", "Case": "case", "Optional": "{on, when}", "Param": "param", "Rule": "rule",
    "Block": "block",
    "Derived": "{is, en, zh}",
    "Change": "change", "Twin": "twin", "TwinParam": "param", "Helper": "helper", "Formula": "formula",
    "Determinism": "{default, switchable, by, on}", "Deprecated": "{successors}",
    "Conflict": "conflict", "Remark": "remark", "ExampleCall": "{product, args}",
    "Scenario": "scenario", "Alternative": "alternative",
    "EarlySuccess": "{when, after}", "JsonValue": "JSON", "Dtypes": "list of dtypes", "Formats": "list of formats",
}  # fmt: skip
