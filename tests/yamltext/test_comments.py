"""Promises about comments: none is lost, each stays with its node, and the written text is stable."""

from __future__ import annotations

import random

import pytest

from opspec.errors import OpspecError
from opspec.yamltext import Comments, Tree, read, write

SPEC = """\
# head one

# head two
operator: aclnnAdd  # why
let:  # values
  # before nd
  nd: a - 2
    # behind nd
  cOut: b
  # behind let
# before params
params:
  # before the item
  - {name: x, rank: 1}  # the item
    # behind the item
  - name: y  # y
    # before rank
    rank: "2"
note: >-  # folded
  text # no comment
  "# neither"
# tail one
# tail two
"""


@pytest.mark.parametrize("pure", [False, True])
def test_each_comment_belongs_to_its_node(pure: bool) -> None:
    comments = read(SPEC, "x", pure=pure).comments
    assert comments == Comments(
        before={
            ("operator",): ("# head one", "# head two"),
            ("let", "nd"): ("# before nd",),
            ("params",): ("# before params",),
            ("params", 0): ("# before the item",),
            ("params", 1, "rank"): ("# before rank",),
        },
        trailing={
            ("operator",): "# why",
            ("let",): "# values",
            ("params", 0): "# the item",
            ("params", 1, "name"): "# y",
            ("note",): "# folded",
        },
        after={
            ("let", "nd"): ("# behind nd",),
            ("let",): ("# behind let",),
            ("params", 0): ("# behind the item",),
            (): ("# tail one", "# tail two"),
        },
    )


def test_comments_are_written_where_they_were() -> None:
    document = read(SPEC, "x")
    text = write(document.value, document.comments, flow=lambda path, value: len(path) > 1)
    # "text" of the note fits on one line, so its comment moves to the end of that line
    note = 'note: "text # no comment \\"# neither\\""  # folded\n'
    folded = 'note: >-  # folded\n  text # no comment\n  "# neither"\n'
    expected = SPEC.replace("# head one\n\n", "# head one\n").replace(folded, note).replace('"2"', "2")
    assert text == expected
    assert read(text, "x").comments == document.comments


def test_a_collection_with_comments_inside_is_written_as_a_block() -> None:
    text = "a: {b: c, # one\n    # two\n    d: [e, # three\n      f]} # four\n"
    document = read(text, "x")
    assert document.comments.texts() == ["# four", "# one", "# three", "# two"]
    assert write(document.value, document.comments, flow=lambda path, value: True) == (
        "a:  # four\n  b: c  # one\n  # two\n  d:\n    - e  # three\n    - f\n"
    )


def test_a_comment_behind_a_block_of_text_does_not_become_text() -> None:
    comments = Comments(after={("a",): ("# c",)}, trailing={("b",): "# d"})
    value: Tree = {"a": "x\ny", "b": "x\ny"}
    text = write(value, comments)
    assert text == 'a: "x\\ny"\n  # c\nb: |-  # d\n  x\n  y\n'
    assert read(text, "x").value == value
    assert read(text, "x").comments == comments


def test_comments_of_nodes_that_vanished_go_to_the_nearest_ancestor() -> None:
    comments = Comments(before={("a", "gone", 3): ("# 1",)}, trailing={("gone",): "# 2"}, after={("a", 0): ("# 3",)})
    assert write({"a": {"b": "c"}}, comments) == "a:\n  b: c\n  # 1\n  # 3\n# 2\n"


@pytest.mark.parametrize("text", ["no sign", "# two\n# lines", "# \x1b"])
def test_what_is_no_comment_is_an_error(text: str) -> None:
    with pytest.raises(OpspecError, match="a comment must be one line"):
        write("a", Comments(before={(): (text,)}))
    with pytest.raises(OpspecError, match="a comment must be one line"):
        write("a", Comments(trailing={(): text}))


ODD_PLACES = [
    "--- # 1\n# 2\na: b # 3\n... # 4\n# 5\n",
    "[ # 1\n # 2\n a, # 3\n # 4\n b # 5\n # 6\n, c # 7\n] # 8\n# 9\n",
    "{ # 1\n a: # 2\n # 3\n b, ? # 4\n c # 5\n : # 6\n d, e: # 7\n}\n# 8\n",
    "# 1\nscalar # 2\n# 3\n",
    "# 1\n>- # 2\n  scalar # no\n# 3\n",
    "- # 1\n  # 2\n  a: b\n  # 3\n    # 4\n# 5\n- # 6\n# 7\n- - # 8\n    # 9\n    - c\n",
    "? a # 1\n# 2\n: # 3\n  # 4\n  b\n  # 5\n? c\n# 6\n",
    "a:\n# 1\n- b\n# 2\n- c\n # 3\n# 4\nd:\n  # 5\ne:\n# 6\n",
    "a: [] # 1\n  # 2\nb: [ # 3\n  # 4\n]\nc: {}\n# 5\n",
    "a: 'b\n  # no' # 1\nc: b #2\n#3\n#\n##\n",
    "a: |+\n  b\n\n# 1\nc: |2\n   d\n  e\n # 2\nf: g\n",
    "- - a\n    # 1\n  # 2\n # 3\n# 4\n",
]


def assert_kept(text: str) -> None:
    for pure in (False, True):
        document = read(text, "x", pure=pure)
        for flow in (None, lambda path, value: True, lambda path, value: len(path) % 2 == 1):
            written = write(document.value, document.comments, flow=flow)
            again = read(written, "x", pure=pure)
            assert again.value == document.value, text
            assert again.comments.texts() == document.comments.texts(), text
            assert write(again.value, again.comments, flow=flow) == written, text


@pytest.mark.parametrize("text", ODD_PLACES)
def test_comments_at_odd_places_survive(text: str) -> None:
    assert_kept(text)
    numbers = {f"# {number}" for number in range(1, 10) if f"# {number}\n" in text}
    assert numbers <= set(read(text, "x").comments.texts())


PLAIN = """\
operator: aclnnAdd
let:
  nd: a - 2
  list:
  - a
  - b: c
    d:
      e: [f, {g: h,
        i: j}, k,
        l]
    m: {n: o,
      p: [q,
      r]}
  -
    - s
    - - t
      - u
  empty:
zero: []
quoted: "a # b"
last: 'x'
"""


@pytest.mark.parametrize("seed", range(150))
def test_comments_at_random_places_survive(seed: int) -> None:
    chance = random.Random(seed)
    lines: list[str] = []
    count = 0
    for line in PLAIN.splitlines():
        while chance.random() < 0.3:
            count += 1
            lines.append(" " * chance.randrange(9) + f"# {count}" + chance.choice(["", " ", "\n", "\n   \n"]))
        if chance.random() < 0.3:
            count += 1
            line += chance.choice([" ", "   "]) + f"# {count} 中: 'x"
        lines.append(line)
    while chance.random() < 0.5:
        count += 1
        lines.append(" " * chance.randrange(9) + f"# {count}")
    text = "\n".join(lines)
    found = read(text, "x").comments.texts()
    assert sorted(int(comment.split()[1]) for comment in found) == list(range(1, count + 1))
    assert read(text, "x").value == read(PLAIN, "x").value
    assert_kept(text)
