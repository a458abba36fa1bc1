"""Ops of newer generations that this one cannot express: each is refused by name, with the reason."""

from __future__ import annotations

from typing import NoReturn

from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

_MEMORY_DESCRIPTIONS = "local memory is accessed through a tensor_desc with memory_space = slm"

_REASONS = {
    "xegpu.create_mem_desc": _MEMORY_DESCRIPTIONS,
    "xegpu.dpas_mx": "dpas takes no scales",
    "xegpu.load_matrix": _MEMORY_DESCRIPTIONS,
    "xegpu.store_matrix": _MEMORY_DESCRIPTIONS,
    "xegpu.truncf": "arith.truncf converts between types",
}


def _refused(name: str, reason: str) -> type[Operation]:
    """An op that cannot be made, neither from custom nor from generic form."""

    def create(**_: object) -> NoReturn:
        raise VerifyException(f"has no counterpart in the dialect with sg_map: {reason}")

    def parse(_: Parser) -> NoReturn:
        create()

    members = {"name": name, "create": staticmethod(create), "parse": staticmethod(parse), "__doc__": reason}
    result = type("RefusedOp", (Operation,), members)
    assert issubclass(result, Operation)
    return result


NEWER_OPS = [_refused(name, reason) for name, reason in _REASONS.items()]
