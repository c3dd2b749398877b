"""opspec: a machine-readable registry of Ascend CANN aclnn operators and a validator for calls.

>>> import opspec
>>> verdict = opspec.check(
...     "aclnnGeluBackwardV2", product="910b", approximate="sine",
...     gradOutput=opspec.Tensor((2, 3), "FLOAT"), self=opspec.Tensor((2, 3), "FLOAT"),
...     gradInput=opspec.Tensor((2, 3), "FLOAT"),
... )
>>> verdict.status, verdict.violations[0].rule
('ACLNN_ERR_PARAM_INVALID', 'approximate.enum')
"""

__version__ = "0.3.0.dev"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.assist.repair.api import Fix, repair
    from opspec.errors import (
        ArgumentError,
        InternalError,
        OpspecError,
        SpecError,
        UnknownNameError,
        UnknownOperatorError,
        UnknownProductError,
        UnknownReleaseError,
    )
    from opspec.language.values import Scalar, Tensor
    from opspec.registry.folders import Entry
    from opspec.registry.registry import Form, Registry
    from opspec.registry.versions import Reading
    from opspec.validator.api import Verdicts, check
    from opspec.validator.infer import Inference, InferredTensor, infer
    from opspec.validator.verdict import Finding, Verdict

__all__ = ["ArgumentError", "Entry", "Finding", "Fix", "Form", "Inference", "InferredTensor", "InternalError",
           "OpspecError", "Reading", "Registry", "Scalar", "SpecError", "Tensor", "UnknownNameError",
           "UnknownOperatorError", "UnknownProductError", "UnknownReleaseError", "Verdict", "Verdicts", "__version__",
           "check", "infer", "repair"]  # fmt: skip

_HOME = {
    "ArgumentError": "opspec.errors",
    "Entry": "opspec.registry.folders",
    "Finding": "opspec.validator.verdict",
    "Fix": "opspec.assist.repair.api",
    "Form": "opspec.registry.registry",
    "Inference": "opspec.validator.infer",
    "InferredTensor": "opspec.validator.infer",
    "InternalError": "opspec.errors",
    "OpspecError": "opspec.errors",
    "Reading": "opspec.registry.versions",
    "Registry": "opspec.registry.registry",
    "Scalar": "opspec.language.values",
    "SpecError": "opspec.errors",
    "Tensor": "opspec.language.values",
    "UnknownNameError": "opspec.errors",
    "UnknownOperatorError": "opspec.errors",
    "UnknownProductError": "opspec.errors",
    "UnknownReleaseError": "opspec.errors",
    "Verdict": "opspec.validator.verdict",
    "Verdicts": "opspec.validator.api",
    "check": "opspec.validator.api",
    "infer": "opspec.validator.infer",
    "repair": "opspec.assist.repair.api",
}


def __getattr__(name: str) -> object:
    """The public names, imported when first used: ``import opspec`` alone costs next to nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'opspec' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, for who completes and explores."""
    return sorted({*__all__, "__doc__", "__file__", "__name__", "__path__"})
