"""Names that other versions of the dialect give to an op."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation


def spelling(name: str, op: type[IRDLOperation]) -> type[Operation]:
    """Returns the class that a dialect registers so that `name` is read as `op`, in custom and in generic form."""
    members = {
        "name": name,
        "__doc__": f"Another name of `{op.name}`.",
        "parse": op.parse,
        "create": op.create,
        "get_irdl_definition": op.get_irdl_definition,
    }
    result = type(f"{op.__name__}Spelling", (IRDLOperation,), members)
    assert issubclass(result, Operation)
    return result
