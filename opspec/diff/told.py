"""An operator's history in words, a few lines a release, and as JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from opspec.diff.change import KINDS, Change
from opspec.diff.details import Told
from opspec.diff.history import Past, Read, Step, past
from opspec.docs.history import Edition, History
from opspec.registry.registry import Registry
from opspec.vocabulary import products
from opspec.vocabulary.languages import by_language
from opspec.vocabulary.literals import Lang

MOST_LINES = 10  # of a release
MOST_RULES = 4  # of them sentences of rules
#: characters of a sentence by the English, which is the longer, so that both languages tell the same, of which the rule
#: is named where it is longer; and of two that are told together
LONGEST = 300
LONGEST_TWO = 400
MOST_NAMES = 8  # of dtypes, formats or the like in a line
FEW = 3  # dtypes or formats that are left, which are sooner told than those that went

_ROWS: dict[str, tuple[str, str]] = {
    "title": ("Releases", "版本历史"),
    "in": ("In CANN {0}.", "见于CANN {0}。"),
    "since": ("In CANN {0}, not in {1}.", "见于CANN {0}，{1}尚无。"),
    "all": (
        "The command `opspec diff {0} {1} {2}` lists all that differs.",
        "命令`opspec diff {0} {1} {2}`列出全部差异。",
    ),
    "oldest": ("The oldest release that opspec knows of it.", "opspec已知的最早版本。"),
    "new": ("New: {0} does not have it.", "新增：{0}没有该算子。"),
    "same": ("No change is known.", "未发现变化。"),
    "gone": ("This release does not have it.", "此版本没有该算子。"),
    "again": ("Compared with {0}:", "与{0}相比："),
    "more": ("{0} more changes.", "另有{0}处变化。"),
    "one_more": ("1 more change.", "另有1处变化。"),
    "operator-deprecated": ("Deprecated; use {0}.", "已废弃，请使用{0}。"),
    "deprecated": ("Deprecated.", "已废弃。"),
    "operator-kept": ("No longer deprecated.", "不再标记为废弃。"),
    "product-added": ("Now supported on {0}.", "新增支持{0}。"),
    "product-removed": ("No longer supported on {0}.", "不再支持{0}。"),
    "param-added": ("New params: {0}.", "新增参数：{0}。"),
    "param-removed": ("Params that are gone: {0}.", "移除参数：{0}。"),
    "param-renamed": ("`{0}` is renamed to `{1}`.", "`{0}`更名为`{1}`。"),
    "param-type": ("C type of {0}: `{1}` became `{2}`.", "{0}的C类型由`{1}`改为`{2}`。"),
    "param-required": ("No longer null: {0}.", "不再允许为空：{0}。"),
    "param-optional": ("May be null now: {0}.", "现允许为空：{0}。"),
    "dtype": ("Data types of {0}: {1}", "{0}的数据类型：{1}"),
    "format": ("Data formats of {0}: {1}", "{0}的数据格式：{1}"),
    "rank": ("Numbers of dims of {0}: {1}", "{0}的维数：{1}"),
    "lost": ("no longer {0}", "不再支持{0}"),
    "gained": ("also {0}", "新增{0}"),
    "left": ("{0} alone", "仅{0}"),
    "on": (" (on {0})", "（{0}）"),
    "rule": ("Now{2}: {0}", "现要求{2}：{0}"),
    "was": ("Now{2}: {0} Before: {1}", "现要求{2}：{0}原要求：{1}"),
    "less": ("No longer required{2}: {1}", "不再要求{2}：{1}"),
    "long": (
        "Now something else is required, as the page of all rules says: {0}.",
        "规则{0}的要求有变化，见全部规则页。",
    ),
    "other": ("{0}: {1}", "{0}：{1}"),
    "others": ("{0} and {1} more", "{0}等共{1}个"),
    "comma": (", ", "、"),
    "semicolon": ("; ", "；"),
    "stop": (".", "。"),
    "gap": (" ", ""),
}

_WORDS: Mapping[Lang, Mapping[str, str]] = by_language(_ROWS)
_NO_NEWS = ("same", "oldest", "new")  # states of a release of which a page says nothing by itself
_SETS = ("narrowed", "widened", "replaced")
_OF_PRODUCTS = ("product-added", "product-removed")
_OF_PARAMS = ("param-removed", "param-required", "param-optional")


def in_words(found: Past, lang: Lang) -> History:
    """The history in one language, the newest release first."""
    words = _Words(lang)
    news = [step.state not in _NO_NEWS for step in found.steps]
    told = zip(words.steps(found), news, strict=True)
    editions = tuple(Edition(release, lines, is_news) for (release, lines), is_news in reversed([*told]))
    first, names = found.steps[0], words.of["comma"].join(found.releases)
    said = [words.of["since" if first.state == "new" else "in"].format(names, first.since)]
    if len(found.releases) > 1 and not any(news):
        said.append(words.of["same"])
    elif any(step.told or step.alone for step in found.steps):
        said.append(words.of["all"].format(found.releases[0], found.releases[-1], found.operator))
    return History(words.of["title"], words.of["gap"].join(said), editions)


def histories(operator: str, known: Registry, read: Read) -> Mapping[Lang, History]:
    """The history of an operator of a registry in each language: :data:`opspec.docs.related.Historian`."""
    found = past(operator, known, read, counted=False)
    return {lang: in_words(found, lang) for lang in _WORDS}


def as_json(found: Past) -> list[dict[str, Any]]:
    """The history as JSON values, the oldest release first."""
    said = {lang: dict(_Words(lang).steps(found)) for lang in _WORDS}
    return [
        {
            "release": step.release,
            "since": step.since or None,
            "state": step.state,
            "changes": [_change(each.change) for each in step.told],
            "alone": step.alone,
            **{lang: [*lines[step.release]] for lang, lines in said.items()},
        }
        for step in found.steps
    ]


def _change(change: Change) -> dict[str, Any]:
    return {
        "kind": change.kind,
        "subject": change.subject,
        "before": change.before,
        "after": change.after,
        "products": list(change.products),
    }


class _Words:
    """Says the steps of an operator's history in one language."""

    def __init__(self, lang: Lang) -> None:
        self.lang: Lang = lang
        self.of = _WORDS[lang]

    def steps(self, found: Past) -> list[tuple[str, tuple[str, ...]]]:
        """Each release with its lines, oldest first; what it is compared with is named where one between has none."""
        told: list[tuple[str, tuple[str, ...]]] = []
        for step, before in zip(found.steps, (None, *found.steps), strict=False):
            again = before is not None and before.state == "gone"
            head = (self.of["again"].format(step.since),) if again else ()
            told.append((step.release, (*head, *self._lines(step))))
        return told

    def _lines(self, step: Step) -> Iterator[str]:
        """What is so since the release before; one line at least."""
        if step.state != "changed":
            yield self.of[step.state].format(step.since)
            return
        rules = list(self._joined(each for each in step.told if _is_rule(each)))
        lines = [self._line(group) for group in _together(each for each in step.told if not _is_rule(each))]
        kept = lines[: MOST_LINES - min(len(rules), MOST_RULES)]
        yield from (*kept, *map(self._rule, rules[:MOST_RULES]))
        left = len(lines) - len(kept) + len(rules[MOST_RULES:])
        if left:
            yield self.of["more" if left > 1 else "one_more"].format(left)

    def _joined(self, rules: Iterable[Told]) -> Iterator[Told]:
        """What rules require, those together that ask the same of each of their params."""
        groups: dict[object, list[Told]] = {}
        for each in rules:
            common = {lang: said.common() for lang, (_, said) in each.alone.items()}
            same = (tuple(common.values()), each.change.products) if all(common.values()) and common else id(each)
            groups.setdefault(same, []).append(each)
        for one, *others in groups.values():
            now = dict(one.now)
            for lang, (_, said) in one.alone.items() if others else ():
                params = [each.alone[lang][0] for each in (one, *others)]
                now[lang] = now[lang] if said.of_several is None else said.of_several(params, "and")
            yield replace(one, now=now)

    def _rule(self, told: Told) -> str:
        """What a rule requires now, and what it did."""
        now, was = told.now[self.lang], told.was.get(self.lang, "")
        length, both = (sum(len(text.get("en", "")) for text in texts) for texts in ([told.now], [told.now, told.was]))
        if length > LONGEST or now == was:  # the same words, of a table that is not the same
            return self.of["long"].format(self._names(told.change.rules))
        form = "less" if was and not now else "was" if was and both <= LONGEST_TWO else "rule"
        return self.of[form].format(now, was, self._on(told.change))

    def _line(self, group: list[Told]) -> str:
        """Changes of all but rules, those together that share what is said."""
        one, subjects = group[0].change, [each.change.subject for each in group]
        form = self.of.get(one.kind, "")
        if one.kind in _SETS:
            return self._values(group[0], [subject.rpartition(" ")[0] for subject in subjects])
        if one.kind in _OF_PRODUCTS:
            return form.format(self._products(subjects))
        if one.kind in _OF_PARAMS:
            return form.format(self._names(subjects))
        if one.kind == "param-added":
            return form.format(self._names(f"{each.change.after} {each.change.subject}" for each in group))
        if one.kind == "param-type":
            return form.format(self._names(subjects), one.before, one.after)
        if one.kind == "operator-deprecated" and not one.after:
            return self.of["deprecated"]
        if form:
            return form.format(*filter(None, (one.before, one.after)))
        about = KINDS[one.kind].zh if self.lang == "zh" else KINDS[one.kind].en
        return self.of["other"].format(about, one.text(self.lang)) + self.of["stop"]

    def _values(self, told: Told, params: list[str]) -> str:
        """What params take no longer, and what they take now."""
        one, facet = told.change, told.change.subject.rpartition(" ")[2]
        lost, gained = one.before.replace("-", " ").split(), one.after.replace("+", " ").split()
        if _is_short(told):
            said = self.of["left"].format(self._listed(told.left))
        else:
            parts = (("lost", lost), ("gained", gained))
            said = self.of["semicolon"].join(self.of[key].format(self._listed(names)) for key, names in parts if names)
        return self.of[facet].format(self._names(params), said) + self._on(one) + self.of["stop"]

    def _on(self, change: Change) -> str:
        return self.of["on"].format(self._products(change.products)) if change.products else ""

    def _names(self, params: Iterable[str]) -> str:
        return self._listed(f"`{name}`" for name in params)

    def _products(self, ids: Iterable[str]) -> str:
        return self._listed(products.listed(ids, self.lang))

    def _listed(self, names: Iterable[str]) -> str:
        """Names one after the other; of many the first ones."""
        found = [*names]
        if len(found) <= MOST_NAMES + 1:
            return self.of["comma"].join(found)
        rest = len(found) if self.lang == "zh" else len(found) - MOST_NAMES
        return self.of["others"].format(self.of["comma"].join(found[:MOST_NAMES]), rest)


def _is_rule(told: Told) -> bool:
    return bool(told.now)


def _is_short(told: Told) -> bool:
    """Whether what a param takes now is sooner told than what it does no longer."""
    return len(told.change.lost) > FEW >= len(told.left) > 0


def _together(found: Iterable[Told]) -> Iterator[list[Told]]:
    """Changes that are told in one line."""
    groups: dict[tuple[object, ...], list[Told]] = {}
    for each in found:
        groups.setdefault(_alike(each), []).append(each)
    yield from groups.values()


def _alike(told: Told) -> tuple[object, ...]:
    """What changes have in common that are told in one line."""
    one = told.change
    if one.kind in _SETS:
        said = told.left if _is_short(told) else (one.before, one.after)
        return one.kind, one.subject.rpartition(" ")[2], said, one.products
    if one.kind == "param-type":
        return one.kind, one.before, one.after
    return (one.kind,) if one.kind in (*_OF_PRODUCTS, *_OF_PARAMS, "param-added") else (one.kind, one.subject)
