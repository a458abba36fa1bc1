"""Hypothesis strategies for legal instructions and programs, over the whole instruction table.

    instructions(PVC)                       any legal instruction; branches have distance 0
    instructions(PVC, formats=COMPUTE)      ALU and dpas only: touches registers and flags, never memory
    programs(ARC, formats=COMPUTE)          such a program: straight line with forward jumps, ended by `eot`
    alu(PVC, BY_MNEMONIC["mad"])            one row of the table
    messages(PVC, BY_MNEMONIC["load"])      a message; its address register holds whatever the caller puts there

All operands lie in the first `registers` registers, so that instructions of a program feed each other; everything that
the strategies draw passes `xegpu.isa.validate` for the target. Programs always end: jumps go forward.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import assume, strategies as st

from xegpu.isa import (
    TABLE,
    Combination,
    Condition,
    ConditionModifier,
    DataType,
    Destination,
    Flag,
    IllegalInstruction,
    Immediate,
    Instruction,
    InstructionFormat,
    OpSpec,
    Predicate,
    Region,
    SourceRegister,
    validate,
)
from xegpu.isa.code.program import instruction_offsets
from xegpu.isa.formats import address_bytes, dpas_operand_bytes
from xegpu.isa.formats.image import HANDLE_BYTES, coordinate_counts, image_unit
from xegpu.isa.formats.parts.operands import STRIDES, VERTICAL_STRIDES
from xegpu.isa.model.image_messages import ImageMessage, channel_bytes
from xegpu.isa.model.instruction import EXECUTION_SIZES
from xegpu.isa.model.messages import (
    CACHE_CONTROLS,
    VECTOR_SIZES,
    AddressModel,
    AddressSize,
    BlockShape,
    CacheControl,
    DataSize,
    FenceFields,
    Flush,
    MemoryScope,
    Message,
    Unit,
    data_bytes,
)
from xegpu.isa.model.operands import (
    ADDRESS,
    ADDRESS_WORDS,
    CHANNEL_ENABLE,
    CONTIGUOUS,
    CONTROL,
    FLAGS,
    MAX_INDIRECT,
    MIN_INDIRECT,
    NULL,
    SCALAR,
    STATE,
    VXH,
    WIDTHS,
    Register,
    RegisterFile,
    grf,
    indirect,
    strided,
)
from xegpu.isa.model.table import BY_MNEMONIC, Extra, MemoryAccessKind, Modifiers
from xegpu.isa.model.types import PACKED_IMMEDIATES, SUB_BYTE
from xegpu.targets import BlockLimits, Feature, Target

COMPUTE = frozenset({InstructionFormat.ALU, InstructionFormat.DPAS})
"""Formats that read and write registers and flags only."""

REGISTERS = 48
"""The number of registers that instructions use by default: enough for every operand of every instruction."""

_REGIONS = tuple(
    Region(vertical, width, horizontal)
    for vertical in VERTICAL_STRIDES
    for width in WIDTHS
    for horizontal in STRIDES
    if vertical != VXH and (width > 1 or horizontal == 0)
)
_LINEAR_REGIONS = tuple(strided(stride) for stride in STRIDES)
_ARCHITECTURE_TYPES = (DataType.UW, DataType.W, DataType.UD, DataType.D)
_COMMON_REGIONS = (CONTIGUOUS, SCALAR, strided(2))


def is_legal(instruction: Instruction, target: Target, grf_count: int = 128) -> bool:
    """Returns whether `validate` accepts the instruction."""
    try:
        validate(instruction, target, grf_count)
    except IllegalInstruction:
        return False
    return True


@st.composite
def _place(draw: st.DrawFn, target: Target, used: int, alignment: int, registers: int) -> Register:
    """A general register from which `used` bytes fit into the window, at an aligned byte."""
    start = alignment * draw(st.integers(0, (registers * target.platform.grf_bytes - used) // alignment))
    return grf(start // target.platform.grf_bytes, start % target.platform.grf_bytes)


@st.composite
def _channels(draw: st.DrawFn) -> tuple[int, int]:
    """Execution size and channel offset."""
    size = draw(st.sampled_from(EXECUTION_SIZES))
    step = max(size, 4)
    return size, draw(st.sampled_from(range(0, 32 - size + 1, step)))


@st.composite
def _flag(draw: st.DrawFn, target: Target, size: int, offset: int) -> Flag:
    half = draw(st.integers(0, 1)) if offset + size <= 16 else 0
    return Flag(draw(st.integers(0, target.platform.flag_registers - 1)), half)


# ALU -----------------------------------------------------------------------------------------------------------------


def _type_families(spec: OpSpec, target: Target) -> list[list[DataType]]:
    """Groups of source types that go together in one instruction."""
    types = [t for t in spec.types if t not in PACKED_IMMEDIATES]
    families: list[list[DataType]] = [
        [t for t in types if not t.is_float],
        [t for t in types if t.is_float and t not in (DataType.DF, DataType.TF32)],
        [DataType.DF] if DataType.DF in types and target.platform.has(Feature.FP64) else [],
    ]
    return [family for family in families if family]


def immediates(types: Sequence[DataType], bits: int = 64) -> st.SearchStrategy[Immediate]:
    """Immediates of one of the types, whose bits fit `bits` bits: random patterns and small numbers."""

    def of(type: DataType) -> st.SearchStrategy[Immediate]:
        widest = (1 << min(bits, type.bits)) - 1
        if type in PACKED_IMMEDIATES:
            return st.integers(0, widest).map(lambda pattern: Immediate(type, pattern))
        small = st.integers(-9, 9).map(lambda n: Immediate.of(n, type)).filter(lambda i: i.bits <= widest)
        return st.integers(0, widest).map(lambda pattern: Immediate(type, pattern)) | small

    return st.sampled_from(types).flatmap(of)


@st.composite
def _architecture(draw: st.DrawFn, type: DataType, target: Target, size: int, *, written: bool) -> tuple[Register, int]:
    """An element of an architecture register, and how many elements an operand may span from there."""
    choices = [ADDRESS] if written and size > 1 else [ADDRESS, CONTROL, *FLAGS[: target.platform.flag_registers]]
    choices += [] if written else [CHANNEL_ENABLE, STATE]
    found = draw(st.sampled_from(choices))
    elements = found.size // type.size
    first = draw(st.integers(0, elements - 1))
    register = Register(RegisterFile.ARF, found.number, first * type.size)
    return register, elements - first if found.elements else 1


@st.composite
def _special_source(draw: st.DrawFn, spec: OpSpec, type: DataType, target: Target, size: int) -> SourceRegister:
    """An architecture register or an indirect operand."""
    regions = [r for r in (_REGIONS if spec.sources < 3 else _LINEAR_REGIONS) if r.width <= size]
    if type in _ARCHITECTURE_TYPES and draw(st.booleans()):
        register, span = draw(_architecture(type, target, size, written=False))
        return SourceRegister(register, type, draw(st.sampled_from([r for r in regions if r.span(size) <= span])))
    word = draw(st.integers(0, ADDRESS_WORDS - 1))
    rows = [] if spec.sources == 3 else [Region(VXH, r.width, r.horizontal) for r in regions if r.vertical == 0]
    fitting = [r for r in rows if word + size // r.width <= ADDRESS_WORDS]
    return SourceRegister(
        indirect(word, draw(_indirect_offsets(type))), type, draw(st.sampled_from(regions + 4 * fitting))
    )


def _indirect_offsets(type: DataType) -> st.SearchStrategy[int]:
    """Most of them lead to an element in the registers, if the address does."""
    legal = st.integers(0, MAX_INDIRECT // type.size).map(lambda n: n * type.size)
    return legal | legal | st.integers(MIN_INDIRECT, MAX_INDIRECT)


@st.composite
def _source(
    draw: st.DrawFn, spec: OpSpec, type: DataType, target: Target, size: int, registers: int, special: bool
) -> SourceRegister:
    if special and draw(st.integers(0, 2)) == 0:
        return draw(_special_source(spec, type, target, size))
    regions = [r for r in (_REGIONS if spec.sources < 3 else _LINEAR_REGIONS) if r.width <= size]
    fitting = [r for r in regions if r.span(size) * type.size <= registers * target.platform.grf_bytes]
    region = draw(st.sampled_from(_COMMON_REGIONS) | st.sampled_from(fitting))
    register = draw(_place(target, region.span(size) * type.size, type.size, registers))
    negate = spec.modifiers is not Modifiers.NONE and draw(st.booleans())
    absolute = spec.modifiers is Modifiers.ARITHMETIC and draw(st.booleans())
    return SourceRegister(register, type, region, negate, absolute)


@st.composite
def _alu_types(draw: st.DrawFn, spec: OpSpec, target: Target) -> tuple[DataType, list[DataType]]:
    """Types of the destination and of the sources."""
    families = _type_families(spec, target)
    family = draw(st.sampled_from(families))
    sources = [draw(st.sampled_from(family)) for _ in range(spec.sources)]
    if spec.same_types:
        sources = sources[:1] * spec.sources
    if spec.mnemonic not in ("mov", "cmp", "cmpn"):
        return draw(st.sampled_from(family)), sources
    if DataType.TF32 in spec.types and target.platform.has(Feature.TF32) and draw(st.integers(0, 9)) == 0:
        pair = [DataType.TF32, DataType.F]
        return draw(st.sampled_from(pair)), [draw(st.sampled_from(pair))]
    return draw(st.sampled_from([type for group in families for type in group])), sources


@st.composite
def _special_destination(
    draw: st.DrawFn, type: DataType, stride: int, target: Target, size: int
) -> tuple[Register, int]:
    if type in _ARCHITECTURE_TYPES and draw(st.booleans()):
        register, span = draw(_architecture(type, target, size, written=True))
        if size <= span:
            return register, 1
    return indirect(draw(st.integers(0, ADDRESS_WORDS - 1)), draw(_indirect_offsets(type))), stride


@st.composite
def alu(
    draw: st.DrawFn, target: Target, spec: OpSpec, registers: int = REGISTERS, *, special: bool = False
) -> Instruction:
    """A legal ALU instruction of one row of the table; with `special`, it may use other registers than general ones."""
    size, offset = draw(_channels())
    written, types = draw(_alu_types(spec, target))
    sources: list[SourceRegister | Immediate] = [
        draw(_source(spec, t, target, size, registers, special)) for t in types
    ]
    if spec.extra is not Extra.CARRY and draw(st.integers(0, 3)) == 0:
        packed = {t for t in PACKED_IMMEDIATES & set(spec.types) if t.is_float == types[-1].is_float}
        choices = [t for t in (types[-1], *sorted(packed, key=lambda t: t.code)) if spec.sources < 3 or t.bits < 64]
        if choices:
            sources[-1] = draw(immediates(choices, 16 if spec.sources == 3 else 64))
    strides = [s for s in STRIDES if s and ((size - 1) * s + 1) * written.size <= registers * target.platform.grf_bytes]
    stride = draw(st.sampled_from(strides))
    null = spec.condition and draw(st.integers(0, 9)) == 0
    register = NULL if null else draw(_place(target, ((size - 1) * stride + 1) * written.size, written.size, registers))
    if special and not null and draw(st.integers(0, 3)) == 0:
        register, stride = draw(_special_destination(written, stride, target, size))
    flag = draw(_flag(target, size, offset))
    predicate = None
    if spec.predicate and draw(st.booleans()):
        combination = draw(st.just(Combination.NONE) | st.sampled_from(Combination))
        predicate = Predicate(flag, draw(st.booleans()), combination)
    condition = None
    if spec.condition and (spec.mnemonic in ("cmp", "cmpn", "csel") or draw(st.integers(0, 3)) == 0):
        compared = {type.is_float for type in (types if spec.mnemonic in ("cmp", "cmpn", "csel") else [written])}
        conditions = [c for c in Condition if c is not Condition.UN or compared == {True}]
        condition = ConditionModifier(draw(st.sampled_from(conditions)), None if spec.selects else flag)
    if spec.mnemonic == "sel":
        limits = st.sampled_from([Condition.LT, Condition.GE]).map(lambda c: ConditionModifier(c, None))
        predicate, condition = draw(
            st.tuples(st.just(predicate or Predicate(flag)), st.none()) | st.tuples(st.none(), limits)
        )
    instruction = Instruction(
        spec,
        size,
        offset,
        draw(st.booleans()),
        predicate,
        condition,
        destination=Destination(register, written, stride),
        sources=tuple(sources),
        table=draw(st.integers(0, 255)) if spec.extra is Extra.TABLE else 0,
        carry=draw(_place(target, 4 * size, 4, registers)) if spec.extra is Extra.CARRY else None,
    )
    assume(is_legal(instruction, target))  # 64-bit operands of mixed signedness cannot be compared
    saturating = replace(instruction, saturate=True)
    return saturating if draw(st.integers(0, 3)) == 0 and is_legal(saturating, target) else instruction


# dpas ----------------------------------------------------------------------------------------------------------------


def dpas_types(target: Target) -> list[tuple[DataType, DataType, DataType, DataType]]:
    """All legal types of D, C, B and A."""
    precisions = [DataType.UB, DataType.B, *sorted(SUB_BYTE, key=lambda t: t.code)]
    words = (DataType.D, DataType.UD)
    types = [(d, c, b, a) for d in words for c in words for b in precisions for a in precisions]
    for element in (DataType.BF, DataType.HF):
        results = (DataType.F, element) if target.platform.dpas.narrow_results else (DataType.F,)
        types += [(d, c, element, element) for d in results for c in results]
    if target.platform.has(Feature.TF32):
        types.append((DataType.F, DataType.F, DataType.TF32, DataType.TF32))
    return types


@st.composite
def dpas(draw: st.DrawFn, target: Target, registers: int = REGISTERS) -> Instruction:
    """A legal dpas: half of them with floating inputs."""
    types = dpas_types(target)
    floating = [t for t in types if t[3].is_float]
    d, c, b, a = draw(st.sampled_from(types) | st.sampled_from(floating))
    instruction = Instruction(
        BY_MNEMONIC["dpas"],
        target.platform.dpas.execution_size,
        no_mask=draw(st.booleans()),
        destination=Destination(grf(0), d),
        sources=(SourceRegister(grf(0), c), SourceRegister(grf(0), b), SourceRegister(grf(0), a)),
        repeat=draw(st.integers(1, target.platform.dpas.max_repeat)),
    )
    places = [draw(_place(target, used, step, registers)) for used, step in dpas_operand_bytes(instruction, target)]
    if draw(st.integers(0, 3)) == 0:
        places[1] = NULL
    sources = tuple(SourceRegister(place, t) for place, t in zip(places[1:], (c, b, a), strict=True))
    return replace(instruction, destination=Destination(places[0], d), sources=sources)


def _cache(access: MemoryAccessKind) -> st.SearchStrategy[CacheControl]:
    """The cache controls that a message may have."""
    return st.sampled_from(sorted(CACHE_CONTROLS[access.value], key=lambda cache: cache.code))


# Messages ------------------------------------------------------------------------------------------------------------


@st.composite
def _block(draw: st.DrawFn, limits: BlockLimits, element_bytes: int, row_multiple: int) -> BlockShape:
    """A block shape within the limits."""
    count = draw(st.sampled_from(limits.counts))
    widths = [
        width
        for width in range(limits.min_width, min(limits.max_width, limits.max_row_elements // count) + 1)
        if width * element_bytes % row_multiple == 0
    ]
    heights = range(limits.min_height, limits.max_height + 1, limits.height_multiple)
    assume(widths)
    return BlockShape(draw(st.sampled_from(widths)), draw(st.sampled_from(heights)), count)


@st.composite
def _block_message(draw: st.DrawFn, target: Target, access: MemoryAccessKind) -> Message:
    limits = target.platform.block2d
    assert limits is not None
    kinds = {"plain": limits.store if access is MemoryAccessKind.STORE else limits.load}
    if access is MemoryAccessKind.LOAD:
        kinds |= {"vnni": limits.load_vnni, "transposed": limits.load_transposed}
    kind = draw(st.sampled_from(sorted(kinds)))
    size = draw(st.sampled_from(sorted(kinds[kind])))
    return Message(
        Unit.UGM,
        DataSize[f"D{8 * size}"],
        transposed=kind == "transposed",
        vnni=kind == "vnni",
        cache=draw(_cache(access)),
        block=draw(_block(kinds[kind][size], size, limits.row_bytes_multiple)),
    )


@st.composite
def _atomic_message(draw: st.DrawFn, target: Target, spec: OpSpec, units: Sequence[Unit]) -> Message:
    """An atomic's fields; some units and sizes are not for all operations."""
    unit = draw(st.sampled_from(units))
    if spec.mnemonic in ("atomic_fadd", "atomic_fsub"):
        unit = Unit.UGM
    sizes = [DataSize.D16U32, DataSize.D32, DataSize.D64]
    if unit is Unit.SLM:
        sizes = [DataSize.D32, DataSize.D64] if spec.mnemonic == "atomic_icas" else [DataSize.D32]
    if DataType.DF in spec.types and not target.platform.has(Feature.FP64):
        sizes = [size for size in sizes if size is not DataSize.D64]
    legal = sorted(CACHE_CONTROLS["atomic"], key=lambda cache: cache.code)
    slm = unit is Unit.SLM
    return Message(
        unit,
        draw(st.sampled_from(sizes)),
        cache=CacheControl.DEFAULT if slm else draw(st.sampled_from(legal)),
        address_size=AddressSize.A32 if slm else draw(st.sampled_from(AddressSize)),
        offset=draw(st.just(0) | st.integers(-(1 << 19), (1 << 19) - 1)),
    )


