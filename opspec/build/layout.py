"""What an SDK holds: libraries and what they are made of, and the small files beside them.

::

    DIR/include        acl, aclnn, aclnnop, hccl
    DIR/lib64          the libraries; lib leads there
    DIR/lib64/cmake    a package for find_package(opspec-sdk)
    DIR/opp            what ASCEND_OPP_PATH names: nothing but a version
    DIR/setenv.sh      the environment to build and run in
    DIR/opspec-sdk.json   what it was built for: a folder with this file is an SDK
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

import opspec
from opspec import csrc
from opspec.build.groups import GROUPS
from opspec.codegen.rules.cvalues import product_name
from opspec.codegen.stubs.render import render
from opspec.errors import OpspecError
from opspec.files import template_folder

#: The file that tells an SDK from other folders.
MARK = "opspec-sdk.json"
#: Where sources and objects are while it is built.
WORK = ".build"


@dataclass(frozen=True, slots=True)
class Library:
    """A library that is written by hand.

    Args:
        name: without ``lib`` and ``.so``.
        folders: whose ``.c`` files it is made of.
        needs: the libraries that it is linked to.
        aliases: other names of it: links to the one file, so that its state is there once.
        system: what of the system it is linked to.
    """

    name: str
    folders: tuple[str, ...]
    needs: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    system: tuple[str, ...] = ()

    def sources(self) -> list[str]:
        """Its ``.c`` files."""
        return [
            os.path.join(folder, name)
            for folder in self.folders
            for name in sorted(os.listdir(folder))
            if name.endswith(".c")
        ]


#: In the order in which they are linked. All state is in the first one.
LIBRARIES = (
    Library(
        "opspec_sim",
        (csrc.RULES, csrc.SHARED, os.path.join(csrc.SIMULATOR, "core")),
        system=("-lpthread", "-ldl", "-lm"),
    ),
    Library("ascendcl", (os.path.join(csrc.SIMULATOR, "ascendcl"),), ("opspec_sim",), ("acl_rt",), ("-lpthread",)),
    Library("nnopbase", (os.path.join(csrc.SIMULATOR, "nnopbase"),), ("opspec_sim",), (), ("-lpthread",)),
    Library("hccl", (os.path.join(csrc.SIMULATOR, "hccl"),), ("opspec_sim",), ("hccl_fwk",), ("-lpthread",)),
    Library("c_sec", (os.path.join(csrc.SIMULATOR, "securec"),)),
)
#: What the operators' libraries are linked to; they export nothing but the operators and their rules.
OPERATORS_NEED = ("nnopbase", "opspec_sim")
OPERATORS_EXPORT = ("aclnn*", "opspec_aclnn*")
#: The library of all operators, for older link lines: the loader takes each from its group's library.
ALL_OPERATORS = "opapi"


def operator_library(group: str) -> str:
    """The library of a group of operators."""
    return f"opapi_{group}"


def library_names() -> list[str]:
    """All names that a linker finds, without ``lib`` and ``.so``."""
    by_hand = [name for library in LIBRARIES for name in (library.name, *library.aliases)]
    return [*by_hand, ALL_OPERATORS, *map(operator_library, GROUPS)]


@dataclass(frozen=True, slots=True)
class Target:
    """What an SDK plays.

    Args:
        member: of the product, where it is narrowed to one.
    """

    release: str
    product: str
    member: str | None = None


#: Product or member -> the name of a chip of it.
_CHIPS = {
    "950": "Ascend950",
    "950pr": "Ascend950PR_9599",
    "950dt": "Ascend950DT_9595",
    "A3": "Ascend910_9391",
    "910b": "Ascend910B1",
    "310b": "Ascend310B1",
    "310p": "Ascend310P3",
    "910": "Ascend910A",
    "310": "Ascend310",
    "kirinx90": "KirinX90",
    "kirin9030": "Kirin9030",
}


def chip(target: Target) -> str:
    """What ``aclrtGetSocName`` says."""
    return _CHIPS.get(target.member or "") or _CHIPS[target.product]


def target_source(target: Target) -> str:
    """The C file that tells the run time what it plays; declared in ``sim_target.h``."""
    member = product_name(target.member) if target.member else "0"
    return render(
        "sdk/sim_target.c.j2",
        product=product_name(target.product), member=member, chip=chip(target), release=target.release,
    )  # fmt: skip


def small_files(target: Target, operators: list[str], architecture: str) -> dict[str, str]:
    """Path -> text of what is neither header nor library."""
    found = {
        "setenv.sh": _template("setenv.sh"),
        "lib64/cmake/opspec-sdk/opspec-sdk-config.cmake": _template("opspec-sdk-config.cmake"),
        "lib64/cmake/opspec-sdk/opspec-sdk-config-version.cmake": render(
            "sdk/opspec-sdk-config-version.cmake.j2", release=target.release
        ),
    }
    about = {
        "opspec": opspec.__version__,
        "release": target.release,
        "product": target.member or target.product,
        "soc": chip(target),
        "arch": architecture,
        "operators": sorted(operators),
    }
    found[MARK] = json.dumps(about, indent=1) + "\n"
    found["version.info"] = f"Version={target.release}\nversion_dir=opspec-sdk\n"
    # What ASCEND_OPP_PATH names: operators' definitions and kernels, of which there are none.
    found["opp/version.info"] = found["version.info"]
    # Build files ask these for the version and the architecture.
    found[f"{architecture}-linux/ascend_toolkit_install.info"] = (
        f"package_name=opspec-sdk\nversion={target.release}\narch={architecture}\nos=linux\n"
    )
    return found


def links(architecture: str) -> dict[str, str]:
    """Path -> where it leads, beside the other names of libraries."""
    found = {"lib": "lib64", "set_env.sh": "setenv.sh"}  # the second is CANN's name
    for name in ("include", "lib64"):
        found[f"{architecture}-linux/{name}"] = f"../{name}"
    for library in LIBRARIES:
        for alias in library.aliases:
            found[f"lib64/lib{alias}.so"] = f"lib{library.name}.so"
    return found


def read_mark(folder: str) -> dict[str, object]:
    """What an SDK was built for.

    Raises:
        OpspecError: the folder is no SDK.
    """
    try:
        with open(os.path.join(folder, MARK), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict):
        raise OpspecError("this is not an SDK that 'opspec sdk build' made", where=folder)
    return found


def _template(name: str) -> str:
    with open(os.path.join(template_folder(), "sdk", name), encoding="utf-8") as file:
        return file.read()
