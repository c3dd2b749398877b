"""Letters for what is open in shapes that are made: those of the spec or of the data format, else free ones."""

from __future__ import annotations

import re
from collections.abc import Mapping

from opspec.docs.shapes.equations import is_of_size, stated_whole
from opspec.docs.shapes.relations import Told
from opspec.docs.shapes.result import ALONE, OPEN, OPEN_PLACE, Letter, Shape, Shapes
from opspec.docs.shapes.solver import Items, Solver
from opspec.language import tree

_POOL = "MNPQRUVXYZJLTGFI"
STARS = "ABEFGIJQ"
_OF_MATRICES = re.compile(r"mm|matmul", re.I)  # operators that are called products of matrices
_OF_RESULT = re.compile(r"grad_?out|grad_?y|dy\b|dout|indices|mask", re.I)  # what an operator gave, and its gradient
#: marks of the letters that are wanted, the more is said for them the less
_WEIGHTS = {"=": 0, "&": 1, "!": 2, ":": 3, "?": 3, "~": 5}
_OF_PAGE = "!:"
_SPATIAL = "DHWL"  # of outputs by letters of their own, as pages have them
_WORD = re.compile(r"[A-Za-z_]\w*")


class Lettering:
    """Letters for all that is open once all shapes are made."""

    def __init__(self, solver: Solver, of: Mapping[str, tuple[Items, ...]], kept: frozenset[str] = frozenset()) -> None:
        """``kept``: letters of layouts, which nothing else has."""
        self.solver = solver
        self.kept = kept
        self.of = of
        definition = solver.definition
        texts = "\n".join(item for cases in of.values() for items in cases for item in items)
        self.taken = {*_WORD.findall(OPEN_PLACE.sub(" ", texts)), *(param.name for param in definition.params)}
        self.uses: dict[str, list[str]] = {}
        self.texts: list[str] = []
        for name, cases in of.items():
            self._use(name, [item for items in cases for item in items])
        self.letters: dict[str, str] = {}

    def _use(self, name: str, texts: list[str]) -> None:
        """Note what is open in a param's shape, and in the formulas of what is open there."""
        self.texts += texts
        for key in dict.fromkeys(map("".join, OPEN_PLACE.findall("\n".join(texts)))):
            is_new = key not in self.uses
            if name not in self.uses.setdefault(key, []):
                self.uses[key].append(name)
            formula = self.solver.formulas.get(f"\x00{key}\x00")
            if is_new and formula is not None:
                self._use(name, [formula])

    def shapes(self) -> Shapes:
        """The shapes with their letters, those of dims as the spec calls them first."""
        named: set[str] = set()
        free: set[str] = set()
        for pass_ in (self._wanted, self._summed, self._called, self._free):
            for key in sorted(self.uses, key=self._weight) if pass_ == self._wanted else self.uses:
                if key not in self.letters:
                    letter = pass_(key)
                    if letter is not None:
                        self.letters[key] = letter
                        (free if pass_ == self._free else named).add(letter)
                        self.taken.update({letter} - {ALONE, OPEN})
        solver = self.solver
        of = {
            name: tuple(_closed(tuple(map(self._written, items))) for items in cases) for name, cases in self.of.items()
        }
        meanings = {OPEN_PLACE.fullmatch(key): node for key, node in solver.meanings.items()}
        letters = {
            self.letters["".join(found.groups())]: Letter(node, self._written(solver.formulas.get(found[0], "")))
            for found, node in meanings.items()
            if found is not None and "".join(found.groups()) in self.letters
        }
        whole = stated_whole(solver.definition, solver.found)
        shown: dict[str, list[bool]] = {}
        told: dict[str, str] = {}
        for equation in solver.found:
            parts = solver.parts.get(equation, {})
            is_told = bool(parts) and all(said and all(map(self._shows, said)) for said in parts.values())
            shown.setdefault(equation.rule, []).append(is_told and equation.rule in whole)
            if is_told:
                told[equation.rule] = next(iter(parts.values()))[0].param
        told = {rule: param for rule, param in told.items() if all(shown[rule])}
        checks = {rule.check: told[rule.id] for rule in solver.definition.rules if rule.id in told}
        written = {name for name, own in solver.own.items() if isinstance(own[0].shape, str)}
        plain = {equation.rule for equation in solver.found if equation.plain}
        for rule in solver.definition.rules:
            if rule.kind == "shape" and rule.param in written:
                told[rule.id] = rule.param
            of_size = rule.when is not None and is_of_size(rule.when, solver.definition)
            if rule.check in checks and (of_size or rule.id in plain):
                told[rule.id] = checks[rule.check]
            match rule.check:
                case tree.Compare(
                    ops=("==",), operands=(tree.Attr(name="rank", base=one), tree.Attr(name="rank", base=two))
                ):
                    if rule.when is None and self._has_as_many(one, two) and isinstance(one, tree.Param):
                        told[rule.id] = one.name
        usual = solver.assumed or any(not equation.plain for equation in solver.parts)
        return Shapes(of, letters, frozenset(named), told, usual, frozenset(free - {ALONE, OPEN}))

    def _shows(self, told: Told) -> bool:
        """Whether a param's shape shows what it must for an equation to be told."""
        cases = self.of[told.param]
        if isinstance(told.what, tuple):
            return told.what in cases or (len(cases) == 1 and set(told.what) <= set(cases[0]))
        text = self.solver.open_of.get(self.solver.root(told.what))
        return text is not None and all(text in items for items in cases)

    def _has_as_many(self, one: tree.Node, two: tree.Node) -> bool:
        """Whether the shapes of two params show that they have as many dims."""
        names = [node.name for node in (one, two) if isinstance(node, tree.Param)]
        found = [self.of[name] for name in names if name in self.of]
        if len(found) < 2 or any(len(cases) != 1 for cases in found):
            return False
        stars = [sorted(item for item in cases[0] if item.startswith("*")) for cases in found]
        return stars[0] == stars[1] and len(found[0][0]) == len(found[1][0])

    def _written(self, item: str) -> str:
        text = OPEN_PLACE.sub(lambda found: self.letters["".join(found.groups())], item)
        return OPEN if text == f"*{OPEN}" else text

    def _weight(self, key: str) -> int:
        """How much speaks for the letter that is wanted at an open place; least the most."""
        mark = (self.solver.open[int(key[1:])] or "~")[0]
        return _WEIGHTS.get(mark, 0) + (mark == "?" and self._is_result(key))

    def _wanted(self, key: str) -> str | None:
        wanted = self.solver.open[int(key[1:])]
        if wanted is None or wanted[0] == "~":
            return None
        plain = wanted.lstrip("".join(_WEIGHTS))
        if plain not in self.taken or wanted[0] == "=":
            return plain
        is_result = self._is_result(key)
        if plain == wanted or (self._is_alone(key) and not (is_result and plain in _SPATIAL)):
            return None
        if wanted[0] in _OF_PAGE and not is_result and not self._is_beside(key, plain):
            return None  # the page says nothing of a second one
        stem = plain.rstrip("0123456789")
        longer = (f"{stem}{end}" for end in (("out",) if is_result else range(2, 9)))
        return next((one for one in longer if one not in self.taken), None)

    def _is_beside(self, key: str, letter: str) -> bool:
        """Whether a formula has what is open and what has a letter: rules tell them apart."""
        others = [f"\x00{other}\x00" for other, own in self.letters.items() if own == letter]
        return any(f"\x00{key}\x00" in text and other in text for text in self.texts for other in others)

    def _is_result(self, key: str) -> bool:
        """Whether nothing but outputs, or what stands for such in the backward operator, has what is open."""
        params = self.solver.params
        return all(params[name].is_output or _OF_RESULT.match(name) for name in self.uses[key])

    def _called(self, key: str) -> str | None:
        """What a spec's derived values call a dim in a word, where it has no letter."""
        wanted = self.solver.open[int(key[1:])] or ""
        name = wanted[1:]
        return name if wanted[:1] == "~" and name not in self.taken and not self._is_alone(key) else None

    def _is_alone(self, key: str) -> bool:
        """Whether nothing but one place of one param has it, and nothing says what it is."""
        if len(self.uses[key]) > 1 or self._count(key) > 1 or int(key[1:]) in self._meant():
            return False
        return key[0] == "d" or self.solver.params[self.uses[key][0]].io != "inout"

    def _summed(self, key: str) -> str | None:
        """K, of a dim that inputs share and no output has."""
        params = [self.solver.params[name] for name in self.uses[key]]
        ins = [param for param in params if param.io == "in"]
        if len({self.of[param.name] for param in ins}) < len(ins):  # tensors of one shape
            return None
        outs = [shape for name, shape in self.of.items() if self.solver.params[name].is_output]
        is_summed = (
            len(ins) > 1 and len(ins) == len(params) and any(len(items) > 1 for cases in outs for items in cases)
        ) and self._are_multiplied(key, [param.name for param in ins])
        return "K" if key[0] == "d" and is_summed and "K" not in self.taken else None

    def _are_multiplied(self, key: str, names: list[str]) -> bool:
        """Whether each of some inputs gives the outputs another dim, if it has another, as matrices do."""
        if _OF_MATRICES.search(self.solver.definition.name):
            return True
        passed = {one for one, users in self.uses.items() if any(self.solver.params[user].is_output for user in users)}
        others = [{one for one, users in self.uses.items() if name in users and one != key} for name in names]
        return any(others) and all(not own or own & passed for own in others)

    def _free(self, key: str) -> str:
        if self._is_alone(key):
            return ALONE if key[0] == "d" else OPEN
        if key[0] == "d":
            return self._first((*_POOL, *(f"N{i}" for i in range(2, 99))))
        stars = [one for one in self.uses if one[0] == "s" and not self._is_alone(one)]
        return self._first((*(("S",) if len(stars) == 1 else ()), *STARS, *(f"S{i}" for i in range(1, 99))))

    def _first(self, pool: tuple[str, ...]) -> str:
        """The first letter that is not taken."""
        return next(letter for letter in pool if letter not in self.taken and letter not in self.kept)

    def _meant(self) -> set[int]:
        return {int(found[2]) for key in self.solver.meanings if (found := OPEN_PLACE.fullmatch(key)) is not None}

    def _count(self, key: str) -> int:
        return sum(text.count(f"\x00{key}\x00") for text in self.texts)


def _closed(items: Items) -> Shape:
    """A shape; of one of which nothing is known but that it has some dims no more is said."""
    return Shape((OPEN,) if OPEN in items and set(items) <= {OPEN, ALONE} else items)
