"""`xe-asm`: assembles text to code of the virtual Xe ISA, and disassembles code and ZEBINs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.source_text import comments
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
from xegpu.targets import TARGETS, Target

MAX_INPUT = 64 << 20
"""The maximum size of the input in bytes."""

_ELF_MAGIC = b"\x7fELF"


class AssemblyInputError(Exception):
    """The input is wrong; the text holds one message per line."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns 0, or 1 if the input is wrong; exits with 2 if the command line is wrong."""
    arguments = _parse(argv)
    try:
        data = _read(arguments.file)
        output = _disassembly(arguments, data).encode() if arguments.disassemble else _assembly(arguments, data)
        _write(arguments.output, output)
    except AssemblyInputError as error:
        print(error, file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader closed the pipe. Redirecting the stream avoids a second error when Python closes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="xe-asm",
        description="Assemble text to the code of one kernel (header word and instructions), or disassemble it. "
        "Instructions are checked against the target.",
        epilog="Examples: xe-asm kernel.asm -o kernel.bin; xe-asm -d --offsets gemm.zebin --kernel gemm",
    )
    parser.add_argument("file", metavar="FILE", help="assembly text, or code or a ZEBIN with -d; - for standard input")
    parser.add_argument("-o", "--output", metavar="OUT", default="-", help="output file (default: standard output)")
    parser.add_argument("-d", "--disassemble", action="store_true", help="disassemble code to text")
    parser.add_argument("--target", choices=tuple(TARGETS), help="GPU to check against (default: by register size)")
    parser.add_argument("-k", "--kernel", metavar="NAME", help="disassemble only this kernel of a ZEBIN")
    parser.add_argument("--offsets", action="store_true", help="print the byte offset of each instruction (with -d)")
    parser.add_argument("--cost", action="store_true", help="print the estimated cycles per instruction (with -d)")
    parser.add_argument("-S", "--source", action="store_true", help="print the source lines of instructions (with -d)")
    arguments = parser.parse_args(argv)
    listing = (arguments.kernel is not None, arguments.offsets, arguments.cost, arguments.source)
    if not arguments.disassemble and any(listing):
        parser.error("--kernel, --offsets, --cost and --source require -d")
    if not arguments.disassemble and arguments.output == "-" and sys.stdout.isatty():
        parser.error("code is binary and standard output is a terminal: specify a file with -o")
    return arguments


# Files ---------------------------------------------------------------------------------------------------------------


def _read(file: str) -> bytes:
    name = _name(file)
    try:
        if file == "-":
            data = sys.stdin.buffer.read(MAX_INPUT + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(MAX_INPUT + 1)
    except (OSError, ValueError) as error:
        raise AssemblyInputError(f"{name}: error: cannot be read: {_reason(error)}") from None
    if len(data) > MAX_INPUT:
        raise AssemblyInputError(f"{name}: error: larger than {MAX_INPUT >> 20} MiB")
    return data


def _write(file: str, data: bytes) -> None:
    try:
        if file == "-":
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            Path(file).write_bytes(data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        name = "<stdout>" if file == "-" else file
        raise AssemblyInputError(f"{name}: error: cannot be written: {_reason(error)}") from None


def _name(file: str) -> str:
    return "<stdin>" if file == "-" else file


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _target(name: str, wanted: str | None, grf_bytes: int) -> Target:
    """Returns the requested target, or the one whose registers have this size."""
    target = TARGETS[wanted] if wanted else next(t for t in TARGETS.values() if t.grf_bytes == grf_bytes)
    if target.grf_bytes != grf_bytes:
        raise AssemblyInputError(
            f"{name}: error: code uses registers of {grf_bytes} bytes, {target.name} has {target.grf_bytes}"
        )
    return target


def _broken_rule(instruction: Instruction, target: Target, grf_count: int | None) -> str | None:
    try:
        validate(instruction, target, grf_count or max(target.grf_counts))
    except IllegalInstruction as error:
        return str(error)
    return None


# Assembling ----------------------------------------------------------------------------------------------------------


def _assembly(arguments: argparse.Namespace, data: bytes) -> bytes:
    name = _name(arguments.file)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise AssemblyInputError(f"{name}:{line}:{column}: error: not UTF-8 text (-d disassembles)") from None
    default = TARGETS[arguments.target].grf_bytes if arguments.target else 64
    try:
        assembly = assemble_program(text, grf_bytes=default)
    except AssemblyError as error:
        errors = (error, *error.others)
        raise AssemblyInputError("\n".join(f"{name}:{e.line}:{e.column}: error: {e.message}" for e in errors)) from None
    target = _target(name, arguments.target, assembly.grf_bytes)
    broken = [
        f"{name}:{line}:{column}: error: {rule}"
        for instruction, (line, column) in zip(assembly.instructions, assembly.places, strict=True)
        if (rule := _broken_rule(instruction, target, None))
    ]
    if broken:
        raise AssemblyInputError("\n".join(broken))
    return assembly.code


# Disassembling -------------------------------------------------------------------------------------------------------


def _disassembly(arguments: argparse.Namespace, data: bytes) -> str:
    name = _name(arguments.file)
    if data.startswith(_ELF_MAGIC):
        return "\n".join(_kernels(name, data, arguments))
    if arguments.kernel is not None:
        raise AssemblyInputError(f"{name}: error: not a ZEBIN: --kernel requires one")
    return _kernel(name, data, None, arguments, NO_LINES)


def _kernels(name: str, data: bytes, arguments: argparse.Namespace) -> Iterator[str]:
    """Yields the text of a ZEBIN's kernels, or of the requested one."""
    from zebin import ZebinError, line_tables, read  # raw code needs neither ELF nor YAML

    try:
        zebin = read(data)
    except ZebinError as error:
        raise AssemblyInputError("\n".join(f"{name}: {finding}" for finding in error.findings)) from None
    kernels = zebin.kernels
    if arguments.kernel is not None:
        if arguments.kernel not in kernels:
            known = ", ".join(map(repr, kernels)) or "none"
            raise AssemblyInputError(f"{name}: error: contains no kernel {arguments.kernel!r}: expected one of {known}")
        kernels = {arguments.kernel: kernels[arguments.kernel]}
    tables, findings = line_tables(zebin) if arguments.source else ({}, [])
    for finding in findings:
        print(f"{name}: {finding}", file=sys.stderr)
    for kernel in kernels.values():
        lines, grf_count = tables.get(kernel.name, NO_LINES), kernel.execution_env.grf_count
        text = _kernel(f"{name}({kernel.name})", bytes(kernel.code), grf_count, arguments, lines)
        yield f"// kernel {kernel.name!r}\n{text}"


def _kernel(name: str, code: bytes, grf_count: int | None, arguments: argparse.Namespace, lines: LineTable) -> str:
    if not has_header(code):
        raise AssemblyInputError(f"{name}: error: no XeVISA header: expected code of the virtual Xe ISA")
    try:
        program = decode_program(code)
    except DecodeError as error:
        raise AssemblyInputError(f"{name}: error: {error}") from None
    target = _target(name, arguments.target, program.grf_bytes)
    rules = [_broken_rule(instruction, target, grf_count) for instruction in program.instructions]
    for offset, rule in zip(program.offsets, rules, strict=True):
        if rule:
            print(f"{name}: warning: at offset {offset:#x}: {rule}", file=sys.stderr)
    if arguments.cost and any(rules):
        raise AssemblyInputError(f"{name}: error: --cost requires legal code")
    cycles = instruction_cycles(program, target, grf_count or max(target.grf_counts)) if arguments.cost else ()
    return format_program(program, arguments.offsets, comments(lines, program.offsets), cycles)
