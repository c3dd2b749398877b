"""The release's table of kernels: which dtypes and formats each one takes together, on which products.

``kernels.jsonl`` beside the families of a release has a kernel a line. A row of combinations has a word per required
input and output, in their order: a dtype, with its format where that is not ND (``INT8/FRACTAL_NZ``). Optional ones are
no part of a row: nothing compares them. One command writes the file (``opspec kernels``); specs name kernels of it.
"""

from __future__ import annotations

from opspec.errors import OpspecError, did_you_mean, shown
from opspec.language.record import record
from opspec.model import lines

FILE = "kernels.jsonl"
REQUIRED, OPTIONAL, DYNAMIC = KINDS = ("REQUIRED", "OPTIONAL", "DYNAMIC")
PLAIN = "ND"  # the format that a word without one has

#: dtype and format of an input or output
Word = tuple[str, str]


@record(frozen=True, slots=True)
class Combinations:
    """The combinations that a kernel takes on some products: a word per required input and output in each."""

    products: tuple[str, ...]
    rows: tuple[tuple[Word, ...], ...]


@record(frozen=True, slots=True)
class Kernel:
    """A kernel's definition.

    Args:
        inputs, attrs, outputs: name -> REQUIRED, OPTIONAL or (a list) DYNAMIC. An output may have an input's name: then
            the interface has one param for both.
    """

    name: str
    inputs: dict[str, str]
    attrs: dict[str, str]
    outputs: dict[str, str]
    combinations: tuple[Combinations, ...]

    @property
    def products(self) -> tuple[str, ...]:
        """The products that it is there on."""
        return tuple(product for group in self.combinations for product in group.products)

    @property
    def compared(self) -> tuple[str, ...]:
        """The inputs and outputs that the words of a row stand for."""
        return tuple(name for part in (self.inputs, self.outputs) for name, kind in part.items() if kind != OPTIONAL)

    @property
    def own_outputs(self) -> tuple[str, ...]:
        """The outputs that are no inputs, too."""
        return tuple(name for name in self.outputs if name not in self.inputs)


def file_of(spec: str) -> str:
    """The file of kernels for a spec file."""
    return lines.file_of(spec, FILE)


def line_of(spec: str, name: str) -> bytes:
    """The line of a kernel in the release of a spec file, empty where there is none."""
    return lines.line(file_of(spec), "kernel", name)


def kernel_of(spec: str, name: str) -> Kernel:
    """The kernel of that name in the release of a spec.

    Args:
        spec: the path of the spec.

    Raises:
        OpspecError: there is none, or its line is damaged.
    """
    import json

    path = file_of(spec)
    line = line_of(spec, name)
    if not line:
        known = [str(json.loads(other)["kernel"]) for other in lines.read(path).splitlines()]
        raise OpspecError(f"unknown kernel {shown(name)}{did_you_mean(name, known)}; {FILE} of the release has all")
    return parsed(line, path)


def parsed(line: bytes, where: str) -> Kernel:
    """The kernel of a line.

    Raises:
        OpspecError: the line is damaged.
    """
    import json

    try:
        value = json.loads(line)
        groups = tuple(
            Combinations(tuple(group["products"]), tuple(tuple(map(_word, row.split())) for row in group["rows"]))
            for group in value["combinations"]
        )
        kernel = Kernel(str(value["kernel"]), value["inputs"], value["attrs"], value["outputs"], groups)
        kinds = {kind for part in (kernel.inputs, kernel.attrs, kernel.outputs) for kind in part.values()}
        width = len(kernel.compared)
        whole = all(len(row) == width for group in groups for row in group.rows)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        kinds, whole = set(), False
    if not whole or not kinds <= set(KINDS):
        form = '{"kernel": …, "inputs": …, "attrs": …, "outputs": …, "combinations": [{"products": …, "rows": …}]}'
        raise OpspecError(f"expected {form}", where=where)
    return kernel


def text_of(kernel: Kernel) -> str:
    """The line of a kernel."""
    import json

    groups = [
        {"products": group.products, "rows": [" ".join(map(_text, row)) for row in group.rows]}
        for group in kernel.combinations
    ]
    parts = {"inputs": kernel.inputs, "attrs": kernel.attrs, "outputs": kernel.outputs}
    return json.dumps({"kernel": kernel.name, **parts, "combinations": groups})


def _word(text: str) -> Word:
    dtype, _, format_ = text.partition("/")
    return dtype, format_ or PLAIN


def _text(word: Word) -> str:
    dtype, format_ = word
    return dtype if format_ == PLAIN else f"{dtype}/{format_}"