@st.composite
def _gather_message(draw: st.DrawFn, access: MemoryAccessKind, units: Sequence[Unit]) -> Message:
    unit = draw(st.sampled_from(units)) if access is not MemoryAccessKind.PREFETCH else Unit.UGM
    slm = unit is Unit.SLM
    transposed = draw(st.booleans())
    sizes = [DataSize.D32, DataSize.D64] + ([] if transposed else [DataSize.D8U32, DataSize.D16U32])
    size = draw(st.sampled_from(sizes))
    vectors = VECTOR_SIZES if transposed else VECTOR_SIZES[:5]
    return Message(
        unit,
        size,
        1 if size in (DataSize.D8U32, DataSize.D16U32) else draw(st.sampled_from(vectors)),
        transposed,
        cache=CacheControl.DEFAULT if slm else draw(_cache(access)),
        address_size=AddressSize.A32 if slm else draw(st.sampled_from(AddressSize)),
        model=AddressModel.FLAT if slm else draw(st.sampled_from(AddressModel)),
        offset=draw(st.just(0) | st.integers(-(1 << 19), (1 << 19) - 1)),
    )


@st.composite
def messages(
    draw: st.DrawFn,
    target: Target,
    spec: OpSpec,
    registers: int = REGISTERS,
    units: Sequence[Unit] = (Unit.UGM, Unit.SLM),
) -> Instruction:
    """A legal message of one row of the table. Only what the target can do: no block-2D messages where it has none."""
    block = spec.block2d
    assert spec.access is not None
    if block:
        message = draw(_block_message(target, spec.access))
    elif spec.access is MemoryAccessKind.ATOMIC:
        message = draw(_atomic_message(target, spec, units))
    else:
        message = draw(_gather_message(spec.access, units))
    size, offset = (1, 0) if block or message.transposed else draw(_channels())
    used = data_bytes(message, size, target.platform.grf_bytes, target.platform.physical_simd_width)
    operands = max(spec.sources, 1)
    assume(block or operands * used <= target.platform.max_message_bytes)
    instruction = Instruction(
        spec,
        size,
        offset,
        draw(st.booleans()),
        Predicate(draw(_flag(target, size, offset)), draw(st.booleans())) if draw(st.booleans()) else None,
        message=message,
    )
    step = target.platform.grf_bytes
    returns = spec.access is MemoryAccessKind.LOAD or (spec.access is MemoryAccessKind.ATOMIC and draw(st.booleans()))
    return replace(
        instruction,
        address=draw(_place(target, address_bytes(instruction, target), step, registers)),
        returned=draw(_place(target, used, step, registers)) if returns else None,
        data=draw(_place(target, operands * used, step, registers)) if spec.sources else None,
    )


