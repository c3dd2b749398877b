"""What lint finds beyond the schema: each check is a generator of faults over one loaded spec.

The table ``CHECKS`` is the whole list. A check sees a spec that already fits its model and whose expressions are
typed (faults of those kinds are errors of loading).
"""

from __future__ import annotations

from opspec.model.load import Loaded
from opspec.workshop.lint import backends, deep, example, files, ledger, reach, releases, same, sentences, texts
from opspec.workshop.lint.subject import Check, Problem, Subject

CHECKS = (
    Check("file-name", "a file or folder is not named after what it holds", files.file_name),
    Check("retired", "an id that was retired is used again", files.retired),
    Check("successors", "what a deprecated operator names as its successor has no spec", files.successors),
    Check("base", "a spec extends one of a release that is not the base", releases.base),
    Check(releases.FROZEN, "a release that is frozen is not as it was", releases.frozen),
    Check("shadowed", "a name hides a word of the vocabulary", files.shadowed),
    Check("prototype", "a param does not fit the prototype that is made of it", files.prototype),
    Check("clauses", "a documented rule comes from no clause of the page, or from one that it has not", ledger.clauses),
    Check("reworded", "the page says a clause in other words than its rules were read from", ledger.reworded),
    Check("evidence", "evidence was recorded of a rule that is not there", ledger.evidence),
    Check("observed", "an observed rule is not what recorded calls show", ledger.observed),
    Check("notes", "a rule that the page states for some products holds on others", ledger.notes),
    Check("silent", "no rule reads a tensor's dtype, rank or shape", ledger.silent),
    Check("guards", "a rule's guard can never hold, or no call can satisfy the rule", reach.guards),
    Check("idle", "a rule holds in every call", reach.idle),
    Check("no-c", "a rule has no form in C", backends.in_c),
    Check("unused", "nothing reads a derived value", reach.unused),
    Check("prose", "a rule cannot be said in both languages", ledger.words),
    Check("words", "a param without words, or a text that is not in both languages", texts.texts),
    Check("letters", "a formula has a letter that nothing on the page explains", texts.letters, asked=True),
    Check("remarks", "a remark names a clause that the page does not have", texts.remarks),
    Check("sentences", "a sentence has code in it, or a name that nothing explains", sentences.sentences),
    Check("failures", "a return code says what a rule requires, not how a call breaks it", sentences.failures),
    Check("duplicate", "two rules require the same", same.duplicate),
    Check("contradiction", "two rules require the same, and differ in what breaking it comes to", same.contradiction),
    Check("follows", "an equality follows from others", same.follows),
    Check("example", "the example is missing, or not a legal call", example.example),
    Check("reachable", "no legal call was found for a dtype or format that a product lists", deep.reachable, deep=True),
)


def lint(
    loaded: Loaded, path: str, retired: frozenset[str] = frozenset(), checks: tuple[Check, ...] | None = None
) -> list[Problem]:
    """All problems of a loaded spec.

    Args:
        checks: those to run; by default all that need no search.
    """
    subject = Subject(loaded, path, retired)
    own = subject.own.name
    return [
        Problem(loaded.where(fault.path), check.id, fault.message, f"{fault.operator or own}/{fault.about}")
        for check in (SHALLOW if checks is None else checks)
        for fault in check.run(subject)
    ]


SHALLOW = tuple(check for check in CHECKS if not check.deep and not check.asked)
DEEP = tuple(check for check in CHECKS if check.deep)
