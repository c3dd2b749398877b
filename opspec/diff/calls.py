"""Which of somebody's calls change from one release to another: each judged by both, with the rule that decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from opspec.diff.sides import Side
from opspec.diff.signature import renames
from opspec.errors import ArgumentError, InternalError, OpspecError, UnknownOperatorError
from opspec.registry.registry import Registry
from opspec.validator.batch import Judge
from opspec.validator.read import Call
from opspec.validator.verdict import Finding, Verdict
from opspec.vocabulary import status
from opspec.vocabulary.enforcement import UNCHECKED
from opspec.vocabulary.literals import Lang

#: how a call changes: it was legal, or came through, and is not or does not now; the other way round; or it fares in
#: another way that is neither better nor worse
How = Literal["breaks", "mended", "differs", "same"]


@dataclass(frozen=True, slots=True)
class Judged:
    """What one release says of a call.

    Args:
        verdict: None where the release cannot be asked: it has no such operator, or no such param.
        error: why not.
    """

    verdict: Verdict | None
    error: str = ""

    @property
    def legal(self) -> bool:
        """Whether the call can be written, and no rule speaks against it."""
        return self.verdict is not None and self.verdict.legal

    @property
    def code(self) -> int | None:
        """The status that is expected; None where it does not compile."""
        return None if self.verdict is None else self.verdict.code

    @property
    def passes(self) -> bool:
        """Whether it is known to come through: legal, or illegal only by rules that calls of the release were seen to
        break without being told."""
        finding = self.deciding
        return self.code == 0 and (finding is None or (finding.enforcement == UNCHECKED and not finding.assumed))

    @property
    def deciding(self) -> Finding | None:
        """The rule that decides."""
        return None if self.verdict is None else self.verdict.decisive


@dataclass(frozen=True, slots=True)
class Changed:
    """A call by two releases."""

    call: Call
    before: Judged
    after: Judged

    @property
    def how(self) -> How:
        """How it changes. Which of the codes 561xxx an inner failure gets is no change."""
        was, now = self.before, self.after
        worse = (was.legal and not now.legal) or (was.passes and now.code != 0)
        better = (now.legal and not was.legal) or (now.passes and was.code != 0)
        if worse or better:
            return "breaks" if worse else "mended"
        return "same" if _known(was.code) == _known(now.code) else "differs"


class Comparer:
    """Judges calls by two releases.

    Raises:
        OpspecError: a side is no release.
    """

    def __init__(self, known: Registry, before: Side, after: Side, lang: Lang) -> None:
        for one in (before, after):
            if one.release is None:
                raise OpspecError(f"calls are judged by releases, and {one.name} is a file", where="--calls")
        self._sides = before, after
        self._judges = tuple(Judge(known, one.release, None, lang) for one in (before, after))
        self._renamed: dict[str, dict[str, str]] = {}

    def compare(self, call: Call) -> Changed:
        """A call by both.

        Raises:
            OpspecError: it is no good for either.
        """
        before = _judged(self._judges[0], call)
        after = _judged(self._judges[1], call)
        if isinstance(after, ArgumentError) and not isinstance(before, OpspecError):
            after = _judged(self._judges[1], self._with_names_of_after(call))
        if isinstance(before, OpspecError) and isinstance(after, OpspecError):
            raise after
        return Changed(call, _shown(before), _shown(after))

    def _with_names_of_after(self, call: Call) -> Call:
        """The call with params as the newer release calls them: C programs give them by their place."""
        if call.op not in self._renamed:
            try:
                both = [side.read(call.op) for side in self._sides]
            except (OpspecError, KeyError):
                return call
            self._renamed[call.op] = renames(*both)
        names = self._renamed[call.op]
        args = {names.get(name, name): value for name, value in call.args.items()}
        return Call(call.op, args, product=call.product, id=call.id, where=call.where, number=call.number)


def _judged(judge: Judge, call: Call) -> Verdict | OpspecError:
    try:
        return judge.verdict(call)
    except InternalError:
        raise
    except (ArgumentError, UnknownOperatorError) as error:
        return error


def _shown(found: Verdict | OpspecError) -> Judged:
    return Judged(None, found.message) if isinstance(found, OpspecError) else Judged(found)


def _known(code: int | None) -> int | None:
    return None if code is None else status.known_of(code)


def as_dict(changed: Changed) -> dict[str, Any]:
    """A call that changes as JSON values."""
    call = changed.call
    return {
        "id": call.id,
        "op": call.op,
        "product": call.product,
        "change": changed.how,
        "before": _side(changed.before),
        "after": _side(changed.after),
    }


def _side(judged: Judged) -> dict[str, Any]:
    verdict, finding = judged.verdict, judged.deciding
    return {
        "legal": judged.legal,
        "status": None if verdict is None else verdict.status,
        "code": judged.code,
        "error": judged.error or None,
        "rule": None if finding is None else finding.full_id,
        "message": None if finding is None else finding.message,
        "enforcement": None if finding is None else finding.enforcement,
        "assumed": None if finding is None else finding.assumed,
    }