@st.composite
def fences(draw: st.DrawFn, spec: OpSpec) -> Instruction:
    """A legal fence."""
    fence = FenceFields(Unit.UGM, draw(st.sampled_from(Flush)), draw(st.sampled_from(MemoryScope)))
    return Instruction(spec, no_mask=draw(st.booleans()), fence=draw(st.just(fence) | st.just(FenceFields(Unit.SLM))))


@st.composite
def barriers(draw: st.DrawFn, target: Target, spec: OpSpec, registers: int) -> Instruction:
    """A legal signal or wait."""
    sources: tuple[SourceRegister | Immediate, ...] = ()
    if spec.sources:
        type = draw(st.sampled_from([DataType.UB, DataType.UW, DataType.UD]))
        source = draw(
            _place(target, type.size, type.size, registers).map(lambda place: SourceRegister(place, type, SCALAR))
        )
        sources = (draw(st.just(source) | immediates([type])),)
    return Instruction(spec, 1, draw(st.sampled_from(range(0, 32, 4))), draw(st.booleans()), sources=sources)


# Whole table ---------------------------------------------------------------------------------------------------------


@st.composite
def _control(draw: st.DrawFn, target: Target, spec: OpSpec) -> Instruction:
    offset = draw(st.sampled_from(range(0, 32, 4)))
    predicate = None
    if spec.predicate and draw(st.booleans()):
        predicate = Predicate(draw(_flag(target, 1, offset)), draw(st.booleans()))
    return Instruction(spec, 1, offset, draw(st.booleans()), predicate)


