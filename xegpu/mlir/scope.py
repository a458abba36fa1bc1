"""Names of values, region by region."""

from __future__ import annotations

from typing import TypeVar

from typing_extensions import override
from xdsl.ir import SSAValue

T = TypeVar("T")

Values = tuple[SSAValue, ...]


class ValueScope(dict[str, Values]):
    """The values that a region defines, and those that it sees around it.

    xDSL copies its dictionary of values at the start of every region, which makes a long function with many loops slow.
    """

    def __init__(self, around: dict[str, Values] | None = None):
        super().__init__()
        self._around = {} if around is None else around

    def __missing__(self, name: str) -> Values:
        return self._around[name]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._around

    # One signature for methods that dict overloads.
    @override
    def get(self, name: str, default: Values | T | None = None) -> Values | T | None:  # type: ignore[override]
        try:
            return self[name]
        except KeyError:
            return default
