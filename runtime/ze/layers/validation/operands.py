"""The memory that the arguments of a call name by their addresses."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.ze.declaration import MemoryUse, function_called
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.system.context import Context
from runtime.ze.layers.validation.call import ApiCall
from xegpu.on_demand import dataclass, imports_on_demand

with imports_on_demand(globals()):
    import numpy as np

_WRITTEN = frozenset({("zeCommandListAppendMemoryFill", "ptr")})
"""The arguments of other names than `dstptr` at which calls write."""


@dataclass(frozen=True)
class MemoryOperand:
    """`size` bytes at `address`, given as the argument `name`, which must be in the memory of `context`.

    With `may_be_of_host` they may be the host's own memory, too. `is_written` if the call writes them.
    """

    name: str
    address: int
    size: int
    context: Context
    may_be_of_host: bool = False
    is_written: bool = False

    @property
    def range(self) -> tuple[Context, int, int]:
        """The context, the address and the size."""
        return self.context, self.address, self.size


def operands_of(call: ApiCall) -> Iterator[MemoryOperand]:
    """Yields the memory that a call names by address: neither host buffers of Python nor empty ranges."""
    context = context_of(call)
    if context is None:
        return
    for use in function_called(call.name).memory:
        address, size = call.arguments[use.argument], use.bytes * _count(call, use)
        if isinstance(address, int | np.integer) and size:
            source = call.arguments.get("hContextSrc") if use.argument == "srcptr" else None
            owner = source if isinstance(source, Context) else context
            is_written = (call.name, use.argument) in _WRITTEN or use.argument == "dstptr"
            yield MemoryOperand(use.argument, int(address), size, owner, True, is_written)


def _count(call: ApiCall, use: MemoryUse) -> int:
    if use.count is None:
        return 1
    value = call.arguments[use.count]
    if isinstance(value, list | tuple):
        return len(value)
    return int(value) if isinstance(value, int | np.integer) and value > 0 else 0


def context_of(call: ApiCall) -> Context | None:
    """Returns the context of a call: that of its first handle that has one."""
    for _, handle in call.handles():
        found = handle if isinstance(handle, Context) else getattr(handle, "context", None)
        if isinstance(handle, Handle) and isinstance(found, Context):
            return found
    return None