@st.composite
def _divergence(draw: st.DrawFn, target: Target, spec: OpSpec) -> Instruction:
    size = draw(st.sampled_from(EXECUTION_SIZES))
    predicate = None
    if spec.predicate and draw(st.booleans()):
        predicate = Predicate(draw(_flag(target, size, 0)), draw(st.booleans()))
    return Instruction(spec, size, predicate=predicate)


@st.composite
def _subroutine(draw: st.DrawFn, target: Target, spec: OpSpec, registers: int) -> Instruction:
    instruction = draw(_control(target, spec))
    if spec.format is not InstructionFormat.RETURN:
        instruction = replace(instruction, returned=draw(_place(target, 8, 8, registers)))
    if spec.format is not InstructionFormat.CALL:
        size = 4 if spec.format is InstructionFormat.INDIRECT_CALL else 8
        instruction = replace(instruction, address=draw(_place(target, size, size, registers)))
    return instruction


@st.composite
def images(draw: st.DrawFn, target: Target, spec: OpSpec, registers: int = REGISTERS) -> Instruction:
    """A legal message to an image, of a target that has them."""
    size, offset = draw(_channels())
    assert spec.access is not None
    cached = image_unit(spec) is not Unit.SAMPLER
    controls = sorted(CACHE_CONTROLS[spec.access.value], key=lambda c: c.code) if cached else [CacheControl.DEFAULT]
    image = ImageMessage(
        image_unit(spec),
        draw(st.integers(1, 15)),
        draw(st.sampled_from(coordinate_counts(spec))),
        draw(st.sampled_from(controls)),
    )
    block = channel_bytes(size, target.platform.grf_bytes, target.platform.physical_simd_width)
    data = draw(_place(target, len(image.components) * block, target.platform.grf_bytes, registers))
    return Instruction(
        spec,
        size,
        offset,
        draw(st.booleans()),
        Predicate(draw(_flag(target, size, offset)), draw(st.booleans())) if draw(st.booleans()) else None,
        image=image,
        address=draw(_place(target, image.coordinates * block, target.platform.grf_bytes, registers)),
        data=data if spec.sources else None,
        returned=None if spec.sources else data,
        surface=draw(_place(target, HANDLE_BYTES, HANDLE_BYTES, registers)),
        sampler=draw(_place(target, HANDLE_BYTES, HANDLE_BYTES, registers)) if spec.sampler else None,
    )


