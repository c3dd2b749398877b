"""JSON Schemas of a call and of a verdict: for editors, and for programs that write the one and read the other."""

from __future__ import annotations

from typing import Any

from opspec.validator.convert import INT64_MAX, INT64_MIN, MAX_RANK, NON_FINITE, UINT64_MAX
from opspec.validator.read import FREE, RECORDED
from opspec.vocabulary import dtypes, enforcement
from opspec.vocabulary.literals import STAGES

Schema = dict[str, Any]

#: who may say what a rule says: :attr:`opspec.validator.verdict.Finding.basis`
BASES = ("documented", "definition", "inferred", "observed")

#: in what a call and a legal one near it may differ: :data:`opspec.assist.repair.changes.WEIGHTS`
CHANGES = (
    "dtype", "shape", "format", "strides", "storage_shape", "storage_format", "offset", "values", "value", "length",
    "dropped", "without", "given", "product", "operator",
)  # fmt: skip

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_INT64 = {"type": "integer", "minimum": INT64_MIN, "maximum": INT64_MAX}
_TEXT: Schema = {"type": ["string", "number", "null"]}  # a number stands for its text: YAML reads 910 as one


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def optional(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def object_of(required: Schema, optional: Schema | None = None) -> Schema:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": [*required],
        "additionalProperties": False,
    }


def _wrapped(kind: str, inner: Schema) -> Schema:
    """``{"tensor": …}``; null inside is the null pointer, too."""
    return object_of({kind: optional(inner)})


def call() -> Schema:
    """JSON Schema of a call. Which params an operator has and of which kinds they are, its spec says."""
    said = {
        "op": {"type": "string", "minLength": 1, "description": "the operator: aclnnX"},
        "args": {
            "type": "object",
            "description": "arguments by param name, without workspace size and executor",
            "additionalProperties": _ref("argument"),
        },
    }
    more = {
        "product": {**_TEXT, "description": "the product, in any spelling"},
        "release": {**_TEXT, "description": "the CANN release to judge by"},
        "id": {**_TEXT, "description": "the caller's own name for the call, which comes back in the verdict"},
        "expect": {**_TEXT, "description": "of a recorded call: the status that it returned"},
        "unknown": {
            "description": "of a recorded call: params that could not be recorded; such a call is not judged",
            **list_of({"type": "string"}),
        },
        **dict.fromkeys(RECORDED, True),
        "change": {**_TEXT, "description": "of a recorded call: how it was made"},
    }
    return {
        "$schema": DRAFT,
        "title": "a call that opspec judges",
        **object_of(said, more),
        "patternProperties": {f"^({'|'.join(FREE)})": True},
        "$defs": _arguments(),
    }


def _arguments() -> Schema:
    """The forms of arguments by kind, and any of them."""
    number = {"anyOf": [{"type": "number"}, {"enum": [*NON_FINITE]}]}
    one = {"anyOf": [_ref("number"), {"type": "boolean"}, {**list_of(_ref("number")), "minItems": 2, "maxItems": 2}]}
    dims = {**list_of({"type": "integer", "minimum": 0, "maximum": INT64_MAX}), "maxItems": MAX_RANK}
    name = {"type": ["string", "integer"]}
    tensor = object_of(
        {"shape": dims, "dtype": name},
        {
            "format": optional(name),
            "strides": optional({**list_of(_INT64), "maxItems": MAX_RANK}),
            "offset": optional(_INT64),
            "storage_shape": optional(dims),
            "storage_format": optional(name),
            "values": optional(_ref("values")),
            "range": optional({**list_of(one), "minItems": 2, "maxItems": 2}),
        },
    )
    scalar = object_of({"dtype": name}, {"value": optional(one)})
    forms = {
        "tensor": _either("tensor", tensor),
        "tensor_list": _bare_or_wrapped("tensor_list", optional(_ref("tensor"))),
        "scalar": _either("scalar", scalar),
        "scalar_list": _bare_or_wrapped("scalar_list", _ref("scalar")),
        "int_array": _bare_or_wrapped("int_array", _INT64),
        "float_array": _bare_or_wrapped("float_array", _ref("number")),
        "bool_array": _bare_or_wrapped("bool_array", {"anyOf": [{"type": "boolean"}, {"enum": [0, 1]}]}),
        "int": {"type": "integer", "minimum": INT64_MIN, "maximum": UINT64_MAX},
        "float": _ref("number"),
        "bool": {"anyOf": [{"type": "boolean"}, {"enum": [0, 1]}]},
        "string": {"type": "string", "pattern": "^[^\\u0000]*$"},
        "dtype": {"anyOf": [object_of({"dtype": name}), name]},
        "pointer": object_of({"pointer": {"enum": [True, None]}}),
    }
    null = {"type": "null", "description": "the null pointer"}
    return {
        "argument": {"anyOf": [null, *map(_ref, forms)]},
        "number": number,
        "values": {"anyOf": [_ref("number"), {"type": "boolean"}, list_of(_ref("values"))]},
        **forms,
    }


