"""opspec: a machine-readable registry of Ascend CANN aclnn operators and a validator for calls."""

__version__ = "0.1.0"
