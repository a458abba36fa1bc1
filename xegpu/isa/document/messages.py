"""Tables about dpas and messages."""

from __future__ import annotations

from collections.abc import Sequence

from xegpu.isa.document.markdown import numbers_text, table, types_text
from xegpu.isa.formats.dpas import check_dpas_types, operations_per_channel
from xegpu.isa.formats.message import GATHER_VECTORS
from xegpu.isa.formats.parts.atomics import ATOMIC_DATA, atomic_type
from xegpu.isa.formats.parts.messages import cache_text
from xegpu.isa.model.instruction import IllegalInstruction
from xegpu.isa.model.messages import CACHE_CONTROLS, CacheControl, DataSize, Unit
from xegpu.isa.model.table import TABLE, MemoryAccessKind, OpSpec
from xegpu.isa.model.types import SUB_BYTE, DataType
from xegpu.targets import TARGETS, BlockLimits, platforms


def dpas_types() -> str:
    """Returns a table with a row for the pairs of element types of B and A that have the same results."""
    elements = [DataType.UB, DataType.B, *sorted(SUB_BYTE, key=lambda t: t.code)]
    groups = {"integers of 8, 4 or 2 bits, mixed at will": [(b, a) for b in elements for a in elements]}
    groups |= {t.text: [(t, t)] for t in (DataType.BF, DataType.HF, DataType.TF32)}
    rows = []
    for name, pairs in groups.items():
        widths = sorted({operations_per_channel(b, a) for b, a in pairs})
        results = [_results(pairs, target_name) for target_name in TARGETS]
        rows.append([name, _products(widths), " or ".join(str(8 * w) for w in widths), *results])
    return table(["B, A", "OPS", "K", *(f"C, D on `{name}`" for name in TARGETS)], rows)


def _products(widths: Sequence[int]) -> str:
    return "4, or 8 if neither has 8 bits" if len(widths) > 1 else str(widths[0])


def _results(pairs: Sequence[tuple[DataType, DataType]], target_name: str) -> str:
    """Returns the types that C and D may have for all the pairs; each may be any of them."""

    def legal(result: DataType) -> bool:
        try:
            for b, a in pairs:
                check_dpas_types(result, result, b, a, TARGETS[target_name])
        except IllegalInstruction:
            return False
        return True

    return " ".join(f"`{t.text}`" for t in DataType if legal(t)) or "-"


def data_sizes() -> str:
    return ", ".join(f"`{size.text}`" for size in DataSize)


def caches() -> str:
    def text(cache: CacheControl, access: MemoryAccessKind) -> str:
        return f"`{cache_text(cache, access)}`" if cache in CACHE_CONTROLS[access.value] else "-"

    accesses = (MemoryAccessKind.LOAD, MemoryAccessKind.PREFETCH, MemoryAccessKind.STORE, MemoryAccessKind.ATOMIC)
    rows = [[c.code, *(text(c, access) for access in accesses)] for c in CacheControl]
    return table(["Code", *(access.value.capitalize() for access in accesses)], rows)


def atomics() -> str:
    def types(spec: OpSpec, unit: Unit) -> str:
        found = (atomic_type(spec, unit, size) for size in ATOMIC_DATA)
        return types_text(type for type in found if type is not None) or "-"

    rows = [
        [f"`{spec.mnemonic}`", f"`{spec.semantics}`", types(spec, Unit.UGM), types(spec, Unit.SLM)]
        for spec in TABLE
        if spec.access is MemoryAccessKind.ATOMIC
    ]
    return table(["Instruction", "Memory becomes", "in `ugm`", "in `slm`"], rows)


def gathers() -> str:
    return "; ".join(f"`{size.text}` with {numbers_text(vectors)}" for size, vectors in GATHER_VECTORS.items())


def blocks() -> str:
    limits = next(platform.block2d for platform in platforms() if platform.block2d is not None)
    forms = {
        "load, plain": limits.load,
        "load, VNNI": limits.load_vnni,
        "load, transposed": limits.load_transposed,
        "store": limits.store,
    }
    rows = [[f"{name}, `d{8 * size}`", *_limits(rule)] for name, rules in forms.items() for size, rule in rules.items()]
    return table(["Form", "Width W", "Height H", "Count L", "W * L at most"], rows)


def _limits(rule: BlockLimits) -> list[str]:
    multiple = f", multiple of {rule.height_multiple}" if rule.height_multiple > 1 else ""
    heights = f"{rule.min_height} to {rule.max_height}" if rule.min_height < rule.max_height else str(rule.min_height)
    return [
        f"{rule.min_width} to {rule.max_width}",
        heights + multiple,
        numbers_text(rule.counts),
        str(rule.max_row_elements),
    ]