def _either(kind: str, inner: Schema) -> Schema:
    return {"anyOf": [_wrapped(kind, inner), inner]}


def _bare_or_wrapped(kind: str, items: Schema) -> Schema:
    return {"anyOf": [_wrapped(kind, list_of(items)), list_of(items)]}


def verdict() -> Schema:
    """JSON Schema of a verdict, as ``opspec check --output json`` and ``Verdict.to_dict`` give it."""
    fixes = {
        "fixes": {**list_of(_ref("fix")), "description": "with --fix: legal calls near this one, the nearest first"}
    }
    return {
        "$schema": DRAFT,
        "title": "a verdict of opspec on a call",
        **object_of(_verdict(), fixes),
        "$defs": {"finding": _finding(), **_fixes()},
    }


def fix() -> Schema:
    """JSON Schema of a line of ``opspec repair --output jsonl``: a verdict, and the legal calls near the call."""
    return {
        "$schema": DRAFT,
        "title": "a verdict of opspec on a call, with legal calls near it",
        **object_of({**_verdict(), "fixes": list_of(_ref("fix"))}),
        "$defs": {"finding": _finding(), **_fixes()},
    }


def explained() -> Schema:
    """JSON Schema of what ``opspec explain --output json`` writes."""
    text = {"type": "string"}
    on_product = object_of(
        {"enforcement": {"enum": [*enforcement.ALL]}},
        {"takes": {**optional(list_of(text)), "description": "of a set of dtypes or formats; null for any"}},
    )
    rule = {
        "op": text,
        "rule": {**text, "description": "release/operator/rule"},
        "param": optional(text),
        "score": {"type": "number", "description": "how much speaks for it; the first has most"},
        "by_status": {"type": "boolean", "description": "whether little more than the status speaks for it"},
        "requires": text,
        "change": {**text, "description": "what is likely to mend the call"},
        "enforcement": {"enum": [*enforcement.ALL]},
        "assumed": {"type": "boolean", "description": "no call recorded of the release shows that enforcement"},
        "status": {"type": "integer"},
        "stage": {"enum": [*STAGES]},
        "source": optional(text),
        "products": {
            "type": "object",
            "additionalProperties": on_product,
            "description": "empty where they do not differ",
        },
    }
    stated = {"path": {**text, "description": "x.dtype, x.shape[0], x"}, "value": {}}
    failure = {
        "line": {"type": "integer", "description": "where in the log it begins"},
        "times": {"type": "integer"},
        "op": optional(text),
        "unknown": {**optional(text), "description": "an operator that no spec describes"},
        "product": optional(text),
        "cann": {**optional(text), "description": "the version of CANN, as the log has it"},
        "torch_npu": optional(text),
        "frame": {**optional(text), "description": "the place in a Python program: file:line"},
        "messages": list_of(text),
        "causes": {
            **list_of(object_of({"cause": text, "meaning": text, "look": text})),
            "description": "what the messages tell of that is no argument, and where to look",
        },
        "page_allows": {
            **optional({"type": "boolean"}),
            "description": "whether the page allows what was refused; null where that is not known",
        },
        "maybe": {**list_of(text), "description": "operators that may have started the kernel that is named"},
        "codes": list_of(object_of({"code": text, "meaning": text, "advice": optional(text)})),
        "rules": list_of(object_of(rule)),
        "release": {**optional(text), "description": "whose rules are looked at"},
        "version": {**optional(text), "description": "the version of CANN that the log or the machine tells, if any"},
        "template": {**optional({"type": "object"}), "description": "a legal call of the operator, to begin with"},
        "failing": {
            **optional({"type": "object"}),
            "description": "that call with what the messages object to, where that is known",
        },
        "holds": {**list_of(object_of(stated)), "description": "what the messages say of arguments and is so in it"},
        "lacks": {
            **list_of(object_of(stated)),
            "description": "what they say and is not: what is wrong, or what no legal call was found with",
        },
    }
    return {"$schema": DRAFT, "title": "failures that opspec explains", **list_of(object_of(failure))}


