"""Letters in place of phrases in a shape, and what each is."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.prose import shapes
from opspec.language.prose.nouns import Nouns
from opspec.language.types import INTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose.writer import Writer

_FORMULAS = frozenset({"ceil_div", "floor", "min", "max", "align_up"})
_POOL = "NMPQRSTUVWXYZDEFGH"


def lettered(writer: Writer, items: tuple[tree.Node, ...]) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """Shapes whose dims are letters, and what these are; nothing of the second where they need none."""
    if not writer.letters or not all(map(_is_put_together, items)):
        return [], ()
    reader = Lettering(writer, {})
    for item in items:
        reader.noun(item)
    if not reader.found:
        return [], ()
    letters = _letters(writer, reader.found)
    texts = list(map(Lettering(writer, {phrase: letter for phrase, (letter, _) in letters.items()}).noun, items))
    return texts, tuple(letters[phrase] for phrase in reader.found)


def _is_put_together(node: tree.Node) -> bool:
    """Whether a shape is a list of dims, maybe behind or before those of a tensor, and hangs on no condition."""
    if node.type != INTS or not (isinstance(node, tree.Seq) or (isinstance(node, tree.Binary) and node.op == "+")):
        return False
    dims = [dim for dim, is_list in shapes.pieces(node) if not is_list]
    lists = [piece for piece, is_list in shapes.pieces(node) if is_list]
    if lists and len(dims) < 2:
        return False
    apart = (tree.If, tree.Each, tree.Slice)
    return not any(isinstance(part, apart) for dim in dims for part in tree.walk(dim)) and not any(
        isinstance(part, tree.If) for piece in lists for part in tree.walk(piece)
    )


class Lettering(Nouns):
    """Writes a shape with letters in place of phrases, as far as it has such, and finds those that stand for them."""

    def __init__(self, plain: Writer, letters: dict[str, str]) -> None:
        super().__init__(plain.lang, plain.terms, plain.bound, plain.depth, plain.notes)
        self.plain = plain
        self.letters = letters
        self.found: dict[str, tree.Node] = {}

    def stating(self, node: tree.Node) -> str:
        return self.plain.stating(node)

    def noun(self, node: tree.Node) -> str:
        """A value; a phrase by its letter."""
        if node.type.name == "list" and not isinstance(node, (tree.Seq, tree.Binary)):
            return self.plain.noun(node)
        if isinstance(node, tree.Let):
            unnamed = self.terms.phrase(node.name, self.lang) is None
            own = not unnamed or self.stands_for(node) is None
        else:
            own = isinstance(node, (tree.Attr, tree.Index, tree.Length)) or (
                isinstance(node, tree.Call) and node.function not in _FORMULAS
            )
        if not own:
            return super().noun(node)
        text = self.plain.noun(node)
        if self.plain.is_named(text):
            return text
        self.found.setdefault(text, node)
        return self.letters.get(text, text)


def _letters(writer: Writer, found: dict[str, tree.Node]) -> dict[str, tuple[str, str]]:
    """The letter of each phrase, by which its author calls it where one does, and what it is.

    A letter is the same thing in the whole sentence.
    """
    known = writer.notes.letters
    named = {
        text: writer.terms.lettered(node.name, writer.lang) if isinstance(node, tree.Let) else None
        for text, node in found.items()
    }
    taken = {*writer.terms.letters, *(letter for letter, _ in known.values())}
    taken.update(word for text in found for word in text.replace("(", " ").replace(")", " ").split())
    taken.update(one[0] for one in named.values() if one is not None)
    pool = (letter for letter in _POOL if letter not in taken)
    for text, own in named.items():
        if text in known:
            continue
        if own is not None and all(letter != own[0] for letter, _ in known.values()):
            known[text] = own
        else:
            known[text] = next(pool), text
    return {text: known[text] for text in found}
