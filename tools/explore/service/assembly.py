"""Xe assembly as the source: it becomes code, which is shown as it is read back."""

from __future__ import annotations

from tools.explore.protocol import CompileRequest
from tools.explore.service.kernel_code import CYCLES, REGISTERS, figures
from tools.explore.service.stages import Stage
from xegpu.diagnostics import CompileError, Diagnostic, Severity, SourceLocation
from xegpu.isa import Assembly, AssemblyError, IllegalInstruction, assemble_program, decode_program, validate
from xegpu.isa.text import format_labelled, label_names
from xegpu.targets import get

_TEXT_WIDTH = 72


def assembled(request: CompileRequest) -> Assembly:
    """Returns the code of a text.

    Raises:
        CompileError: For text that is wrong, with all errors, and for instructions that the target does not have.
    """
    target = get(request.target)
    try:
        assembly = assemble_program(request.source, grf_bytes=target.platform.grf_bytes)
    except AssemblyError as error:
        raise errors_at(request, [(each.line, each.column, each.message) for each in (error, *error.others)]) from None
    if wrong := target.wrong_registers(assembly.grf_bytes):
        raise errors_at(request, [(1, 1, wrong)])
    grf_count = request.grf_count or max(target.platform.grf_counts)
    broken = []
    for instruction, (line, column) in zip(assembly.instructions, assembly.places, strict=True):
        try:
            validate(instruction, target, grf_count)
        except IllegalInstruction as error:
            broken.append((line, column, str(error)))
    if broken:
        raise errors_at(request, broken)
    return assembly


def assembled_stage(request: CompileRequest, assembly: Assembly) -> Stage:
    """Returns the words of code, with their instructions and costs."""
    target = get(request.target)
    grf_count = request.grf_count or max(target.platform.grf_counts)
    program = decode_program(assembly.code)
    names = label_names(program)
    ends = [*program.offsets[1:], len(assembly.code)]
    found = figures(program, target, grf_count)
    rows: list[tuple[str, int, int | None]] = []
    for number, (start, end) in enumerate(zip(program.offsets, ends, strict=True)):
        if number in names:
            rows.append((f"{names[number]}:", 0, None))
        text = format_labelled(program, number, names)
        words = assembly.code[start:end].hex(" ", 4)
        rows.append((f"    {text:<{_TEXT_WIDTH}} // {words}", assembly.places[number][0], number))
    columns = {}
    if found is not None:
        for name, values in ((CYCLES, found.cycles), (REGISTERS, found.registers)):
            columns[name] = [None if index is None else values[index] for _, _, index in rows]
    return Stage(
        "code", "xe-asm", "\n".join(text for text, _, _ in rows), [line for _, line, _ in rows], columns=columns
    )


def errors_at(request: CompileRequest, found: list[tuple[int, int, str]]) -> CompileError:
    """Returns the error with messages at lines and columns of a text."""
    return CompileError.of(
        [
            Diagnostic(Severity.ERROR, message, SourceLocation(request.filename, line, column))
            for line, column, message in found
        ]
    )
