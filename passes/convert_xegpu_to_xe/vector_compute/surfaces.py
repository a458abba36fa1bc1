"""Messages to surfaces, by their numbers: work-group memory is the only one that needs no binding table."""

from __future__ import annotations

from passes.convert_xegpu_to_xe.lowering.intrinsics import IntrinsicCall, lowers_intrinsic
from passes.convert_xegpu_to_xe.lowering.values import Number
from passes.convert_xegpu_to_xe.vector_compute.access import LaneAccess, load, store, update
from passes.convert_xegpu_to_xe.vector_compute.svm import UPDATES, dwords_of
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import element_type
from xegpu.isa.model import BY_MNEMONIC, DataType

_SHARED = 254
"""The number of the surface that work-group memory is."""
_OWORD = 16
"""The bytes that blocks' offsets count in."""
_DWORD = DataType.UD.size


def _memory(call: IntrinsicCall, index: int) -> MessageMemory:
    """Returns the memory of the surface that an argument numbers."""
    number = call.constant(index) & 0xFF
    if number != _SHARED:
        call.refuse(f"accesses surface {number} of the binding table: expected {_SHARED}, which is local memory")
    return MessageMemory.SHARED


# Blocks ---------------------------------------------------------------------------------------------------------------


@lowers_intrinsic("llvm.genx.oword.ld", "llvm.genx.oword.ld.unaligned")
def load_block(call: IntrinsicCall) -> Number:
    """The offset of an aligned block counts owords, that of others bytes."""
    unit = 1 if call.name.endswith("unaligned") else _OWORD
    return load(LaneAccess(call, 2, _memory(call, 1), _DWORD, dwords_of(call, None), True, unit=unit))


@lowers_intrinsic("llvm.genx.oword.st")
def store_block(call: IntrinsicCall) -> None:
    store(LaneAccess(call, 1, _memory(call, 0), _DWORD, dwords_of(call, 2), True, unit=_OWORD), 2)


# Lanes ----------------------------------------------------------------------------------------------------------------


def _scaled(call: IntrinsicCall, first: int, mask: int | None) -> LaneAccess:
    """Returns the access of an element for each lane; arguments from `first` on are its size and its place."""
    return LaneAccess(
        call,
        first + 4,
        _memory(call, first + 2),
        1 << call.constant(first),
        mask=mask,
        base=first + 3,
        unit=1 << call.constant(first + 1),
    )


@lowers_intrinsic("llvm.genx.gather.scaled")
def gather(call: IntrinsicCall) -> Number:
    return load(_scaled(call, 1, 0), 6)


@lowers_intrinsic("llvm.genx.gather.scaled2")
def gather_all(call: IntrinsicCall) -> Number:
    return load(_scaled(call, 0, None))


@lowers_intrinsic("llvm.genx.gather.masked.scaled2")
def gather_masked(call: IntrinsicCall) -> Number:
    return load(_scaled(call, 0, 5))


@lowers_intrinsic("llvm.genx.scatter.scaled")
def scatter(call: IntrinsicCall) -> None:
    store(_scaled(call, 1, 0), 6)


def _channels(call: IntrinsicCall, first: int, mask: int | None, *, surface: bool = True) -> LaneAccess:
    """Returns the access of several dwords for each lane, those that are set in a mask of channels."""
    channels = call.constant(first) & 0xF
    if channels not in (0b1, 0b11, 0b111, 0b1111):
        call.refuse(f"moves the channels {channels:#06b}, which are not the first ones of a lane")
    at = first + 3 if surface else first + 2
    return LaneAccess(
        call,
        at + 1,
        _memory(call, first + 2) if surface else MessageMemory.GLOBAL,
        _DWORD,
        channels.bit_count(),
        mask=mask,
        base=at,
        unit=1 << call.constant(first + 1),
    )


@lowers_intrinsic("llvm.genx.gather4.scaled")
def gather_channels(call: IntrinsicCall) -> Number:
    return load(_channels(call, 1, 0), 6)


@lowers_intrinsic("llvm.genx.gather4.scaled2")
def gather_all_channels(call: IntrinsicCall) -> Number:
    return load(_channels(call, 0, None))


@lowers_intrinsic("llvm.genx.gather4.masked.scaled2")
def gather_masked_channels(call: IntrinsicCall) -> Number:
    return load(_channels(call, 0, 5))


@lowers_intrinsic("llvm.genx.scatter4.scaled")
def scatter_channels(call: IntrinsicCall) -> None:
    store(_channels(call, 1, 0), 6)


@lowers_intrinsic("llvm.genx.svm.gather4.scaled")
def gather_channels_at_addresses(call: IntrinsicCall) -> Number:
    return load(_channels(call, 1, 0, surface=False), 5)


@lowers_intrinsic("llvm.genx.svm.scatter4.scaled")
def scatter_channels_at_addresses(call: IntrinsicCall) -> None:
    store(_channels(call, 1, 0, surface=False), 5)


# Updates --------------------------------------------------------------------------------------------------------------


@lowers_intrinsic(*(f"llvm.genx.dword.{form}.{name}" for form in ("atomic", "atomic2") for name in UPDATES))
def update_elements(call: IntrinsicCall) -> Number | None:
    """A new value comes before the one that is expected."""
    spec = BY_MNEMONIC[f"atomic_{UPDATES[call.name.rpartition('.')[2]]}"]
    operands = [4, 3] if spec.sources > 1 else [3][: spec.sources]
    if element_type(call.argument(2).type) is None:
        call.refuse(f"has offsets of type {call.argument(2).type}")
    old = 3 + spec.sources if ".atomic." in call.name else None
    return update(LaneAccess(call, 2, _memory(call, 1), call.result_element.size, mask=0), spec, operands, old)
