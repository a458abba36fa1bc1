"""Operations that are known, and refused by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NoReturn

from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException


def refused(reasons: Mapping[str, str]) -> Iterator[type[Operation]]:
    """Yields operations that cannot be made, neither from custom nor from generic form, by names and reasons."""
    for name, reason in reasons.items():
        yield _refused(name, reason)


def _refused(name: str, reason: str) -> type[Operation]:
    def create(**_: object) -> NoReturn:
        raise VerifyException(f"is not supported: {reason}")

    def parse(_: Parser) -> NoReturn:
        create()

    members = {"name": name, "create": staticmethod(create), "parse": staticmethod(parse), "__doc__": reason}
    result = type("RefusedOp", (Operation,), members)
    assert issubclass(result, Operation)
    return result
