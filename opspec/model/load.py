"""From a file to definitions: text, model, expansion; every fault becomes ``file:line:column: message``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from opspec import archive
from opspec.errors import OpspecError, SpecError, did_you_mean, several, shown
from opspec.model import spec as model
from opspec.model import values
from opspec.model.beside import LONGEST_CHAIN, operators_beside, releases_beside, spec_beside
from opspec.model.defaults import spelled_out
from opspec.model.definition import Definition
from opspec.model.derived import filled, with_ctypes, with_release
from opspec.model.draft import Path
from opspec.model.evidence import Witnesses, evidence_instead, evidence_of
from opspec.model.expand import NOBODY, define
from opspec.model.inherit import inherited
from opspec.model.kernels import Kernel, kernel_of
from opspec.model.ledger import Clause, clauses, path_beside, read_ledger
from opspec.model.neighbours import neighbours_of
from opspec.model.param_changes import origin
from opspec.model.spec import Spec
from opspec.model.twin import twin_of
from opspec.model.written import opened, place
from opspec.yamltext import Document, Place, Tree, locate, read, read_file, value_at, within


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a spec and, where it extends another one, that one's.

    Args:
        own: what the file itself says, blocks and names put aside.
        value: the whole spec: what it says, what it inherits, and what its folder and its operator's name tell.
    """

    document: Document
    own: dict[str, Tree]
    value: dict[str, Tree]
    parent: Source | None = None

    @property
    def other_release(self) -> Source | None:
        """The spec of the same operator in another release that it extends."""
        other = self.parent
        return other if other is not None and other.value.get("release") != self.value.get("release") else None

    @property
    def root(self) -> Source:
        """The spec that all others stand on."""
        return self if self.parent is None else self.parent.root

    def home(self, path: Path, column: int = 0) -> tuple[Document, Path, int]:
        """The file in which a part of the whole spec is said, its path there, and the column of a text there."""
        here = path if self.parent is None else _own_path(self.own, self.value, path)
        if here is None and self.parent is not None:
            return self.parent.home(_elsewhere(self, path), column)
        written = self.document.value
        return self.document, *place(written if isinstance(written, dict) else {}, here or (), column)

    def where(self, path: Path, column: int = 0) -> str:
        """``file:line:column`` of a part of the whole spec."""
        document, own, column = self.home(path, column)
        return _named(document, _place(document, own, column))


