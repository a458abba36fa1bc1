"""Rules that relate an op to the definition of a value: the error names both locations."""

from __future__ import annotations

from types import TracebackType

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException


class RuleViolation(VerifyException):
    """A broken rule that depends on the origin of some values; `related` holds them, each with its role."""

    def __init__(self, message: str, related: dict[str, SSAValue]):
        super().__init__(message)
        self.related = related


class about:  # noqa: N801 - read as a word: `with about(tensor_desc=value):`
    """Rules that are broken in this block have to do with the values given by name; absent ones may be None.

    >>> with about(lhs=self.lhs, rhs=self.rhs):
    ...     rules.same_element_type(lhs=self.lhs.type, rhs=self.rhs.type)
    """

    __slots__ = ("_values",)

    def __init__(self, **values: SSAValue | None):
        self._values = values

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, VerifyException) and not isinstance(error, RuleViolation):
            values = {name: value for name, value in self._values.items() if value is not None}
            raise RuleViolation(str(error), values) from error
