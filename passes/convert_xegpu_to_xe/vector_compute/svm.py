"""Accesses at 64-bit addresses (`llvm.genx.svm`): blocks, gathers, scatters and atomic updates."""

from __future__ import annotations

from passes.convert_xegpu_to_xe.lowering.intrinsics import IntrinsicCall, lowers_intrinsic
from passes.convert_xegpu_to_xe.lowering.values import Number
from passes.convert_xegpu_to_xe.vector_compute.access import LaneAccess, load, store, update
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import element_count, element_type
from xegpu.isa.model import BY_MNEMONIC, DataType

_DWORD = DataType.UD.size
_MOST_BLOCKS = 8
"""The elements that a lane may access at once."""


def dwords_of(call: IntrinsicCall, data: int | None) -> int:
    """Returns the dwords of a block, which argument `data` or the result has."""
    type = call.result_type if data is None else call.argument(data).type
    element = None if type is None else element_type(type)
    if type is None or element is None or element_count(type) * element.size % _DWORD:
        call.refuse(f"moves a block of type {type}, which is not a number of dwords")
    return element_count(type) * element.size // _DWORD


def _block(call: IntrinsicCall, data: int | None) -> LaneAccess:
    return LaneAccess(call, 0, MessageMemory.GLOBAL, _DWORD, dwords_of(call, data), True)


@lowers_intrinsic("llvm.genx.svm.block.ld", "llvm.genx.svm.block.ld.unaligned")
def load_block(call: IntrinsicCall) -> Number:
    return load(_block(call, None))


@lowers_intrinsic("llvm.genx.svm.block.st")
def store_block(call: IntrinsicCall) -> None:
    store(_block(call, 1), 1)


def _lanes(call: IntrinsicCall, data: int) -> LaneAccess:
    """Returns the access of an element for each lane; several bytes are one element.

    Words come as pairs of bytes, in vectors that have two for each lane, the first of which counts.
    """
    type, blocks = call.argument(data).type, 1 << call.constant(1)
    element = element_type(type)
    if element is None or blocks > _MOST_BLOCKS:
        call.refuse(f"moves {blocks} elements of type {type} for each lane, which is not supported")
    if element.size >= _DWORD:
        return LaneAccess(call, 2, MessageMemory.GLOBAL, element.size, blocks, mask=0)
    in_bytes = element.size == 1 or element_count(type) > element_count(call.argument(2).type)
    if not in_bytes and blocks > 1:
        call.refuse(f"moves {blocks} elements of type {type} for each lane, which is not supported")
    return LaneAccess(call, 2, MessageMemory.GLOBAL, blocks if in_bytes else element.size, mask=0)


@lowers_intrinsic("llvm.genx.svm.gather")
def gather(call: IntrinsicCall) -> Number:
    return load(_lanes(call, 3), 3)


@lowers_intrinsic("llvm.genx.svm.scatter")
def scatter(call: IntrinsicCall) -> None:
    store(_lanes(call, 3), 3)


UPDATES = {
    "add": "iadd",
    "sub": "isub",
    "inc": "iinc",
    "dec": "idec",
    "min": "umin",
    "max": "umax",
    "imin": "smin",
    "imax": "smax",
    "xchg": "store",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "fmin": "fmin",
    "fmax": "fmax",
    "fadd": "fadd",
    "fsub": "fsub",
    "cmpxchg": "icas",
    "fcmpwr": "fcas",
}
"""The atomic messages, by the names of the updates."""


@lowers_intrinsic(*(f"llvm.genx.svm.atomic.{name}" for name in UPDATES))
def update_elements(call: IntrinsicCall) -> Number | None:
    spec = BY_MNEMONIC[f"atomic_{UPDATES[call.name.rpartition('.')[2]]}"]
    # A new value comes before the one that is expected.
    operands = [3, 2] if spec.sources > 1 else [2][: spec.sources]
    access = LaneAccess(call, 1, MessageMemory.GLOBAL, call.result_element.size, mask=0)
    return update(access, spec, operands, 2 + spec.sources)
