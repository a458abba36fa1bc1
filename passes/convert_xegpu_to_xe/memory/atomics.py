"""Lowers atomic updates of memory: one message, or a compare-and-exchange loop where no message does the update."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from xdsl.ir import Block, Operation, SSAValue

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, MemRef, Number, UniformConstant
from passes.convert_xegpu_to_xe.math.combining import combine
from passes.convert_xegpu_to_xe.memory.lane_messages import lane_message, received, sent
from passes.convert_xegpu_to_xe.memory.memref_access import accessed_memref, element_addresses
from passes.kernel.register_types import BOOLEAN
from xegpu.dialects.upstream.memref import AtomicRMWOp, GenericAtomicRMWOp
from xegpu.dialects.xe import (
    BranchOp,
    CondBranchOp,
    CopyOp,
    GRFType,
    MessageAttr,
    Write,
    alu_op,
    message_op,
    register_bytes,
    register_type,
)
from xegpu.isa.formats import atomic_type
from xegpu.isa.model import (
    BY_MNEMONIC,
    AddressModel,
    Condition,
    DataSize,
    DataType,
    Immediate,
    Message,
    Unit,
    data_bytes,
    integer,
)
from xegpu.targets import Feature

WORD = DataType.UD
"""The narrowest type of which every memory can exchange an element."""
Update = Callable[[Elements], Number]
"""Returns the new value of an element, given the old one."""

_MESSAGES = {
    "addf": "atomic_fadd",
    "addi": "atomic_iadd",
    "andi": "atomic_and",
    "assign": "atomic_store",
    "maxnumf": "atomic_fmax",
    "maxs": "atomic_smax",
    "maxu": "atomic_umax",
    "minnumf": "atomic_fmin",
    "mins": "atomic_smin",
    "minu": "atomic_umin",
    "ori": "atomic_or",
    "xori": "atomic_xor",
}
"""By kind of update: the message that does it, and the types that it supports."""
_COMBINATIONS = {
    **dict.fromkeys(("addf", "addi"), "add"),
    **dict.fromkeys(("mulf", "muli"), "mul"),
    "andi": "and",
    "ori": "or",
    "xori": "xor",
    "maxs": "maxsi",
    "mins": "minsi",
    "maxu": "maxui",
    "minu": "minui",
    **{kind: kind for kind in ("maximumf", "maxnumf", "minimumf", "minnumf")},
}
"""By kind of update: the kind of reduction that combines the old value with the new one."""


@dataclass(frozen=True)
class AtomicTarget:
    """An element of memory for each of `lanes` lanes; `flag` disables lanes, as the execution mask does."""

    message: Message
    addresses: SSAValue
    type: DataType
    lanes: int
    no_mask: bool
    flag: SSAValue | None = None

    @property
    def is_private(self) -> bool:
        """True for memory that other threads do not reach."""
        return self.message.model is AddressModel.SCRATCH


def atomic_update(
    lowering: KernelLowering, op: Operation, place: AtomicTarget, kind: str, value: Number, *, wanted: bool
) -> Elements | None:
    """Updates each lane's element; returns the old values if they are `wanted`."""
    mnemonic = None if place.is_private else _MESSAGES.get(kind)
    native = mnemonic is not None and _has(lowering, place, mnemonic)
    if mnemonic is not None and native:
        old = send_atomic(lowering, place, mnemonic, [value], wanted)
        return None if old is None else received(lowering.emit, place.message, old, place.type, place.lanes)
    return compare_and_exchange(lowering, op, place, lambda old: _combine(lowering, place, kind, old, value))


def _has(lowering: KernelLowering, place: AtomicTarget, mnemonic: str) -> bool:
    """Returns whether the target has the atomic message, and it works in the type of the elements."""
    computed = atomic_type(BY_MNEMONIC[mnemonic], place.message.unit, place.message.data_size)
    if computed is None or (computed is DataType.DF and not lowering.target.platform.has(Feature.FP64)):
        return False
    return computed is place.type if place.type.is_float and computed.is_float else computed.bits == place.type.bits


def _combine(lowering: KernelLowering, place: AtomicTarget, kind: str, old: Elements, value: Number) -> Number:
    if kind == "assign":
        return value
    return combine(lowering.emit, _COMBINATIONS[kind], place.type, old, value, place.lanes)


