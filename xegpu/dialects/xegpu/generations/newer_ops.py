"""Operations for later GPUs: each is refused by name, with the reason."""

from __future__ import annotations

from typing import NoReturn

from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

_LATER_GPUS = "the 8- and 4-bit floats that it handles are those of later GPUs (Xe3p)"

_REASONS = {"xegpu.dpas_mx": _LATER_GPUS, "xegpu.truncf": _LATER_GPUS}


def _refused(name: str, reason: str) -> type[Operation]:
    """An op that cannot be made, neither from custom nor from generic form."""

    def create(**_: object) -> NoReturn:
        raise VerifyException(f"is not supported: {reason}")

    def parse(_: Parser) -> NoReturn:
        create()

    members = {"name": name, "create": staticmethod(create), "parse": staticmethod(parse), "__doc__": reason}
    result = type("RefusedOp", (Operation,), members)
    assert issubclass(result, Operation)
    return result


NEWER_OPS = [_refused(name, reason) for name, reason in _REASONS.items()]