def of_spec(
    target: Target, spec: OpSpec, registers: int = REGISTERS, *, special: bool = False
) -> st.SearchStrategy[Instruction]:
    """Legal instructions of one row of the table."""
    match spec.format:
        case InstructionFormat.ALU:
            return alu(target, spec, registers, special=special)
        case InstructionFormat.DPAS:
            return dpas(target, registers)
        case InstructionFormat.MESSAGE:
            return messages(target, spec, registers)
        case InstructionFormat.IMAGE:
            return images(target, spec, registers)
        case InstructionFormat.FENCE:
            return fences(spec)
        case InstructionFormat.BARRIER:
            return barriers(target, spec, registers)
        case InstructionFormat.GOTO | InstructionFormat.JOIN:
            return _divergence(target, spec)
        case InstructionFormat.CALL | InstructionFormat.INDIRECT_CALL | InstructionFormat.RETURN:
            return _subroutine(target, spec, registers)
        case InstructionFormat.BRANCH | InstructionFormat.PLAIN:
            return _control(target, spec)


def instructions(
    target: Target,
    *,
    formats: frozenset[InstructionFormat] = frozenset(InstructionFormat),
    registers: int = REGISTERS,
    special: bool = False,
) -> st.SearchStrategy[Instruction]:
    """Any legal instruction of the formats; every row of the table that the target has is equally likely."""
    specs = [s for s in TABLE if s.format in formats and (target.platform.block2d is not None or not s.block2d)]
    specs = [s for s in specs if target.platform.has(Feature.IMAGES) or s.format is not InstructionFormat.IMAGE]
    return st.sampled_from(specs).flatmap(lambda spec: of_spec(target, spec, registers, special=special))