def compare_and_exchange(lowering: KernelLowering, op: Operation, place: AtomicTarget, update: Update) -> Elements:
    """Repeats until no other thread has changed any lane's element between the read and the exchange."""
    emit, lanes, message = lowering.emit, place.lanes, place.message
    if place.is_private:
        return _load_and_store(lowering, place, update)
    if place.type.size < WORD.size and not _has(lowering, place, "atomic_icas"):
        return _part_of_a_word(lowering, op, place, update)
    if not _has(lowering, place, "atomic_icas"):
        unit = "shared local memory" if message.unit is Unit.SLM else "memory"
        lowering.refuse(
            op, f"is not supported: {unit} has no atomic update of {place.type.bits}-bit elements, nor an exchange"
        )
    bits = integer(place.type.bits, signed=False)
    # What the first exchange expects is a guess. A plain load for it would race with those of others.
    first = _zeros(lowering, place)
    if _has(lowering, place, "atomic_load"):
        first = emit.load(
            "atomic_load",
            message,
            place.addresses,
            exec_size=lanes,
            flag=place.flag,
            no_mask=place.no_mask,
            into=first,
        )
    pending = _taking_part(lowering, place)
    old = _dense(lowering, received(emit, message, first, bits, lanes))
    body = Block(arg_types=[register_type(old), register_type(pending)])
    emit.add(BranchOp(body, [old, pending]))
    lowering.blocks.open(body)
    expected, waiting = Elements(body.args[0], bits, lanes, 0, lanes), Elements(body.args[1], BOOLEAN, lanes)
    new = update(expected.as_type(place.type))
    flag = emit.flag(waiting, 0, lanes)
    returned = send_atomic(lowering, place, "atomic_icas", [expected, _as_bits(new, bits)], True, flag=flag)
    assert returned is not None
    found = received(emit, message, returned, bits, lanes)
    failed = emit.alu("cmp", BOOLEAN, [found, expected], lanes, condition=Condition.NE)
    waiting = emit.alu("and", BOOLEAN, [waiting, failed], lanes)
    # Lanes that are done keep the value that they found: it is the result of the operation.
    kept = emit.alu("sel", bits, [found, expected], lanes, predicate=waiting)
    again, done = Block(), Block()
    emit.add(CondBranchOp(_any(lowering, waiting), again, done))
    lowering.blocks.open(again)
    emit.add(BranchOp(body, [kept.register, waiting.register]))
    lowering.blocks.open(done)
    return Elements(expected.register, place.type, lanes, 0, lanes)


def _load_and_store(lowering: KernelLowering, place: AtomicTarget, update: Update) -> Elements:
    """Updates elements of private memory, which nobody else can change in between."""
    emit, lanes, message = lowering.emit, place.lanes, place.message
    before = None if place.flag is None else _zeros(lowering, place)
    loaded = emit.load(
        "load", message, place.addresses, exec_size=lanes, into=before, flag=place.flag, no_mask=place.no_mask
    )
    old = received(emit, message, loaded, place.type, lanes)
    data = sent(emit, message, [update(old)], lanes)
    emit.send("store", message, place.addresses, data, exec_size=lanes, flag=place.flag, no_mask=place.no_mask)
    return old


def _part_of_a_word(lowering: KernelLowering, op: Operation, place: AtomicTarget, update: Update) -> Elements:
    """Exchanges the aligned word around each lane's element, in which only the element changes."""
    emit, lanes, bits = lowering.emit, place.lanes, integer(place.type.bits, signed=False)
    type = integer(8 * place.message.address_size.size, signed=False)
    addresses = Elements(place.addresses, type, lanes, 0, lanes)
    if place.message.offset:
        addresses = emit.alu("add", type, [addresses, UniformConstant(type, place.message.offset)], lanes)
    inside = UniformConstant(type, WORD.size - 1)
    rest = emit.unary("mov", WORD, emit.alu("and", type, [addresses, inside], lanes), lanes)
    shift = emit.alu("shl", WORD, [rest, UniformConstant(WORD, 3)], lanes)
    outside = UniformConstant(type, (1 << type.bits) - WORD.size)
    words = emit.alu("and", type, [addresses, outside], lanes, alignment=lowering.target.platform.grf_bytes)
    ones = emit.unary("mov", WORD, UniformConstant(WORD, (1 << place.type.bits) - 1), lanes)
    kept = emit.unary("not", WORD, emit.alu("shl", WORD, [ones, shift], lanes), lanes)

    def element(word: Elements) -> Elements:
        low = emit.alu("shr", WORD, [word, shift], lanes)
        return Elements(emit.unary("mov", bits, low, lanes).register, place.type, lanes, 0, lanes)

    def changed(word: Elements) -> Number:
        new = emit.unary("mov", WORD, _as_bits(update(element(word)), bits), lanes)
        moved = emit.alu("shl", WORD, [new, shift], lanes)
        return emit.alu("or", WORD, [emit.alu("and", WORD, [word, kept], lanes), moved], lanes)

    message = replace(place.message, data_size=DataSize.D32, offset=0)
    around = replace(place, message=message, addresses=words.register, type=WORD)
    return element(compare_and_exchange(lowering, op, around, changed))


