"""The smallest program that makes one call: a file of C that needs CANN's headers, or none, and nothing else."""

from __future__ import annotations

from opspec.codegen.stubs import names
from opspec.codegen.stubs.call import stub
from opspec.codegen.stubs.example import Given
from opspec.model.definition import Definition


def program(definition: Definition, given: Given) -> str:
    """The program: the stub's header, its wrapper and the call, one behind the other.

    Args:
        given: the call, and what is said of it at the head.

    Raises:
        OpspecError: the spec is partial, or the call does not fit the operator or has no form in C.
    """
    files = stub(definition, given=given)
    stem = names.file_stem(definition.name)
    header, wrapper, main = (files[f"{stem}{end}"] for end in (".h", ".c", "_example.c"))
    own = f'#include "{stem}.h"\n'
    said, _, rest = main.partition("*/\n")
    return "\n".join([f"{said}*/", header, wrapper.replace(own, ""), rest.replace(own, "")])
