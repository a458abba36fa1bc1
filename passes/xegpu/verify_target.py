"""`xegpu-verify-target`: checks XeGPU operations against the capabilities of a target."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import BFloat16Type, Float16Type, FloatTF32Type
from xdsl.ir import Operation, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.kernel.mode import entry_point_subgroup_size
from passes.kernel.scope import kernel_operations
from passes.kernel.target_pass import TargetPass
from passes.support.matrix_operands import matrices, matrix_maps, matrix_step, multiplies_whole_matrices
from passes.support.op_table import OpTable
from xegpu.diagnostics import CompileError, Diagnostic, Severity, diagnose
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import (
    AllocNbarrierOp,
    DpasOp,
    LoadNdOp,
    PrefetchNdOp,
    StoreNdOp,
    TensorDescType,
    element_bits,
)
from xegpu.dialects.xegpu.ops import MAP_NAMES
from xegpu.targets import Block2D, BlockLimits, Feature, Target


@dataclass(frozen=True)
class XegpuVerifyTargetPass(TargetPass):
    """Reports every XeGPU operation that breaks a rule of the target; changes nothing.

    Checks that the maps of descriptors arrange the lanes of a subgroup, that `dpas` multiplies types that the matrix
    engine supports, under the maps that it requires, and that the named barriers of a kernel suffice. With `native`,
    each block access and each `dpas` must also be a single instruction of the target; without it, later passes split
    larger ones.
    """

    name = "xegpu-verify-target"

    native: bool = False
    """Report operations that take more than one instruction, too."""

    def compile(self, scope: Operation, target: Target) -> None:
        errors = list(_violations(scope, target, self.native))
        if errors:
            raise CompileError.of(errors)


_RULES = OpTable[Target, Iterator[str]]()
"""The rules of the target: each yields a message for each way in which an operation breaks it."""
_NATIVE_RULES = OpTable[Target, Iterator[str]]()
"""The rules for operations that are a single instruction."""


def _violations(scope: Operation, target: Target, native: bool) -> Iterator[Diagnostic]:
    tables = (_RULES, _NATIVE_RULES) if native else (_RULES,)
    for op in kernel_operations(scope):
        messages = list(_lanes(op, target))
        for table in tables:
            if (rule := table.get(op)) is not None:
                messages.extend(rule(target, op))
        for message in messages:
            yield diagnose(Severity.ERROR, op, message)


# Lanes


def _lanes(op: Operation, target: Target) -> Iterator[str]:
    """Checks the maps of the descriptors that `op` defines, as results or as arguments of its blocks."""
    defined: list[SSAValue] = [*op.results]
    defined.extend(argument for region in op.regions for block in region.blocks for argument in block.args)
    types = [value.type for value in defined if isinstance(value.type, TensorDescType)]
    expected = _subgroup_size(op, target) if types else None
    for type in dict.fromkeys(types):
        if (map := type.lane_map) is not None and map.lanes != expected:
            yield f"{type.map} arranges {map.lanes} work-items, a subgroup of {target.name} has {expected}"


def _subgroup_size(op: Operation, target: Target) -> int:
    """Returns the subgroup size that the kernel around `op` requests, or else that of the target."""
    kernel: Operation | None = op
    while kernel is not None and not isinstance(kernel, FuncOp):
        kernel = kernel.parent_op()
    wanted = None if kernel is None else entry_point_subgroup_size(kernel)
    return target.platform.subgroup_size if wanted is None else wanted


# Matrices


@_RULES.register(DpasOp)
def _matrices(target: Target, op: DpasOp) -> Iterator[str]:
    yield from _matrix_types(op, target)
    yield from _matrix_maps(op, target)


def _matrix_types(op: DpasOp, target: Target) -> Iterator[str]:
    element, result = (get_element_type_or_self(value.type) for value in (op.lhs, op.result))
    if isinstance(element, FloatTF32Type) and not target.platform.has(Feature.TF32):
        yield f"multiplies {element}, which the matrix engine of {target.name} does not support"
    elif isinstance(result, BFloat16Type | Float16Type) and not target.platform.matrix_engine.narrow_results:
        yield f"accumulates in {result}: expected f32 for {element} on {target.name}"


def _matrix_maps(op: DpasOp, target: Target) -> Iterator[str]:
    if op.lane_maps is None:
        return
    names = [name for name in MAP_NAMES if name in op.properties]
    for name, lane_map, wanted in zip(names, op.lane_maps, matrix_maps(op, target), strict=True):
        if lane_map != wanted.lane_map:
            map = op.properties[name]
            shown = wanted if op.sg_maps is not None else wanted.as_layout()
            yield f"has {name} = {map}: expected {shown} for {get_element_type_or_self(op.lhs.type)} on {target.name}"


@_NATIVE_RULES.register(DpasOp)
def _matrix_size(target: Target, op: DpasOp) -> Iterator[str]:
    if not multiplies_whole_matrices(op):
        return
    (rows, depth), (_, columns), _ = matrices(op)
    limits, step = target.platform.matrix_engine, matrix_step(op, target)
    if rows > limits.max_repeat or depth != step or columns != limits.execution_size:
        element = get_element_type_or_self(op.lhs.type)
        yield (
            f"multiplies {rows}x{depth} by {depth}x{columns} elements of {element}: one instruction of {target.name} "
            f"takes 1 to {limits.max_repeat} rows, {step} along K and {limits.execution_size} columns"
        )


# Blocks


@_NATIVE_RULES.register(LoadNdOp)
def _load(target: Target, op: LoadNdOp) -> Iterator[str]:
    if op.is_transposed:
        bits = None if op.transpose_bit_width is None else op.transpose_bit_width.value.data
        yield from _block(op.desc, target, "transposed load", lambda limits: limits.load_transposed, bits)
    elif op.is_packed:
        yield from _block(op.desc, target, "packed load", lambda limits: limits.load_vnni)
    else:
        yield from _block(op.desc, target, "load", lambda limits: limits.load)


@_NATIVE_RULES.register(PrefetchNdOp)
def _prefetch(target: Target, op: PrefetchNdOp) -> Iterator[str]:
    yield from _block(op.desc, target, "prefetch", lambda limits: limits.load)


@_NATIVE_RULES.register(StoreNdOp)
def _store(target: Target, op: StoreNdOp) -> Iterator[str]:
    yield from _block(op.desc, target, "store", lambda limits: limits.store)


def _block(
    desc: TensorDescType,
    target: Target,
    kind: str,
    table: Callable[[Block2D], Mapping[int, BlockLimits]],
    unit_bits: int | None = None,
) -> Iterator[str]:
    """Checks that one message moves the block, in units of an element or of `unit_bits`."""
    element = max(8, element_bits(desc.element_type)) // 8
    unit = element if unit_bits is None else unit_bits // 8
    rows, columns = desc.tile
    count = desc.array_length
    size = rows * columns * count * element
    if desc.get_num_dims() == 1:
        if size > target.platform.max_message_bytes:
            yield f"moves {size} bytes: one {kind} of {target.name} moves at most {target.platform.max_message_bytes}"
        return
    if target.platform.block2d is None:
        yield f"moves {rows}x{columns} elements: {target.name} has no messages for 2-D blocks"
        return
    limits = table(target.platform.block2d)
    if (limit := limits.get(unit)) is None:
        sizes = " or ".join(str(8 * size) for size in limits)
        yield f"moves units of {8 * unit} bits: a {kind} of {target.name} moves units of {sizes} bits"
        return
    width = columns * element // unit
    if not limit.allows(width, rows, count):
        multiple = f" (a multiple of {limit.height_multiple})" if limit.height_multiple > 1 else ""
        counts = " or ".join(map(str, limit.counts))
        yield (
            f"moves {count} blocks of {rows} rows and {width} units of {8 * unit} bits: one {kind} of {target.name} "
            f"moves {counts} blocks of {limit.min_height} to {limit.max_height} rows{multiple} and "
            f"{limit.min_width} to {limit.max_width} units, at most {limit.max_row_elements} per row"
        )
    most = target.platform.block2d.max_store_bytes if kind == "store" else target.platform.block2d.max_load_bytes
    if size > most:
        yield f"moves {size} bytes: one {kind} of {target.name} moves at most {most}"
    whole = target.platform.block2d.row_bytes_multiple
    if (row := columns * element) % whole:
        yield f"moves rows of {row} bytes: expected a multiple of {whole} on {target.name}"


# Barriers


@_RULES.register(AllocNbarrierOp)
def _named_barriers(target: Target, op: AllocNbarrierOp) -> Iterator[str]:
    number, most = op.nbarrier_num.value.data, max(target.platform.barrier_counts)
    if number > most:
        yield f"allocates {number} named barriers: a kernel of {target.name} has at most {most}"
