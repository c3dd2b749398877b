"""How functions that people paste are called, and which params of which operators their arguments are.

``data/signatures.yaml`` has PyTorch's functions and says how they are written; torch_npu's own are those of the table
in ``opspec/torch/data`` that have a schema. ``opspec/web/site/code.js`` reads both.
"""

from __future__ import annotations

import os
import re

from opspec.archive import PACKAGE
from opspec.site.names import calls, mapping, tree_of
from opspec.yamltext.document import Tree

_PATH = os.path.join(PACKAGE, "site", "data", "signatures.yaml")
_PARAM = re.compile(r"[\w\[\]?]+ (\w+)(?:=('[^']*'|\[[^\]]*\]|[^,]+))?(?:, |$)")
_IS = re.compile(r"(\w+) == '(\w+)'")
_PLAIN = re.compile(r"\(?(\w+)(?:,\))?")  # an argument as it is, or as the one element of a list


def signatures() -> dict[str, list[str]]:
    """Function -> the operators that do it, as ``Operator(argument>param=default, …)``."""
    found = {name: list(map(str, texts)) for name, texts in mapping(tree_of(_PATH)).items() if isinstance(texts, list)}
    for call, entry in calls():
        if isinstance(entry, dict) and isinstance(schema := entry.get("schema"), str):
            written = [_written(schema, case) for case in _cases(entry)]
            found.setdefault(call.partition("::")[2].partition(".")[0], []).extend(written)
    return dict(sorted(found.items()))


def _cases(entry: dict[str, Tree]) -> list[dict[str, Tree]]:
    """The operators that a call stands for; those whose condition is more than what a text is come last."""
    cases = entry.get("cases")
    parts = [mapping(case) for case in cases] if isinstance(cases, list) else [entry] if "operator" in entry else []
    return sorted(parts, key=lambda case: "when" in case and not _IS.fullmatch(str(case["when"])))


def _written(schema: str, case: dict[str, Tree]) -> str:
    """The signature of a case: params that take an argument as it is have its name."""
    sources = {param: _PLAIN.fullmatch(source) for param, source in mapping(case.get("args", {})).items()
               if isinstance(source, str)}  # fmt: skip
    param_of = {source[1]: param for param, source in sources.items() if source}
    is_ = _IS.fullmatch(str(case.get("when")))
    told = schema.removeprefix("(").partition(") ->")[0].replace("*, ", "")
    params = [name + (f">{param_of[name]}" if name in param_of else "")
              + (f"{{{is_[2]}:{is_[2]}}}" if is_ and is_[1] == name else "") + (f"={default}" if default else "")
              for name, default in _PARAM.findall(told)]  # fmt: skip
    return f"{str(case['operator']).removeprefix('aclnn')}({', '.join(params)})"