def _dense(lowering: KernelLowering, value: Elements) -> SSAValue:
    """Returns a register that holds the elements alone: messages of few lanes return whole registers."""
    if register_bytes(value.register.type) == value.count * value.type.size:
        return value.register
    return lowering.emit.alu("mov", value.type, [value], value.count).register


def _as_bits(number: Number, bits: DataType) -> Number:
    return UniformConstant(bits, number.bits) if isinstance(number, UniformConstant) else number.as_type(bits)


def _zeros(lowering: KernelLowering, place: AtomicTarget) -> SSAValue:
    """Returns zeros for inactive lanes to read, so that they compute with defined values."""
    emit, target = lowering.emit, lowering.target
    size = data_bytes(place.message, place.lanes, target.platform.grf_bytes, target.platform.physical_simd_width)
    zero = UniformConstant(DataType.UD, 0)
    return emit.alu("mov", DataType.UD, [zero], size // DataType.UD.size, alignment=target.platform.grf_bytes).register


def _taking_part(lowering: KernelLowering, place: AtomicTarget) -> SSAValue:
    """Returns a boolean for each lane: whether it is active."""
    emit = lowering.emit
    nobody = emit.alu("mov", BOOLEAN, [UniformConstant(BOOLEAN, 0)], place.lanes)
    operation = alu_op("mov")(
        place.lanes,
        [Immediate.of(-1, BOOLEAN)],
        Write(BOOLEAN),
        register_type(nobody.register),
        into=nobody.register,
        flag=place.flag,
        no_mask=place.no_mask,
    )
    emit.add(operation)
    return operation.results[0]


def _any(lowering: KernelLowering, booleans: Elements) -> SSAValue:
    """Returns a flag whose first bit is set if any of the booleans is true."""
    emit, dword = lowering.emit, DataType.UD
    flag = emit.flag(booleans, 0, booleans.count)
    copy = CopyOp(flag, GRFType(dword.size, dword.size))
    emit.add(copy)
    mask = UniformConstant(dword, (1 << booleans.count) - 1)
    on = emit.alu("and", dword, [Elements(copy.result, dword, 1), mask], 1)
    truth = emit.alu("cmp", BOOLEAN, [on, UniformConstant(dword, 0)], 1, condition=Condition.NE)
    return emit.flag(truth, 0, 1)


def send_atomic(
    lowering: KernelLowering,
    place: AtomicTarget,
    mnemonic: str,
    operands: list[Number],
    wanted: bool,
    *,
    flag: SSAValue | None = None,
) -> SSAValue | None:
    """Sends an atomic message; returns the registers with the old values if they are `wanted`."""
    emit, target = lowering.emit, lowering.target
    data = sent(emit, place.message, operands, place.lanes).register if operands else None
    size = data_bytes(place.message, place.lanes, target.platform.grf_bytes, target.platform.physical_simd_width)
    operation = message_op(mnemonic)(
        MessageAttr(place.message),
        place.addresses,
        exec_size=place.lanes,
        result=emit.register_type(size, target.platform.grf_bytes) if wanted else None,
        data=data,
        flag=place.flag if flag is None else flag,
        no_mask=place.no_mask,
    )
    emit.add(operation)
    return operation.result


# Elements of memrefs -------------------------------------------------------------------------------------------------


def _place(lowering: KernelLowering, memref: MemRef, indices: list[SSAValue]) -> AtomicTarget:
    """Returns the target: one element for each work-item, even where all update the same one."""
    lanes = lowering.lanes
    message = lane_message(memref.element.size, space=memref.space)
    addresses = element_addresses(lowering, memref, indices, lanes)
    return AtomicTarget(message, addresses, memref.element, lanes, lanes == 1)


@lowers(AtomicRMWOp)
def atomic_rmw(lowering: KernelLowering, op: AtomicRMWOp) -> None:
    place = _place(lowering, accessed_memref(lowering, op, op.memref), list(op.indices))
    wanted = bool(op.result.uses)
    old = atomic_update(lowering, op, place, op.kind_name, lowering.number(op.value), wanted=wanted)
    if old is not None:
        lowering.values[op.result] = old


@lowers(GenericAtomicRMWOp)
def generic_atomic_rmw(lowering: KernelLowering, op: GenericAtomicRMWOp) -> None:
    place = _place(lowering, accessed_memref(lowering, op, op.memref), list(op.indices))
    block = op.body.block

    def update(old: Elements) -> Number:
        lowering.values[block.args[0]] = old
        lowering.lower_nested(block)
        assert block.last_op is not None
        return lowering.number(block.last_op.operands[0])

    lowering.values[op.result] = compare_and_exchange(lowering, op, place, update)
