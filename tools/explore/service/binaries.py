"""The contents of a ZEBIN: the code of its kernels, its parts and its bytes."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import zebin
from tools.explore.protocol import ASSEMBLY, NATIVE_ASSEMBLY, Json
from tools.explore.service.handwritten import editable
from tools.explore.service.kernel_code import CYCLES, REGISTERS, CodeFigures, figures, source_line
from tools.explore.service.proposals import proposal
from tools.explore.service.stages import Stage
from xegpu.isa import decode_program, has_header
from xegpu.isa.code import NO_LINES, LineTable
from xegpu.targets import of_register_size
from zebin import CodeListing, Zebin, ZebinKernel, disassemble, line_tables
from zebin.dump import printable
from zebin.elf import SectionType
from zebin.pictures import control_flow_dot, lifetime_table, memory_map, payload_of, payload_svg

MAX_BYTES = 1 << 20
"""The bytes of a file that are shown."""


@dataclass(frozen=True)
class KernelFigures:
    """A kernel, in numbers to compare. `estimate` are the cycles of a thread; None where no trip count is known.

    `grid` and `group` are the sizes that it states, and `proposals` are values for its arguments.
    """

    name: str
    arguments: Sequence[str]
    proposals: Sequence[str]
    grid: Sequence[int]
    group: Sequence[int]
    grf_count: int
    spill_bytes: int
    estimate: float | None
    figures: CodeFigures | None

    def json(self) -> dict[str, Json]:
        found = self.figures
        return {
            "name": self.name,
            "arguments": list(self.arguments),
            "proposals": list(self.proposals),
            "grid": list(self.grid),
            "group": list(self.group),
            "grf_count": self.grf_count,
            "spill_bytes": self.spill_bytes,
            "cycles": self.estimate,
            "registers": None if found is None else max(found.registers, default=0),
            "mnemonics": {} if found is None else dict(found.mnemonics),
        }


@dataclass(frozen=True)
class BinaryFacts:
    """The contents of a ZEBIN as the page shows them.

    Attributes:
        data: The file.
        kernels: Its kernels, in numbers.
        assembly: The instructions of all kernels.
        views: The text of `.ze_info`, and control flow and live registers of the kernels.
        parts: The tree of its parts: bytes with a name, and the parts of these.
        payload: The picture of the registers in which threads start, as SVG.
    """

    data: bytes
    kernels: Sequence[KernelFigures]
    assembly: Stage
    views: Sequence[Stage]
    parts: Sequence[Json]
    payload: str

    def json(self) -> dict[str, Json]:
        return {
            "size": len(self.data),
            "bytes": b64encode(self.data[:MAX_BYTES]).decode(),
            "kernels": [kernel.json() for kernel in self.kernels],
            "parts": list(self.parts),
            "payload": self.payload,
        }


def binary_facts(data: bytes, filename: str) -> BinaryFacts:
    """Returns what a ZEBIN tells, whose kernels were compiled from a file."""
    binary = zebin.read(data, lenient=True)
    tables, _ = line_tables(binary)
    kernels = list(binary.kernels.values())
    listings = [disassemble(kernel, binary.target) for kernel in kernels]
    found = [_figures(binary, kernel) for kernel in kernels]
    ze_info = _ze_info(binary)
    code = _assembly(kernels, listings, found, [tables.get(kernel.name, NO_LINES) for kernel in kernels], filename)
    if len(kernels) == 1 and not listings[0].problem:
        code = _with_source(code, kernels[0], ze_info.text)
    return BinaryFacts(
        data,
        [_kernel(binary, kernel, each) for kernel, each in zip(kernels, found, strict=True)],
        code,
        [ze_info, *_code_views(binary, kernels, listings)],
        _parts(binary, data, dict(zip((kernel.section.index for kernel in kernels), listings, strict=True))),
        "\n".join(payload_svg([payload_of(kernel) for kernel in kernels])),
    )


def _figures(binary: Zebin, kernel: ZebinKernel) -> CodeFigures | None:
    code = bytes(kernel.code)
    if not has_header(code):
        return None
    program = decode_program(code)
    target = binary.target.gpu or of_register_size(program.grf_bytes)
    return figures(program, target, kernel.execution_env.grf_count)


def _kernel(binary: Zebin, kernel: ZebinKernel, found: CodeFigures | None) -> KernelFigures:
    env = kernel.execution_env
    return KernelFigures(
        kernel.name,
        [f"{argument.name or f'argument {argument.index}'}: {argument.type_name}" for argument in kernel.args_info],
        _proposals(kernel),
        kernel.known_grid_size or (),
        env.required_work_group_size if any(env.required_work_group_size) else (),
        env.grf_count,
        env.spill_size,
        _estimate(binary, kernel.name),
        found,
    )


def _proposals(kernel: ZebinKernel) -> list[str]:
    accesses = {entry.arg_index: str(entry.access_type) for entry in kernel.payload_arguments if entry.access_type}
    last = max((argument.index for argument in kernel.args_info if "." not in (argument.name or "")), default=-1)
    return [
        proposal(argument.type_name, accesses.get(argument.index), is_last=argument.index == last)
        for argument in kernel.args_info
    ]


def _estimate(binary: Zebin, name: str) -> float | None:
    """Returns the estimated cycles of a thread of a kernel; None if it has none, or loops without a known count."""
    entries = [] if binary.ze_info is None else binary.ze_info.kernels_cost_info
    info = next((entry for entry in entries if entry.name == name), None)
    if info is None or not info.kcm_loop_costs or any(count.factor for count in info.kcm_loop_count_exps):
        return None
    counts = [count.constant for count in info.kcm_loop_count_exps]
    costs = info.kcm_loop_costs
    if len(counts) != len(costs) - 1:
        return None
    rows = iter(zip((1.0, *counts), costs, strict=True))

    def region() -> float:
        times, cost = next(rows)
        return times * (cost.cycle + sum(region() for _ in range(cost.num_loops)))

    return region()


def _assembly(
    kernels: Sequence[ZebinKernel],
    listings: Sequence[CodeListing],
    found: Sequence[CodeFigures | None],
    tables: Sequence[LineTable],
    filename: str,
) -> Stage:
    """Returns the instructions of all kernels, with their costs."""
    texts: list[str] = []
    lines: list[int] = []
    cycles: list[int | None] = []
    registers: list[int | None] = []
    for kernel, listing, each, table in zip(kernels, listings, found, tables, strict=True):
        texts.append(f"// kernel {printable(kernel.name)}")
        number = 0
        for offset, text in listing.lines:
            texts.append(text if offset is None else f"/* {offset:06x} */  {text}")
            known = each is not None and offset is not None
            lines += [0] * (len(texts) - len(lines) - 1) + [source_line(table, offset, filename)]
            cycles += [None] * (len(texts) - len(cycles) - 1) + [each.cycles[number] if each and known else None]
            registers += [None] * (len(texts) - len(registers) - 1)
            registers.append(each.registers[number] if each and known else None)
            number += offset is not None
        if listing.problem:
            texts.append(f"// {listing.problem}")
    columns = {CYCLES: cycles, REGISTERS: registers} if any(found) else {}
    return Stage("assembly", "xe-asm", "\n".join(texts), lines, columns=columns)


def _with_source(stage: Stage, kernel: ZebinKernel, description: str) -> Stage:
    """Returns the instructions of a kernel with what is edited to change them."""
    if has_header(bytes(kernel.code)):
        return replace(stage, editable=editable(stage.text, description, None), source=ASSEMBLY)
    entry = kernel.entry_offset - (0 if kernel.symbol is None else kernel.symbol.value)
    return replace(stage, editable=editable(stage.text, description, entry), source=NATIVE_ASSEMBLY)


def _code_views(binary: Zebin, kernels: Sequence[ZebinKernel], listings: Sequence[CodeListing]) -> Iterator[Stage]:
    """Yields the control-flow graphs of kernels in the language DOT, and where in their code registers are live."""
    shown = [(kernel, listing) for kernel, listing in zip(kernels, listings, strict=True) if not listing.problem]
    graphs = (line for kernel, listing in shown for line in control_flow_dot(kernel.name, listing))
    yield Stage("control flow", "text", "\n".join(map(printable, graphs)))
    tables = (lifetime_table(kernel, binary.target, listing) for kernel, listing in shown)
    yield Stage("registers", "text", "\n".join(line for table in tables for line in table.lines()))


def _ze_info(binary: Zebin) -> Stage:
    sections = binary.elf.of_type(SectionType.ZEINFO)
    text = "".join(bytes(section.data).decode(errors="backslashreplace") for section in sections[:1])
    return Stage(".ze_info", "yaml", text)


def _parts(binary: Zebin, data: bytes, listings: dict[int, CodeListing]) -> list[Json]:
    """Returns the regions of the file in order; those with code have its instructions as parts."""
    codes = {binary.sections[index].offset: listing for index, listing in listings.items()}
    found: list[Json] = []
    for region in memory_map(binary, data):
        parts: list[Json] = []
        listing = codes.get(region.start) if region.content.value == "code" else None
        if listing is not None:
            offsets = [*listing.offsets, region.size]
            texts = [text for offset, text in listing.lines if offset is not None]
            for text, start, end in zip(texts, offsets, offsets[1:], strict=False):
                parts.append(_part(text.strip(), region.start + start, region.start + end, "instruction", []))
        found.append(_part(region.name, region.start, region.end, region.content.value, parts))
    return found


def _part(name: str, start: int, end: int, content: str, parts: list[Json]) -> Json:
    return {"name": printable(name), "start": start, "end": end, "content": content, "parts": parts}
