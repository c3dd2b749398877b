"""The registry: operators by name and release, each with its compiled form, loaded one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from opspec import archive
from opspec.errors import OpspecError, SpecError
from opspec.language.runtime import NoData, Undefined
from opspec.later import later, typing
from opspec.registry import cache, folders, shipped
from opspec.registry.content import content
from opspec.registry.names import Catalogue, unknown_release

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language import interpret
    from opspec.model.definition import Definition
    from opspec.model.load import Loaded
    from opspec.model.spec import Spec
    from opspec.registry import info as about
    from opspec.registry import versions
    from opspec.vocabulary import literals
else:
    about, interpret = later("opspec.registry.info"), later("opspec.language.interpret")
    literals, versions = later("opspec.vocabulary.literals"), later("opspec.registry.versions")

Quick = Callable[[tuple[object, ...]], int]
ParamForm = tuple[str, str, bool, bool, tuple[str, ...], int | None, int | None]
"""Of a param: name, kind, whether it may be null, whether it must be given, other spellings, least and most integer."""

#: calls with something to report that an operator has before its ``judge`` is worth compiling: that takes 2.1 ms in the
#: mean, and saves 0.5 ms a call
INTERPRETED = 5


class Form:
    """An operator's compiled form.

    Attributes:
        params: forms of the params, as ``opspec.validator.arguments.arguments`` takes them.
        support: product id or member -> "yes", "no" or "unknown".
        lacks: what each bit means that a case's ``quick`` gives.
        cases: (product id, member) -> what was made of it so far; see :meth:`case`.
        reader, python_reader: what the validator keeps here to type the arguments of calls with, made for the first
            call.
    """

    __slots__ = ("_code", "_info", "_interpreted", "_judge", "_names", "cases", "lacks", "operator", "params",
                 "python_reader", "reader", "release", "support")  # fmt: skip

    def __init__(self, namespace: dict[str, typing.Any]) -> None:
        self.operator: str = namespace["OPERATOR"]
        self.release: str = namespace["RELEASE"]
        self.params: tuple[ParamForm, ...] = namespace["PARAMS"]
        self.support: dict[str, literals.Support] = namespace["SUPPORT"]
        self.lacks: tuple[tuple[int, int], ...] = namespace["LACKS"]
        self.cases: dict[tuple[str | None, str | None], Case] = {}
        self._names = tuple([param[0] for param in self.params])
        self._code = namespace
        self._judge: Callable[..., None] | None = None
        self._info: about.OperatorInfo | None = None
        self._interpreted = 0
        self.reader: Callable[[Mapping[str, object]], tuple[typing.Any, ...]] | None = None
        self.python_reader: Callable[[Mapping[str, object]], tuple[typing.Any, ...]] | None = None

    @property
    def info(self) -> about.OperatorInfo:
        """What explaining a finding needs, read on first use."""
        if self._info is None:
            from opspec.registry.info import read

            supported = frozenset(name for name, support in self.support.items() if support != "no")
            self._info = read(self._detail("INFO", shipped.INFO), supported)
        return self._info

    @property
    def param_infos(self) -> dict[str, about.ParamInfo]:
        """What a change of a call looks at of its params, by name."""
        from opspec.registry.info import ParamInfo

        outputs = self.info.outputs
        return {
            name: ParamInfo(name, kind, not required, pointer, low, high, name in outputs)
            for name, kind, pointer, required, _, low, high in self.params
        }

    @property
    def judge(self) -> Callable[..., None]:
        """``judge(args, product, member, report)`` calls ``report((rule number, outcome))`` for every rule that is not
        plainly satisfied; see ``opspec.language.outcome``. Compiled on first use."""
        if self._judge is None:
            self._code["_named"] = self._named
            exec(compile(self._detail("JUDGE", shipped.JUDGE), f"<{self.operator} {self.release}>", "exec"), self._code)  # noqa: S102 - generated from typed trees
            self._judge = self._code["judge"]
        return self._judge

    def _named(self, at: int | str) -> str:
        """What an internal error calls the place that ``judge`` had come to: a rule's number or a derived value."""
        return at if isinstance(at, str) else self.info.rules[at].id

    def _detail(self, name: str, part: int) -> str:
        """A part that only a finding needs. That of a form that was shipped lies where it was packed."""
        text: str | None = self._code.get(name) or shipped.part(self.release, self._code["__name__"], part)
        if text is None:  # kept by an interpreter that has LZMA, read by one that has not
            from opspec.registry.compile import compile_operator

            made = compile_operator(definition_of(registry().find(self.operator, self.release)))
            self._code.update(INFO=made.info, JUDGE=made.judge)
            text = self._code[name]
        return text

    @property
    def is_compiled(self) -> bool:
        """Whether the operator has had calls enough with something to report that :attr:`judge` is compiled."""
        return self._judge is not None

    def report(self, args: tuple[object, ...], product: str | None, member: str | None) -> about.Report:
        """What :attr:`judge` reports of a call. The first calls are interpreted: compiling costs as much as a few."""
        if self._judge is None and self._interpreted < INTERPRETED:
            self._interpreted += 1
            return self.interpreted(args, product, member)
        found: about.Report = []
        self.judge(args, product, member, found.append)
        return found

    def interpreted(self, args: tuple[object, ...], product: str | None, member: str | None) -> about.Report:
        """The same by the reference interpreter."""
        from opspec.registry.info import report

        return report(self.operator, self.info, self.environment(args, product, member))

    def environment(self, args: tuple[object, ...], product: str | None, member: str | None) -> interpret.Env:
        """What the interpreter evaluates a call's rules against."""
        return interpret.Env(dict(zip(self._names, args, strict=True)), self.info.lets, product, member)

    def with_info(self, info: about.OperatorInfo) -> Form:
        """The same code with other information on its rules."""
        other = type(self).__new__(type(self))
        for name in ("operator", "release", "params", "support", "lacks", "_code", "_judge", "_names"):
            setattr(other, name, getattr(self, name))
        other.cases, other._info, other._interpreted = {}, info, 0
        other.reader = other.python_reader = None
        return other

    def case(self, product: str | None, member: str | None) -> Case:
        """The operator on a product (None: unknown) and, where the call names one, a member of it."""
        known = self.cases.get((product, member))
        if known is None:
            known = self.cases[product, member] = Case(self, product, member)
        return known

    def quick(self, product: str | None, member: str | None) -> Quick:
        """The function that sees whether a call on a product has nothing to report."""
        values = (_value(atom, product, member) for atom in self._code["ATOMS"])
        quick: Quick = self._code["quick_for"](product is not None, *values)
        return quick


