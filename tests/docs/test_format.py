"""The reference of the spec format: every key is there, described, with an example that the models take."""

from __future__ import annotations

import pytest

from opspec.docs.format import _DERIVED, EXAMPLE, EXAMPLES, MODELS, format_reference
from opspec.model import spec as model
from opspec.model import values
from opspec.model.enforcement import defaults
from opspec.model.example import example_of
from opspec.model.load import load_text
from opspec.model.schema import schema
from opspec.validator.arguments import arguments
from opspec.validator.judge import judge
from opspec.yamltext import Tree, read
from tests.language.differential import form_of
from tests.paths import REPOSITORY

KEYS = [(of, key) for of in MODELS for key in EXAMPLES[of]]


def value(of: type[values.Model], key: str) -> Tree:
    """The example of a key, as a file gives it."""
    written = read(f"{key}: {EXAMPLES[of][key]}\n", "example").value
    assert isinstance(written, dict)
    return written[key]


def required(of: type[values.Model]) -> dict[str, Tree]:
    """The keys that a mapping must have."""
    names = [field.alias or name for name, field in of.model_fields.items() if field.is_required()]
    found = {name: value(of, name) for name in names} | ({"en": "a text"} if of is model.Remark else {})
    return {**found, "on": ["910"], "subtract": ["BFLOAT16"]} if of is values.Change else found


@pytest.mark.parametrize(("of", "key"), KEYS, ids=[f"{of.__name__}.{key}" for of, key in KEYS])
def test_an_example_is_what_the_format_takes(of: type[values.Model], key: str) -> None:
    given = required(of)
    if of is values.Change and key in ("add", "replace"):
        del given["subtract"]
    if of is model.Rule and key in ("basis", "contradicts"):
        given |= {"basis": "observed", "evidence": value(of, "evidence")}
    assert of.model_validate({**given, key: value(of, key)})


def test_every_key_of_every_mapping_is_described() -> None:
    for of in MODELS:
        assert set(EXAMPLES[of]) == {field.alias or name for name, field in of.model_fields.items()}
        assert all(field.description for field in of.model_fields.values()), of


def test_every_property_of_the_schema_has_a_description() -> None:
    found = schema()
    for name, part in {"spec": found, **found["$defs"]}.items():
        for key, item in part.get("properties", {}).items():
            assert "description" in item, f"{name}.{key}"


def test_the_committed_reference_is_that_of_these_models() -> None:
    assert (REPOSITORY / "specs" / "FORMAT.md").read_text(encoding="utf-8") == format_reference()


def test_the_example_at_the_top_is_clean() -> None:
    """It loads, and its own example is legal."""
    loaded = load_text(EXAMPLE, "9.1.0/math/aclnnScaledAdd+aclnnInplaceScaledAdd.yaml")
    for definition in loaded.definitions:
        _, args = example_of(definition)
        form = form_of(definition)
        verdict = judge(form, arguments(definition.name, form.params, args), "910b")
        assert verdict.legal, verdict.to_dict()


def test_every_kind_of_rule_that_params_make_is_listed() -> None:
    listed = " ".join(kind for _, _, kind in _DERIVED)
    own = {"relation", "promotion-result", "rank-limit"}
    assert all(row[0] in listed for row in defaults() if row[0] not in own)