@dataclass(frozen=True, slots=True)
class Loaded:
    """A spec file, read: its text's tree and places, its model, and the definitions of its operators.

    Args:
        spec: with all that it inherits, its sets and defaults spelled out.
    """

    source: Source
    spec: Spec
    definitions: tuple[Definition, ...]

    @property
    def document(self) -> Document:
        """The file's own text."""
        return self.source.document

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of its page, and what became of them."""
        return clauses(self.document.name, self.definitions[0].places)

    def where(self, path: Path, column: int = 0) -> str:
        """``file:line:column`` of a place in the spec."""
        return self.source.where(path, column)


#: finds the text of the spec of an operator that another one extends
Find = Callable[[str], Document]
#: finds what was recorded of an operator's rules: by its spec and its name
FindEvidence: TypeAlias = "Callable[[Source, str], Witnesses]"


def load_file(path: str) -> Loaded:
    """Read a spec file, with what it extends and what is recorded of its rules.

    Raises:
        OpspecError: the file cannot be read, is no YAML, does not fit the model, or means nothing; all its faults
            that one pass can find are in the message, one a line.
    """
    return load_document(_document(path), path)


def load_bytes(spec: bytes, path: str) -> Loaded:
    """Read a spec file of which the bytes are at hand, as :func:`load_file` does."""
    return load_document(read(spec, path), path)


def load_document(document: Document, path: str) -> Loaded:
    """A spec file whose text is read."""
    return _load(document, lambda operator: beside(path, operator), _recorded)


def spec_file(path: str) -> Spec:
    """The model of a spec file, with what it extends, its sets and defaults spelled out; its expressions are not read.

    Raises:
        OpspecError: as :func:`load_file`.
    """
    return spelled_out(validated(whole(_document(path), lambda operator: beside(path, operator))))


def load_text(text: str | bytes, name: str = "spec") -> Loaded:
    """Read a spec from text; what it extends is looked for beside the file ``name``."""
    return _load(read(text, name), lambda operator: beside(name, operator), lambda *_: NOBODY)


def beside(path: str, extended: str) -> Document:
    """The text of the spec that the one at ``path`` extends: an operator of the same release, or ``RELEASE/OPERATOR``.

    Raises:
        OpspecError: there is none.
    """
    found = spec_beside(path, extended)
    if found is None:
        raise _not_there(path, extended)
    return _document(found)


def _document(path: str) -> Document:
    """The text of a spec file."""
    try:
        state = archive.state(path)
    except (OSError, ValueError):
        return read_file(path)  # which says why
    return _kept(path, *state)


@lru_cache(maxsize=16)
def _kept(path: str, *_state: int) -> Document:
    """The text of a file that was read: other releases extend it, one after the other."""
    return read_file(path)


def _not_there(path: str, extended: str) -> OpspecError:
    """The error that there is no spec as a file says that it extends, with what may have been meant."""
    release, _, operator = extended.rpartition("/")
    known = releases_beside(path)
    if release and release not in known:
        return OpspecError(f"there is no release {shown(release)}{did_you_mean(release, known)}")
    where = f"release {shown(release)}" if release else "this release"
    hint = did_you_mean(operator, operators_beside(path, extended))
    return OpspecError(f"the extended operator {shown(operator)} has no spec in {where}{hint}")


def _load(document: Document, find: Find, evidence: FindEvidence) -> Loaded:
    source = whole(document, find)
    spec = validated(source)
    places = read_ledger(path_beside(document.name)).places
    try:
        known = evidence(source, spec.operator)
        first = define(spec, known, _kernel(source, spec), places, document.name)
        second = twin_of(first, known if spec.twin is None else evidence(source, spec.twin.operator))
    except SpecError as error:
        raise _several(_in_file(source, fault) for fault in error.faults) from None
    return Loaded(source, first.spec, (first,) if second is None else (first, second))


def _recorded(source: Source, operator: str) -> Witnesses:
    """What was recorded of an operator's rules, on its release and on the one that its spec stands on, else what stands
    in for that, and there of its neighbours."""
    own, other = source.document.name, source.other_release
    base = own if other is None else other.document.name
    document = source.value.get("document") if other is None else other.value.get("document")
    neighbours = neighbours_of(base, document if isinstance(document, str) else None)
    mine, others = evidence_of(own, operator), {} if other is None else evidence_of(base, operator)
    return Witnesses(mine, others, {} if mine or others else evidence_instead(base, operator), neighbours)


def _kernel(source: Source, spec: Spec) -> Kernel | None:
    """The kernel that says what a spec's interface looks up: of the release that the spec stands on."""
    if spec.kernel is None:
        return None
    try:
        return kernel_of(source.root.document.name, spec.kernel)
    except OpspecError as error:
        raise SpecError(error.message, path=(spec.kernel_key,)) from None


def whole(document: Document, find: Find, chain: tuple[str, ...] = ()) -> Source:
    """A document with what it extends.

    Raises:
        OpspecError: it is no mapping, or what it extends is not there, extends this one, or lacks what it refers to.
    """
    if not isinstance(document.value, dict):
        raise _at(document, _place(document, ()), "a spec is a mapping with 'operator', 'products', 'params' …")
    try:
        own = opened(document.value)
    except SpecError as error:
        faults = [fault for fault in error.faults if isinstance(fault, SpecError)]
        raise _several(_at(document, _place(document, fault.path), fault.message) for fault in faults) from None
    name = own.get("extends")
    told = with_release(own, document.name)
    if not isinstance(name, str):
        return Source(document, own, filled(with_ctypes(told)))
    if name in chain or len(chain) > LONGEST_CHAIN:
        raise _at(document, _place(document, ("extends",)), f"specs extend each other: {' -> '.join((*chain, name))}")
    try:
        text = find(name)
        near = find if "/" not in name else lambda operator: beside(text.name, operator)
        parent = whole(text, near, (*chain, str(own.get("operator"))))
        return Source(document, own, inherited(parent.value, told, stated(document.name)), parent)
    except OpspecError as error:
        raise _several(_in_extending(document, fault) for fault in error.faults) from None


def _in_extending(document: Document, fault: OpspecError) -> OpspecError:
    """A fault of what a file says of another spec; one without a place of its own is one of `extends`."""
    if fault.where:
        return fault
    path = (fault.path if isinstance(fault, SpecError) else ()) or ("extends",)
    path, _ = place(document.value if isinstance(document.value, dict) else {}, path)
    key = not isinstance(value_at(document, path), str)  # what is wrong with the whole of an entry is its name
    return _at(document, locate(document, path, key=key), fault.message)