class Case:
    """An operator on a product: what its calls there have in common.

    Attributes:
        named: the product as verdicts name it.
        support: "yes", "no", "unknown"; "yes" too when the product is not known.
        quick: of a call's arguments, the bits of what it lacks (``Form.lacks``), -1 when ``Form.judge`` must see it.
    """

    __slots__ = ("form", "member", "named", "operator", "product", "quick", "release", "support", "supported")

    def __init__(self, form: Form, product: str | None, member: str | None) -> None:
        self.form = form
        self.operator = form.operator
        self.release = form.release
        self.product = product
        self.member = member
        self.named = member or product
        found = (form.support.get(product or ""), form.support.get(member or ""))
        self.support: literals.Support = "unknown"
        if product is None or "yes" in found:
            self.support = "yes"
        elif "no" in found:
            self.support = "no"
        self.supported = self.support == "yes"
        self.quick = form.quick(product, member)


class _Lacking:
    """Stands for an expression over the product that needs to know more of it."""

    def __bool__(self) -> bool:
        raise NoData


def _value(atom: Callable[[str | None, str | None], object], product: str | None, member: str | None) -> object:
    try:
        return atom(product, member)
    except Undefined:
        return _Lacking()


class Registry:
    """Specs from one or more folders.

    Args:
        extra: registry folders of the user's own; they win over the built-in one.

    >>> known = Registry()
    >>> "9.1.0" in known.releases(), "aclnnAdd" in known.entries("9.1.0")
    (True, True)
    >>> entry = known.find("aclnnAdd", "9.1.0")
    >>> entry.family, known.form(entry.operator, entry.release).support["910b"]
    ('math', 'yes')
    """

    def __init__(self, extra: tuple[str, ...] = ()) -> None:
        for folder in extra:
            if not archive.is_folder(folder):
                raise OpspecError("the registry folder does not exist or is no folder", where=folder)
        self.folders = (folders.built_in(), *extra)
        self.catalogue = Catalogue(self.folders)
        self._forms: dict[tuple[str, str | None], Form] = {}

    def releases(self) -> list[str]:
        """All releases, oldest first."""
        return folders.releases(self.folders)

    def check_release(self, release: str | None) -> None:
        """Accept None and each of :meth:`releases`.

        Raises:
            UnknownReleaseError: it is none of them.
        """
        if release is not None and release not in (known := self.releases()):
            raise unknown_release(release, known)

    def is_partial(self, release: str) -> bool:
        """Whether it holds but some operators of a release: what it lacks may be there all the same."""
        return release in folders.partial(self.folders)

    def whole(self) -> list[str]:
        """The releases that tell which operators there are not, oldest first: all but those marked as partial."""
        partial = folders.partial(self.folders)
        return [name for name in self.releases() if name not in partial]

    def nearest(self, name: str, source: str = "") -> versions.Reading:
        """The release that a version of CANN is read as: itself, or the nearest whole one.

        Args:
            name: a release, or a version as toolkits and logs write it: ``8.2.RC1``, ``CANN 9.0.0-beta.2``.
            source: what says so, where it is no person; then a partial release is not what is meant.

        Raises:
            UnknownReleaseError: it is neither, or there is no whole release.
        """
        known = self.releases()
        if name in known and not source:
            return versions.Reading(name, name, (name,))
        there, version = tuple(self.whole()), versions.version(name)
        found = None if version is None else versions.nearest(version, there)
        if version is None or found is None:
            raise unknown_release(name, known)
        return versions.Reading(version, found, there, source)

    def entries(self, release: str) -> dict[str, folders.Entry]:
        """Operator -> entry of a release."""
        return folders.entries(self.folders, release)

    def find(self, operator: str, release: str | None = None) -> folders.Entry:
        """The entry of an operator; see :class:`opspec.registry.names.Catalogue`."""
        return self.catalogue.find(operator, release)

    def form(self, operator: str, release: str | None = None) -> Form:
        """The compiled form of an operator, by default in the newest release that has it.

        Raises:
            OpspecError: there is no such operator or release, or its spec is faulty.
        """
        known = self._forms.get((operator, release))
        if known is None:
            entry = self.find(operator, release)
            known = Form(_shipped(entry) or self._loaded(entry))
            self._forms[operator, release] = self._forms[entry.operator, entry.release] = known
        return known

    def _loaded(self, entry: folders.Entry) -> dict[str, object]:
        spec, whole = content(entry)
        return cache.load(entry.release, entry.operator, whole, lambda: self._compiled(entry, spec))

    def _compiled(self, entry: folders.Entry, spec: bytes) -> str:
        from opspec.registry.compile import compile_operator

        return compile_operator(definition_of(entry, spec)).source


