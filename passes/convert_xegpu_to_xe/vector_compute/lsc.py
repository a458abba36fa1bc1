"""Messages to the load and store unit (`llvm.genx.lsc`): their fields are constants among the arguments."""

from __future__ import annotations

from collections.abc import Mapping

from passes.convert_xegpu_to_xe.lowering.intrinsics import IntrinsicCall, lowers_intrinsic
from passes.convert_xegpu_to_xe.lowering.values import Number
from passes.convert_xegpu_to_xe.vector_compute.access import LaneAccess, load, prefetch, store, update
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import element_type
from xegpu.isa.model import BY_OPCODE, MESSAGE_OPCODE, VECTOR_SIZES, CacheControl, OpSpec

_SPACES = {"stateless": MessageMemory.GLOBAL, "slm": MessageMemory.SHARED}
"""The memories that names end in; surfaces of the binding table are refused by their name."""
_SIZES = {1: 1, 2: 2, 3: 4, 4: 8, 5: 1, 6: 2}
"""The bytes of an element in memory, by their number; those of 5 and 6 take a dword in a register."""
TRANSPOSED = 2
"""The number of the order in which a block has the elements of one address, or columns for rows."""
_POLICIES = {1: "uc", 2: "ca", 3: "wb", 4: "wt", 5: "st", 6: "ri"}
"""The policies of a cache level, by their number."""
_LOADS: Mapping[str, CacheControl] = {control.load_text: control for control in CacheControl}
_STORES: Mapping[str, CacheControl] = {control.store_text: control for control in CacheControl}

_ADDRESSES = 10


def cache_of(l1: int, l3: int, *, stores: bool) -> CacheControl:
    """Returns the control with policies for both levels, the default one where messages have no such control."""
    text = f"{_POLICIES.get(l1, 'df')}.{_POLICIES.get(l3, 'df')}"
    return (_STORES if stores else _LOADS).get(text, CacheControl.DEFAULT)


def _access(call: IntrinsicCall, data: int | None, *, stores: bool = False) -> LaneAccess:
    """Returns the access that arguments describe; argument `data`, or the result, has its elements."""
    space = _SPACES[call.name.rpartition(".")[2]]
    if (scale := call.constant(4)) > 1:
        call.refuse(f"scales addresses by {scale}, which no message does")
    number, count = call.constant(6), call.constant(7)
    size = _SIZES.get(number) if number else _size_of(call, data)
    if size is None or count > len(VECTOR_SIZES):
        call.refuse(f"has elements of kind {number} and vectors of kind {count}, which no message moves")
    offset = call.constant(5)
    return LaneAccess(
        call,
        _ADDRESSES,
        space,
        size,
        VECTOR_SIZES[max(count - 1, 0)],
        call.constant(8) == TRANSPOSED,
        mask=0,
        cache=cache_of(call.constant(2), call.constant(3), stores=stores),
        offset=offset - (1 << 32) if offset >> 31 else offset,
    )


def _size_of(call: IntrinsicCall, data: int | None) -> int | None:
    type = call.result_type if data is None else call.argument(data).type
    element = None if type is None else element_type(type)
    return None if element is None else element.size


@lowers_intrinsic(*(f"llvm.genx.lsc.load.{space}" for space in _SPACES))
def load_elements(call: IntrinsicCall) -> Number:
    return load(_access(call, None))


@lowers_intrinsic(*(f"llvm.genx.lsc.load.merge.{space}" for space in _SPACES))
def load_over(call: IntrinsicCall) -> Number:
    """Lanes that are off have the elements of the last argument."""
    return load(_access(call, None), _ADDRESSES + 2)


@lowers_intrinsic(*(f"llvm.genx.lsc.store.{space}" for space in _SPACES))
def store_elements(call: IntrinsicCall) -> None:
    store(_access(call, _ADDRESSES + 1, stores=True), _ADDRESSES + 1)


@lowers_intrinsic("llvm.genx.lsc.prefetch.stateless")
def prefetch_elements(call: IntrinsicCall) -> None:
    prefetch(_access(call, None))


@lowers_intrinsic(*(f"llvm.genx.lsc.xatomic.{space}" for space in _SPACES))
def update_elements(call: IntrinsicCall) -> Number | None:
    spec = atomic_spec(call, call.constant(1))
    return update(_access(call, None), spec, [_ADDRESSES + 1 + each for each in range(spec.sources)], _ADDRESSES + 4)


def atomic_spec(call: IntrinsicCall, operation: int) -> OpSpec:
    """Returns the instruction of an atomic operation by its number."""
    spec = BY_OPCODE.get((MESSAGE_OPCODE, operation))
    if spec is None or spec.access is None or not spec.mnemonic.startswith("atomic_"):
        call.refuse(f"makes updates of kind {operation:#x}, which no message makes")
    return spec