def stated(path: str) -> Collection[str] | None:
    """The ids of the clauses that the page of a spec file has; None where no ledger lies beside it.

    Raises:
        OpspecError: the ledger is damaged.
    """
    beside_it = path_beside(path)
    return read_ledger(beside_it).clauses if archive.is_file(beside_it) else None


def _own_path(own: dict[str, Tree], value: dict[str, Tree], path: Path) -> Path | None:
    """The path in a file that extends another, of a part of the whole spec; None where the file does not say it."""
    if not path:
        return path
    key = path[0]
    said = own.get(str(key))
    if key == "params" and len(path) > 1 and isinstance(path[1], int):
        name = str(_name_of(_item(value.get("params"), path[1])))
        entry = said.get(name) if isinstance(said, dict) else None
        return ("params", name, *path[2:]) if isinstance(entry, dict) and _says(entry, path[2:]) else None
    if said is None:
        return None
    if not isinstance(said, dict) or len(path) < 2:
        return path
    inherits = str(path[1]) not in said or (key == "rules" and _is_inherited(said, value.get("rules"), path[1:]))
    return None if inherits else path


def _says(entry: dict[str, Tree], path: Path) -> bool:
    """Whether an entry says a key of a param, whose name is that of the entry."""
    return not path or path[0] == "name" or path[0] in entry


def _is_inherited(said: dict[str, Tree], rules: Tree, path: Path) -> bool:
    """Whether a key of a rule that the file amends is the parent's."""
    entry, merged = said[str(path[0])], rules.get(str(path[0])) if isinstance(rules, dict) else None
    if len(path) < 2 or not isinstance(entry, dict):
        return False
    return path[1] not in entry and path[1] in (merged if isinstance(merged, dict) else {"check": merged})


def _elsewhere(source: Source, path: Path) -> Path:
    """The same part's path in the parent, whose params may have other places."""
    if path[:1] != ("params",) or len(path) < 2 or not isinstance(path[1], int) or source.parent is None:
        return path
    name = origin(source.own.get("params"), str(_name_of(_item(source.value.get("params"), path[1]))))
    params = source.parent.value.get("params")
    for number, entry in enumerate(params if isinstance(params, list) else ()):
        if _name_of(entry) == name:
            return ("params", number, *path[2:])
    return path[:1]


def _item(items: Tree, number: int) -> Tree:
    return items[number] if isinstance(items, list) and number < len(items) else None


def _name_of(entry: Tree) -> Tree:
    return entry.get("name") if isinstance(entry, dict) else entry


def validated(source: Source) -> Spec:
    """The model of a spec.

    Raises:
        OpspecError: one line per fault.
    """
    try:
        return Spec.model_validate(source.value)
    except ValidationError as error:
        raise _several(_fault(source, item) for item in error.errors()) from None


_MOST_FAULTS = 20  # that one error tells of


def _several(faults: Iterable[OpspecError]) -> OpspecError:
    """One error for the faults of a file, each once."""
    found = list({str(fault): fault for fault in faults}.values())[:_MOST_FAULTS]
    return found[0] if len(found) == 1 else several(found)


def _in_file(source: Source, fault: OpspecError) -> OpspecError:
    """A fault of a part of the spec, at its place in the file that says it."""
    if not isinstance(fault, SpecError):
        return fault
    home, path, column = source.home(fault.path, fault.column)
    message = fault.message
    if home is not source.document:  # nothing may be wrong with what stands there, but with what the heir made of it
        message += f" in {source.value.get('release')}/{source.value.get('operator')}, which extends this spec"
    return _at(home, _place(home, path, column), message)


def _at(document: Document, place: Place, message: str) -> SpecError:
    """An error at a place of the file, with its line."""
    return SpecError(message, where=_named(document, place), caret=document.caret(place))


def _named(document: Document, place: Place) -> str:
    return f"{document.name}:{place.line}:{place.column}"


def _place(document: Document, path: tuple[str | int, ...], column: int = 0) -> Place:
    """The place of a value; ``column`` counts characters of its text, where that is an expression as it stands."""
    # The expressions of a param are made from what its cells say: their columns mean nothing in the file.
    derived = "params" in (*path[:1], *path[2:3])
    return within(document, path, 0 if derived else column)