def _fixes() -> Schema:
    """Definitions of a fix and of what it changes."""
    text = {"type": "string"}
    change = {
        "params": {**list_of(text), "description": "x, or x[0]; none of a product or an operator"},
        "kind": {"enum": [*CHANGES]},
        "from": text,
        "to": text,
        "lost": {"enum": [*dtypes.LOSSES, None], "description": "what values may lose by it"},
        "message": text,
    }
    call = {"op": text, "release": text, "product": optional(text), "args": {"type": "object"}}
    said = {
        "message": text,
        "changes": list_of(object_of(change)),
        "distance": {"type": "number", "description": "about 1 for a change of one argument"},
        "call": {**object_of(call), "description": "as opspec check reads it"},
    }
    return {"fix": object_of(said)}


def _finding() -> Schema:
    text = {"type": "string"}
    finding = {
        "rule": {**text, "description": "the rule's id within the operator"},
        "param": optional(text),
        "message": text,
        "expected": text,
        "actual": text,
        "source": optional(text),
        "status": {"type": "integer"},
        "stage": {"enum": [*STAGES]},
        "basis": {"enum": [*BASES]},
        "enforcement": {"enum": [*enforcement.ALL, None]},
        "assumed": {"type": "boolean", "description": "no call recorded of the release shows that enforcement"},
        "page": text,
    }
    return object_of(finding)


def _verdict() -> Schema:
    text = {"type": "string"}
    return {
        "id": {**optional(text), "description": "the call's own"},
        "op": text,
        "release": text,
        "product": optional(text),
        "support": {"enum": ["yes", "no", "unknown", None], "description": "what the page says of the product"},
        "status": {**text, "description": "the status that the first phase is expected to return"},
        "code": {"type": "integer"},
        "legal": {"type": "boolean", "description": "whether every rule is kept but contradicted ones"},
        "violations": list_of(_ref("finding")),
        "warnings": list_of(_ref("finding")),
        "undecided": list_of(_ref("finding")),
    }


def inference() -> Schema:
    """JSON Schema of what ``opspec infer --output json`` and ``Inference.to_dict`` give."""
    text: Schema = {"type": "string"}
    of_verdict = verdict()
    tensor = {
        "shape": {
            **optional(list_of({"type": "integer", "minimum": 0})),
            "description": "null: the rules leave it open",
        },
        "dtype": {**optional(text), "description": "a likely one where it is not determined"},
        "format": optional(text),
        "determined": {
            **list_of({"enum": ["shape", "dtype", "format"]}),
            "description": "what follows from the inputs",
        },
    }
    said = {
        "op": text,
        "release": text,
        "product": optional(text),
        "determined": {"type": "boolean", "description": "whether shape and dtype of every output follow"},
        "outputs": {
            "type": "object",
            "description": "by param; a list where the param is one; null where its number of tensors is open",
            "additionalProperties": {"anyOf": [_ref("output"), list_of(_ref("output")), {"type": "null"}]},
        },
        "against": {
            **list_of(text),
            "description": "rules that the inputs break, or that cannot hold beside the others",
        },
        "verdict": {**optional(_ref("verdict")), "description": "on the call with these outputs"},
    }
    shown = {key: of_verdict[key] for key in ("type", "properties", "required", "additionalProperties")}
    return {
        "$schema": DRAFT,
        "title": "what opspec infers of a call's outputs",
        **object_of(said),
        "$defs": {**of_verdict["$defs"], "output": object_of(tensor), "verdict": shown},
    }
