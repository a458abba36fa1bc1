"""Results of the ComputeMux compiler, and the error for all but success (specification: `compiler::Result`)."""

from __future__ import annotations

from enum import Enum


class Result(Enum):
    """The results of the ComputeMux compiler by the names of the specification.

    Functions that succeed return what they make; every other result arrives as a `MuxError`.
    """

    SUCCESS = "success"
    FAILURE = "failure"
    INVALID_VALUE = "invalid value"
    OUT_OF_MEMORY = "out of memory"
    INVALID_BUILD_OPTIONS = "invalid build options"
    INVALID_COMPILER_OPTIONS = "invalid compiler options"
    INVALID_LINKER_OPTIONS = "invalid linker options"
    BUILD_PROGRAM_FAILURE = "build program failure"
    COMPILE_PROGRAM_FAILURE = "compile program failure"
    LINK_PROGRAM_FAILURE = "link program failure"
    FINALIZE_PROGRAM_FAILURE = "finalize program failure"
    FEATURE_UNSUPPORTED = "feature unsupported"


class MuxError(Exception):
    """A call that did not succeed. `result` is the code of the specification, `message` says what is wrong."""

    def __init__(self, result: Result, message: str) -> None:
        super().__init__(result, message)
        self.result = result
        self.message = message

    def __str__(self) -> str:
        return f"{self.result.name}: {self.message}"
