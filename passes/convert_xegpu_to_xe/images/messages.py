"""Lowers reads, samples and writes of texels: a message for all lanes, or one for a texel that all lanes share."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, SSAValue

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel.register_types import element_count, element_type
from xegpu.dialects.image import ImageSurfaceType, ReadOp, SampleOp, WriteOp
from xegpu.dialects.xe import ImageAttr, image_op
from xegpu.isa.model import COORDINATES, DataType, ImageMessage, Unit, channel_bytes, integer
from xegpu.targets import Feature

_LEVEL = len(COORDINATES)
"""The coordinates of a message that names the level of detail, which comes last."""


def _channels(texel: SSAValue) -> int:
    """Returns the mask of the components that a texel has."""
    return (1 << element_count(texel.type)) - 1


def _block(lowering: KernelLowering, lanes: int) -> int:
    return channel_bytes(lanes, lowering.target.platform.grf_bytes, lowering.target.platform.physical_simd_width)


def _check(lowering: KernelLowering, op: Operation) -> None:
    if not lowering.target.platform.has(Feature.IMAGES):
        lowering.refuse(op, f"is not supported: {lowering.target.name} has no images")


def _state(lowering: KernelLowering, op: Operation, value: SSAValue) -> tuple[SSAValue, int]:
    """Returns where the address of a state is; refuses one that differs between lanes."""
    state = lowering.uniform(op, value)
    assert isinstance(state, Elements)
    return state.register, state.offset


def _payload(lowering: KernelLowering, coordinates: Sequence[SSAValue | None], type: DataType, lanes: int) -> SSAValue:
    """Returns the registers of a message's coordinates; None stands for zero."""
    emit, block = lowering.emit, _block(lowering, lanes)
    register = emit.undefined(len(coordinates) * block, lowering.target.platform.grf_bytes)
    for index, coordinate in enumerate(coordinates):
        number = UniformConstant(type, 0) if coordinate is None else lowering.number(coordinate)
        if isinstance(number, Elements):
            number = number.as_type(type)
        register = emit.convert_into(register, index * block, number, type, lanes)
    return register


def _receive(lowering: KernelLowering, op: ReadOp | SampleOp, mnemonic: str, unit: Unit, payload: SSAValue) -> None:
    """Sends a message, whose response becomes the result."""
    _check(lowering, op)
    emit, lanes = lowering.emit, _lanes(lowering, op.texel)
    type, block = element_type(op.texel.type), _block(lowering, lanes)
    assert type is not None
    count = element_count(op.texel.type)
    coordinates = _LEVEL if isinstance(op, SampleOp) and op.level is not None else len(op.coordinates)
    message = image_op(mnemonic)(
        ImageAttr(ImageMessage(unit, _channels(op.texel), coordinates)),
        payload,
        _state(lowering, op, op.image),
        _state(lowering, op, op.sampler) if isinstance(op, SampleOp) else None,
        exec_size=lanes,
        result=emit.register_type(count * block, lowering.target.platform.grf_bytes),
        no_mask=lanes == 1,
    )
    emit.add(message)
    returned: SSAValue = message.results[0]
    if lanes * type.size != block and count > 1:
        bits = integer(type.bits, signed=False)
        moves = [(c * lanes + lane, c * block // bits.size + lane) for c in range(count) for lane in range(lanes)]
        dense = emit.undefined(count * lanes * type.size)
        returned = emit.copy(dense, Elements(returned, bits, count * block // bits.size), moves, bits)
    lowering.values[op.texel] = Elements(returned, type, count * lanes, 0, lanes)


def _lanes(lowering: KernelLowering, *values: SSAValue) -> int:
    return lowering.lanes if any(value in lowering.divergent for value in values) else 1


@lowers(ReadOp)
def read(lowering: KernelLowering, op: ReadOp) -> None:
    """Lowers a read: through the sampler's cache unless the kernel may write the image."""
    assert isinstance(op, ReadOp) and isinstance(op.image.type, ImageSurfaceType)
    payload = _payload(lowering, op.coordinates, DataType.D, _lanes(lowering, op.texel))
    if op.image.type.is_written:
        _receive(lowering, op, "load_quad", Unit.TYPED, payload)
    else:
        _receive(lowering, op, "ld", Unit.SAMPLER, payload)


@lowers(SampleOp)
def sample(lowering: KernelLowering, op: SampleOp) -> None:
    lanes = _lanes(lowering, op.texel)
    if op.level is None:
        _receive(lowering, op, "sample_lz", Unit.SAMPLER, _payload(lowering, op.coordinates, DataType.F, lanes))
        return
    missing = [None] * (_LEVEL - 1 - len(op.coordinates))
    payload = _payload(lowering, [*op.coordinates, *missing, op.level], DataType.F, lanes)
    _receive(lowering, op, "sample_l", Unit.SAMPLER, payload)


@lowers(WriteOp)
def write(lowering: KernelLowering, op: WriteOp) -> None:
    _check(lowering, op)
    lanes = _lanes(lowering, op.texel, *op.coordinates)
    type = op.texel.type
    data = _sent(lowering, lowering.conversions.in_lanes(lowering.number(op.texel), type, lanes), type, lanes)
    lowering.emit.add(
        image_op("store_quad")(
            ImageAttr(ImageMessage(Unit.TYPED, _channels(op.texel), len(op.coordinates))),
            _payload(lowering, op.coordinates, DataType.D, lanes),
            _state(lowering, op, op.image),
            exec_size=lanes,
            data=(data.register, data.offset),
            no_mask=lanes == 1,
        )
    )


def _sent(lowering: KernelLowering, texel: Number, type: Attribute, lanes: int) -> Elements:
    """Returns the components of a texel as a message reads them; they stay where they are if they stand so."""
    emit, block, count = lowering.emit, _block(lowering, lanes), element_count(type)
    bits = integer(texel.type.bits, signed=False)
    if isinstance(texel, Elements) and lanes * bits.size == block and emit.starts_register(texel):
        return texel
    data = emit.undefined(count * block, lowering.target.platform.grf_bytes)
    if isinstance(texel, UniformConstant):
        for component in range(count):
            data = emit.convert_into(data, component * block, UniformConstant(bits, texel.bits), bits, lanes)
    else:
        moves = [(c * block // bits.size + lane, c * lanes + lane) for c in range(count) for lane in range(lanes)]
        data = emit.copy(data, texel.as_type(bits), moves, bits)
    return Elements(data, bits, count * block // bits.size)
