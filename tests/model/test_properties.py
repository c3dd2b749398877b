"""Promise: a property in a form that it may not have is an error at its place that says which form is accepted."""

from __future__ import annotations

import re

import pytest

from opspec.errors import OpspecError
from opspec.model.load import load_text
from opspec.model.spec import Param, Spec
from opspec.model.values import FORMS
from tests.model.building import spec
from tests.model.test_places import word_at

#: the properties that a param may have beside its name, C type, direction and meaning
PROPERTIES = [name for name in Param.model_fields if name not in ("name", "ctype", "io", "about")]
CASES = ("dtype", "format", "rank", "shape", "length", "each", "enum", "range")

WRONG = (
    "[{iz: FLOAT}]", "[{when: n > 0, iz: [FLOAT]}]", "[{when: n > 0, any: [FLOAT]}]", "[{on: [A3], any: [FLOAT]}]",
    "[FLOAT, {is: INT8}]", "[{is: [{is: FLOAT}]}]", "[{is: {iz: FLOAT}}]", "[[[FLOAT]]]", "{iz: [FLOAT]}",
    "{on: [A3], iz: yes}", "{on: [A4]}", "[{on: A3, is: FLOAT}]", "{any: FLOAT, changes: 3}", "[null]",
)  # fmt: skip


def faults(key: str, value: str) -> tuple[str, list[OpspecError]]:
    """A spec with a param of which a property is so, and what is wrong with it."""
    text = spec(
        f"params:\n  - {{name: n, ctype: int64_t}}\n  - name: x\n    ctype: const aclTensor*\n    {key}: {value}\n"
    )
    with pytest.raises(OpspecError) as caught:
        load_text(text, "x.yaml")
    return text, list(caught.value.faults)


@pytest.mark.parametrize(
    ("key", "value"),
    # a mapping is a form of an enum: values with their meanings
    [(key, value) for key in PROPERTIES for value in WRONG if key != "enum" or value != "{any: FLOAT, changes: 3}"],
)
def test_a_property_in_a_wrong_form_is_told_at_its_place_with_the_form_that_is_accepted(key: str, value: str) -> None:
    text, found = faults(key, value)
    said = "\n".join(fault.message for fault in found)
    assert re.search(r"expected|here stands|should be a valid|unknown product id", said), said
    assert not re.search(r"Annotated|instance of|Case\[|Traceback", said), said
    line = text[: text.index(f"    {key}: ")].count("\n") + 1
    assert all(fault.where.startswith(f"x.yaml:{line}:") for fault in found), found


@pytest.mark.parametrize("key", CASES)
@pytest.mark.parametrize("wrong", ["iz", "any"])
@pytest.mark.parametrize("ahead", ["", "when: n > 0, ", "on: [A3], "])
def test_a_case_without_is_names_the_wrong_key_and_shows_a_case(key: str, wrong: str, ahead: str) -> None:
    text, found = faults(key, f"[{{{ahead}{wrong}: [FLOAT]}}]")
    assert any(word_at(text, fault.where) == wrong for fault in found if f"unknown key '{wrong}'" in fault.message)
    assert all(FORMS["cases"] in fault.message for fault in found)


@pytest.mark.parametrize("args", ["text", "[1]", "null", "5"])
def test_arguments_of_an_example_that_are_no_mapping(args: str) -> None:
    text = spec(f"params: [{{name: n, ctype: int64_t}}]\nexample:\n  args: {args}\n")
    with pytest.raises(OpspecError, match=r"^x\.yaml:7:9: expected a mapping {name: value} \(arguments by param: "):
        load_text(text, "x.yaml")


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("optional: [{when: x.rank == 1}]", "expected yes, no or {on: [products], when: condition}, found"),
        ("reserved: [a]", "expected a text (`null`, or the one value allowed), found"),
        ("about: [a]", "expected {en, zh}, found"),
        ("also: 3", "expected a list (other spellings: "),
        ("empty: [a]", "expected yes or no, found"),
    ],
)
def test_a_value_of_another_type_names_the_accepted_form(written: str, form: str) -> None:
    text = spec(f"params:\n  - {{name: n, ctype: const aclTensor*, {written}}}\n")
    with pytest.raises(OpspecError) as caught:
        load_text(text, "x.yaml")
    assert form in str(caught.value)


@pytest.mark.parametrize("key", sorted(Spec.model_fields))
@pytest.mark.parametrize("value", ["text", "[a]", "{a: [b]}", "5"])
def test_no_message_is_the_validation_librarys_own(key: str, value: str) -> None:
    """Whatever stands at a key of a spec."""
    body = {"operator": "aclnnX", "release": "9.9", "products": "{910b: yes}", "params": "[]"} | {key: value}
    text = "".join(f"{name}: {item}\n" for name, item in body.items())
    said = []
    try:
        load_text(text, "x.yaml")
    except OpspecError as error:
        said.append(str(error))
    assert "nput should be" not in "".join(said)