def _fault(source: Source, item: ErrorDetails) -> OpspecError:
    path, forms = _path_and_forms(source.value, item["loc"])
    kind, message = item["type"], item["msg"]
    if kind == "extra_forbidden":
        key = str(path[-1])
        document, own, _ = source.home(path)
        place = locate(document, own, key=True)
        known = _fields_at(path[:-1], forms)
        hint = did_you_mean(key, known) or (f"; here stands {values.FORMS[forms[-1]]}" if forms else "")
        return _at(document, place, f"unknown key {shown(key)}{hint}")
    if kind == "missing":
        document, own, _ = source.home(path[:-1])
        hint = f"; here stands {values.FORMS[forms[-1]]}" if forms else ""
        if path == ("release",):
            hint = ", and no folder above the file has the name of a release"
        return _at(document, _place(document, own), f"a required key is missing: {path[-1]!r}{hint}")
    text = message.removeprefix("Value error, ")
    if "pattern" in item.get("ctx", {}):
        text = f"{shown(item['input'])} is not of the form {item['ctx']['pattern']}"
    elif kind == "literal_error":
        text = f"expected {item['ctx']['expected']}, found {shown(item['input'])}"
    elif kind == "model_type" or kind in _FORM_OF:
        text = f"expected {_form(item, path, forms)}, found {shown(item['input'])}"
    elif kind in ("union_tag_invalid", "union_tag_not_found"):
        text = f"expected {_accepted(item)}, found {shown(item['input'])}"
    elif kind.endswith(("_type", "_parsing")):
        text = f"{text[0].lower()}{text[1:]}, found {shown(item['input'])}"
    document, own, _ = source.home(path)
    return _at(document, _place(document, own), text)


def _path_and_forms(value: Tree, location: Path) -> tuple[Path, list[str]]:
    """The path of a fault, and the forms of properties that the model tells it by; a key may be called as a form is."""
    path: list[str | int] = []
    forms: list[str] = []
    for part in location:
        is_key = isinstance(value, dict) and part in value
        if part in values.FORMS and not is_key:
            forms.append(str(part))
            continue
        path.append(part)
        value = _item(value, part) if isinstance(part, int) else value.get(part) if isinstance(value, dict) else None
    return tuple(path), forms


# type of an error of the model -> what was to be written
_FORM_OF = {
    "string_type": "a text", "list_type": "a list", "dict_type": "a mapping {name: value}", "bool_type": "yes or no",
}  # fmt: skip


def _form(item: ErrorDetails, path: Path, forms: list[str]) -> str:
    """The accepted form of a value of another type: that of a property that has several, a model's keys, or what the
    key means."""
    if item["type"] == "model_type":
        owner = getattr(model, item["ctx"]["class_name"], None)
        return values.FORMS[forms[-1]] if forms else f"{{{', '.join(_keys(owner))}}}" if owner else "a mapping"
    field = _owner(path[:-1]).model_fields.get(str(path[-1])) if path else None
    return _FORM_OF[item["type"]] + (f" ({field.description})" if field is not None and field.description else "")


def _accepted(item: ErrorDetails) -> str:
    """The forms that a property may have."""
    tags = [tag for tag in values.FORMS if f"'{tag}'" in str(item["ctx"].get("expected_tags", ""))] or ["text", "list"]
    return " or ".join(values.FORMS[tag] for tag in tags)


def _fields_at(path: Path, forms: list[str]) -> list[str]:
    """Keys that the model allows at a path, for suggestions."""
    if forms:
        if "changes" in path:
            return _keys(values.Change)
        return _keys(values.Set) if forms[-1] == "set" else ["on", "when", "is"] if forms[-1] == "cases" else []
    return _keys(_owner(path))


def _owner(path: Path) -> type[values.Model]:
    """The model of what stands at a path."""
    owners: dict[str, type[values.Model]] = {
        "params": model.Param, "rules": model.Rule, "scenarios": model.Scenario, "alternatives": model.Alternative,
        "early_success": model.EarlySuccess, "twin": model.Twin, "helpers": model.Helper,
        "conflicts": model.Conflict, "remarks": model.Remark, "formula": model.Formula,
        "deterministic": model.Determinism, "example": model.ExampleCall, "deprecated": model.Deprecated,
    }  # fmt: skip
    return next((owners[str(part)] for part in reversed(path) if part in owners), Spec)


def _keys(owner: type[values.Model]) -> list[str]:
    return [field.alias or name for name, field in owner.model_fields.items()]