@st.composite
def _address_setup(draw: st.DrawFn, target: Target, registers: int) -> Instruction:
    """Puts the address of some general register into a word of a0."""
    address = 64 * draw(st.integers(0, registers * target.platform.grf_bytes // 64 - 8))
    place = Register(RegisterFile.ARF, ADDRESS.number, 2 * draw(st.integers(0, ADDRESS_WORDS - 1)))
    return Instruction(
        BY_MNEMONIC["mov"],
        no_mask=True,
        destination=Destination(place, DataType.UW),
        sources=(Immediate(DataType.UW, address),),
    )


@st.composite
def programs(
    draw: st.DrawFn,
    target: Target,
    *,
    formats: frozenset[InstructionFormat] = COMPUTE,
    registers: int = REGISTERS,
    max_size: int = 12,
    special: bool = False,
) -> list[Instruction]:
    """A program that ends: instructions of the formats, forward jumps between them, and a final `eot`.

    Jumps are drawn whether or not `formats` names them; `eot` and `illegal` appear in the middle only if `formats`
    has `InstructionFormat.PLAIN`. With `special`, other registers than general ones are used, and
    faults may follow from that.
    """
    plain = instructions(target, formats=formats - {InstructionFormat.BRANCH}, registers=registers, special=special)
    if special:
        plain |= _address_setup(target, registers)
    jump = _control(target, BY_MNEMONIC["jmpi"])
    body = draw(st.lists(st.integers(0, 4).flatmap(lambda n: plain if n else jump), max_size=max_size))
    body.append(Instruction(BY_MNEMONIC["eot"]))
    offsets = instruction_offsets(body)
    for index, instruction in enumerate(body):
        if instruction.distances:
            to = draw(st.integers(index + 1, len(body) - 1))
            field = "target" if instruction.spec.flow.jumps else "join"
            body[index] = instruction.with_distance(field, offsets[to] - offsets[index])
        if instruction.spec.format is InstructionFormat.GOTO:
            to = draw(st.integers(index + 1, len(body) - 1))
            body[index] = body[index].with_distance("join", offsets[to] - offsets[index])
    return body