class Unchanging(Registry):
    """A registry whose folders nobody changes while it is used: they are listed once."""

    def __init__(self, extra: tuple[str, ...] = ()) -> None:
        super().__init__(extra)
        self._releases: list[str] | None = None
        self._whole: list[str] | None = None
        self._entries: dict[str, dict[str, folders.Entry]] = {}

    def releases(self) -> list[str]:
        """All releases, oldest first."""
        if self._releases is None:
            self._releases = super().releases()
        return self._releases

    def whole(self) -> list[str]:
        """The releases that tell which operators there are not."""
        if self._whole is None:
            self._whole = super().whole()
        return self._whole

    def entries(self, release: str) -> dict[str, folders.Entry]:
        """Operator -> entry of a release."""
        if release not in self._entries:
            self._entries[release] = super().entries(release)
        return self._entries[release]

    def find(self, operator: str, release: str | None = None) -> folders.Entry:
        """The entry of an operator."""
        found = None if release is None else self.entries(release).get(operator)
        return super().find(operator, release) if found is None else found


def _shipped(entry: folders.Entry) -> dict[str, object] | None:
    """The namespace of the form that an installed package has of one of its own specs."""
    return cache.of_archive(entry.release, entry.operator) if archive.holds(entry.path) else None


_REGISTRIES: dict[tuple[str, ...], Registry] = {}


def registry(specs: Sequence[str] | str = ()) -> Registry:
    """The registry of the built-in specs and of the given folders, or the one folder; made once per set of folders."""
    key = specs if type(specs) is tuple else (specs,) if isinstance(specs, str) else tuple(specs)
    known = _REGISTRIES.get(key)
    if known is None:
        known = _REGISTRIES[key] = Registry(key)
    return known


def all_loaded(known: Registry, release: str) -> Iterator[Loaded]:
    """All spec files of a release, read; each file once."""
    from opspec.model.load import load_file

    for path in dict.fromkeys(entry.path for entry in known.entries(release).values()):
        yield load_file(path)


def definition_of(entry: folders.Entry, spec: bytes | None = None) -> Definition:
    """The definition of an entry's operator, read from its spec.

    Args:
        spec: what the file holds, when it was read before: a form is named after these bytes and made of the same,
            even if the file is edited in between.
    """
    from opspec.model.load import load_bytes, load_file

    return definition_in(load_file(entry.path) if spec is None else load_bytes(spec, entry.path), entry)


def definition_in(loaded: Loaded, entry: folders.Entry) -> Definition:
    """The definition of an entry's operator among those of its file, for who reads a file of twins once."""
    for definition in loaded.definitions:
        if definition.name == entry.operator and definition.spec.release == entry.release:
            return definition
    raise _mislabelled(entry, [definition.name for definition in loaded.definitions], loaded.spec.release)


def form_of(definition: Definition) -> Form:
    """The compiled form of a definition that no registry holds."""
    from opspec.registry.compile import compile_operator

    namespace: dict[str, typing.Any] = {}
    exec(compile(compile_operator(definition).source, f"<{definition.name}>", "exec"), namespace)  # noqa: S102 - from typed trees
    return Form(namespace)


def spec_of(entry: folders.Entry) -> Spec:
    """The model of an entry's spec, for who needs no rules: expanding and typing them costs more than reading."""
    from opspec.model.load import spec_file

    spec = spec_file(entry.path)
    names = [spec.operator, *([spec.twin.operator] if spec.twin is not None else [])]
    if entry.operator not in names or spec.release != entry.release:
        raise _mislabelled(entry, names, spec.release)
    return spec


def _mislabelled(entry: folders.Entry, names: list[str], release: str) -> SpecError:
    text = ", ".join(f"{name} {release}" for name in names)
    return SpecError(
        f"the file's name and folder say {entry.operator} {entry.release}, its text says {text}", where=entry.path
    )
