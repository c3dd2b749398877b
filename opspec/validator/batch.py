"""Many calls of JSONL to verdicts: nothing is done twice for them, and no more than needed for the usual one.

A line is read by C alone, its operator, release and product are looked up together, and the arguments go through the
operator's reader. Whatever is unusual about a line (an error, a spelling, a key that occurs twice) is left to
:mod:`~opspec.validator.read` and its messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from opspec.errors import OpspecError
from opspec.jsontext import FAULTS
from opspec.validator.api import ALL, on_all, resolved
from opspec.validator.arguments import arguments_of, reader_of
from opspec.validator.files import usual_json
from opspec.validator.judge import judge
from opspec.validator.read import KEYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from opspec.registry.registry import Form, Registry
    from opspec.validator.read import Call
    from opspec.validator.verdict import Verdict
    from opspec.vocabulary.literals import Lang

    #: compiled form, reader of its arguments, product, member
    Plan: TypeAlias = tuple[Form, Callable[[Mapping[str, Any]], tuple[Any, ...]], str | None, str | None]

MOST_PLANS = 4096  # operators times products; more are spellings without end

_KEYS = frozenset(KEYS)
_PLAIN = _KEYS - {"unknown", "expect"}  # which need no look
_UNUSUAL = (*FAULTS, KeyError, TypeError, AttributeError, RecursionError, OpspecError)


class Judge:
    """Judges calls of a registry, whatever their operators.

    Args:
        known: the registry.
        release, product: win over what a call says; the product may be :data:`ALL`.
        lang: language of the findings.
    """

    def __init__(self, known: Registry, release: str | None, product: str | None, lang: Lang) -> None:
        self.known = known
        self.release = release
        self.product = product
        self.lang = lang
        self._plans: dict[tuple[object, object, object], Plan | None] = {}
        self._faults: dict[tuple[str, str | None], OpspecError] = {}

    def verdicts(self, call: Call) -> Iterator[tuple[Verdict, bool]]:
        """The verdicts on a call, one for each product asked for, and whether the page supports it there.

        Raises:
            OpspecError: unknown operator, release, product or param, or an argument that is none.
        """
        if self.product != ALL:
            yield self.verdict(call), True
            return
        form = self.form(call.op, call.release)
        args = arguments_of(form, call.args)
        for _, verdict in on_all(form, args, self.lang):
            verdict.id = call.id
            yield verdict, verdict.support == "yes"

    def verdict(self, call: Call) -> Verdict:
        """The verdict on a call, on one product.

        Raises:
            OpspecError: unknown operator, release, product or param, or an argument that is none.
        """
        form = self.form(call.op, call.release)
        verdict = judge(form, arguments_of(form, call.args), *resolved(self.product or call.product), self.lang)
        verdict.id = call.id
        return verdict

    def form(self, op: str, release: str | None) -> Form:
        """The compiled form of a call's operator; what is wrong with a name or a spec is found out once."""
        release = self.release or release
        fault = self._faults.get((op, release))
        if fault is not None:
            raise fault.with_traceback(None)
        try:
            return self.known.form(op, release)
        except OpspecError as error:
            if len(self._faults) == MOST_PLANS:
                self._faults.clear()
            self._faults[op, release] = error
            raise

    def usual(self, line: str) -> Verdict | None:
        """The verdict on the call of a line of JSONL; None leaves the line to be read with care."""
        try:
            data: Any = usual_json(line)
            args, own = data["args"], data.get("id")
            plan = self._plan((data["op"], data.get("release"), data.get("product")))
            if plan is None or not _is_usual(data, own, line):
                return None
            form, read, product, member = plan
            typed = read(args)
        except _UNUSUAL:
            return None
        verdict = judge(form, typed, product, member, self.lang)
        verdict.id = own
        return verdict

    def usual_args(self, op: object, release: object, product: object, text: str) -> Verdict | None:
        """The same of a call whose arguments alone are text."""
        try:
            args = usual_json(text)
            plan = self._plan((op, release, product))
            if plan is None or type(args) is not dict or text.count(":") != _keys(args):
                return None
            form, read, product_id, member = plan
            typed = read(args)
        except _UNUSUAL:
            return None
        return judge(form, typed, product_id, member, self.lang)

    def _plan(self, key: tuple[object, object, object]) -> Plan | None:
        """What calls of an operator, a release and a product, as written, have in common; None if there is no such."""
        try:
            return self._plans[key]
        except KeyError:
            if len(self._plans) == MOST_PLANS:
                self._plans.clear()
            plan = self._plans[key] = self._new_plan(*key)
            return plan

    def _new_plan(self, op: object, release: object, product: object) -> Plan | None:
        texts = all(text is None or isinstance(text, str) for text in (release, product))
        if self.product == ALL or not isinstance(op, str) or not texts:
            return None
        try:
            form = self.form(op, release)  # type: ignore[arg-type]
            return form, reader_of(form), *resolved(self.product or product)
        except OpspecError:
            return None


def _is_usual(data: dict[str, Any], own: object, line: str) -> bool:
    """Whether the object around the arguments is sound, and no key of the line occurs twice in one object.

    A key that occurred twice would stand in the line with a colon of its own: there is one for each key and, if its
    text has none, nowhere else. An escape could hide one from sight. Where keys are not counted there are colons left
    over, and the line is read with care.
    """
    if type(data["args"]) is not dict or (type(own) is not str and own is not None):
        return False
    if not data.keys() <= _PLAIN:
        expected = data.get("expect")
        if not data.keys() <= _KEYS or data.get("unknown", []) != [] or not (expected is None or type(expected) is str):
            return False
    colons, keys = line.count(":"), len(data) + _keys(data["args"])
    return colons == keys or (type(own) is str and colons == keys + own.count(":") and "\\" not in line)


def _keys(args: dict[str, object]) -> int:
    """How many keys the arguments have, with those of tensors and scalars, and of lists of them."""
    count = len(args)
    for value in args.values():
        if type(value) is dict:
            count += len(value)
            for inner in value.values():  # there is one
                if type(inner) is dict:
                    count += len(inner)
                elif type(inner) is list:
                    count += _keys_in_list(inner)
        elif type(value) is list:
            count += _keys_in_list(value)
    return count


def _keys_in_list(items: list[object]) -> int:
    if not items or type(items[0]) is not dict:
        return 0
    return sum([len(item) for item in items if type(item) is dict])
