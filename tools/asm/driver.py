"""The driver of `xe-asm`: assembles or disassembles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tools.asm.command import AsmOptions
from tools.asm.hazards import hazard_report
from tools.asm.inputs import decoded, reported
from tools.asm.native import native_assembly, native_disassembly, native_listing
from tools.cli import CommandError, ReportedError, complain, display_name, read_bytes, write_bytes
from tools.texts.source_text import comments
from xegpu.isa import (
    AssemblyError,
    DecodeError,
    IllegalInstruction,
    Instruction,
    assemble_program,
    decode_program,
    format_program,
    has_header,
    validate,
)
from xegpu.isa.code import NO_LINES, LineTable
from xegpu.isa.cost import instruction_cycles
from xegpu.isa.native import has_encoding
from xegpu.on_demand import imports_on_demand
from xegpu.targets import DEFAULT_TARGET, TARGETS, Target, of_register_size, platforms

with imports_on_demand(globals()):  # raw code needs neither ELF nor YAML
    import zebin as reader

if TYPE_CHECKING:
    from zebin import Zebin, ZebinKernel

MAX_INPUT = 64 << 20
"""The maximum size of the input in bytes."""

_ELF_MAGIC = b"\x7fELF"


def run(options: AsmOptions) -> int:
    """Executes the command line and returns 0.

    Raises:
        CommandError: If the input is wrong, or a file cannot be read or written.
    """
    data = read_bytes(options.file, MAX_INPUT)
    assembly = native_assembly if options.native else _assembly
    if options.check_hazards:
        write_bytes(options.output, _hazards(options, data).encode())
        return 0
    output = _disassembly(options, data).encode() if options.disassemble else assembly(options, data)
    write_bytes(options.output, output)
    return 0


def _target(name: str, wanted: str | None, grf_bytes: int, built_for: Target | None = None) -> Target:
    """Returns the requested target, or that of the binary, or the one that code with such registers is taken for.

    Raises `CommandError` if the target has other registers.
    """
    target = TARGETS[wanted] if wanted else built_for or of_register_size(grf_bytes)
    if wrong := target.wrong_registers(grf_bytes):
        raise CommandError(wrong, name)
    return target


def _broken_rule(instruction: Instruction, target: Target, grf_count: int | None) -> str | None:
    try:
        validate(instruction, target, grf_count or max(target.platform.grf_counts))
    except IllegalInstruction as error:
        return str(error)
    return None


# Assembling ----------------------------------------------------------------------------------------------------------


def _assembly(options: AsmOptions, data: bytes) -> bytes:
    name = display_name(options.file)
    text = decoded(name, data)
    default = TARGETS[options.target or DEFAULT_TARGET].platform.grf_bytes
    try:
        assembly = assemble_program(text, grf_bytes=default)
    except AssemblyError as error:
        raise reported(name, error) from None
    target = _target(name, options.target, assembly.grf_bytes)
    broken = [
        f"{name}:{line}:{column}: error: {rule}"
        for instruction, (line, column) in zip(assembly.instructions, assembly.places, strict=True)
        if (rule := _broken_rule(instruction, target, None))
    ]
    if broken:
        raise ReportedError("\n".join(broken))
    if not assembly.instructions:
        raise CommandError("no instruction: expected at least 'eot'", name)
    if assembly.instructions[-1].runs_on:
        line, column = assembly.places[-1]
        complain(f"{name}:{line}:{column}: warning: threads run past the end of the code: expected 'eot' at the end")
    return assembly.code


# Disassembling -------------------------------------------------------------------------------------------------------


def _disassembly(options: AsmOptions, data: bytes) -> str:
    name = display_name(options.file)
    if data.startswith(_ELF_MAGIC):
        return "\n".join(_kernels(name, data, options))
    if options.kernel is not None:
        raise CommandError("not a ZEBIN: --kernel requires one", name)
    if options.native:
        return native_disassembly(name, data, options)
    return _kernel(name, data, None, options, NO_LINES)


def _kernels(name: str, data: bytes, options: AsmOptions) -> Iterator[str]:
    """Yields the text of a ZEBIN's kernels, or of the requested one."""
    zebin, kernels = _selected(name, data, options)
    tables, findings = reader.line_tables(zebin) if options.source else ({}, [])
    for finding in findings:
        complain(f"{name}: {finding}")
    for kernel in kernels.values():
        if not has_header(bytes(kernel.code)):
            lines = tables.get(kernel.name, NO_LINES)
            text = native_listing(f"{name}({kernel.name})", reader.disassemble(kernel, zebin.target), options, lines)
            yield f"// kernel {kernel.name!r}\n{text}"
            continue
        if options.native:
            raise CommandError(f"kernel '{kernel.name}' is code of the virtual ISA: --native is for native code", name)
        lines, grf_count = tables.get(kernel.name, NO_LINES), kernel.execution_env.grf_count
        text = _kernel(f"{name}({kernel.name})", bytes(kernel.code), grf_count, options, lines, zebin.target.gpu)
        yield f"// kernel {kernel.name!r}\n{text}"


def _selected(name: str, data: bytes, options: AsmOptions) -> tuple[Zebin, dict[str, ZebinKernel]]:
    """Returns a ZEBIN and its kernels, or the requested one."""
    try:
        zebin = reader.read(data)
    except reader.ZebinError as error:
        raise ReportedError("\n".join(f"{name}: {finding}" for finding in error.findings)) from None
    kernels = dict(zebin.kernels)
    if options.kernel is not None:
        if options.kernel not in kernels:
            known = ", ".join(map(repr, kernels)) or "none"
            raise CommandError(f"contains no kernel {options.kernel!r}: expected one of {known}", name)
        kernels = {options.kernel: kernels[options.kernel]}
    return zebin, kernels


def _hazards(options: AsmOptions, data: bytes) -> str:
    """Returns the outcome of the check of native code, or of a ZEBIN's kernels."""
    name = display_name(options.file)
    if not data.startswith(_ELF_MAGIC):
        return hazard_report({name: data}, options)
    zebin, kernels = _selected(name, data, options)
    platform = reader.native_platform(zebin.target)
    if platform is None:
        names = " or ".join(known.title for known in platforms() if has_encoding(known))
        raise CommandError(f"code for a GPU whose native code is not known: expected one of {names}", name)
    return hazard_report(
        {f"{name}({kernel.name})": bytes(kernel.code) for kernel in kernels.values()}, options, platform
    )


def _kernel(
    name: str,
    code: bytes,
    grf_count: int | None,
    options: AsmOptions,
    lines: LineTable,
    built_for: Target | None = None,
) -> str:
    if not has_header(code):
        raise CommandError("no XeVISA header: expected code of the virtual Xe ISA", name)
    try:
        program = decode_program(code)
    except DecodeError as error:
        raise CommandError(str(error), name) from None
    target = _target(name, options.target, program.grf_bytes, built_for)
    rules = [_broken_rule(instruction, target, grf_count) for instruction in program.instructions]
    for offset, rule in zip(program.offsets, rules, strict=True):
        if rule:
            complain(f"{name}: warning: at offset {offset:#x}: {rule}")
    if options.cost and any(rules):
        raise CommandError("--cost requires legal code", name)
    cycles = instruction_cycles(program, target, grf_count or max(target.platform.grf_counts)) if options.cost else ()
    return format_program(program, options.offsets, comments(lines, program.offsets), cycles)
