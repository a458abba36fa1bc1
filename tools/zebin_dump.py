"""`zebin-dump`: shows what a ZEBIN, of this compiler or of Intel's, contains."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from zebin import Finding, Kernel, Severity, Zebin, ZebinError, is_archive, line_tables, read, read_archive
from zebin.dump import Json, Table, as_json, finding_json, hex_lines, printable, tables_of
from zebin.ze_info import write_ze_info


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command: 0, or 1 when the file cannot be read or is broken. Wrong usage exits with 2."""
    arguments = _parse(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has seen enough; without this, Python complains again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    return status


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="zebin-dump",
        description="Show the contents of a ZEBIN, or of every ZEBIN in a fat binary. What is wrong with the file is "
        "said on standard error, and the exit status is 1 when a driver would refuse it.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="ZEBIN, or ar archive of ZEBINs")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="everything as JSON")
    form.add_argument("--yaml", action="store_true", help=".ze_info only, as YAML in the layout of Intel's compilers")
    form.add_argument("--section", action="append", metavar="NAME", help="the bytes of this section only; repeatable")
    parser.add_argument("--disassemble", action="store_true", help="instructions of kernels of the virtual Xe ISA too")
    parser.add_argument("--source", action="store_true", help="instructions as with --disassemble, with their source")
    arguments = parser.parse_args(argv)
    arguments.disassemble |= arguments.source
    if arguments.disassemble and (arguments.yaml or arguments.section):
        parser.error("--disassemble and --source go with the whole dump or with --json")
    return arguments


@dataclass
class _Image:
    """One ZEBIN of the file. `zebin` is None when it could not be taken apart at all."""

    label: str
    zebin: Zebin | None
    findings: list[Finding]

    def error(self, code: str, message: str) -> None:
        self.findings.append(Finding(Severity.ERROR, code, message))


def _run(arguments: argparse.Namespace) -> int:
    try:
        data = arguments.file.read_bytes()
    except OSError as error:
        print(f"{arguments.file}: error: cannot be read: {error.strerror or error}", file=sys.stderr)
        return 1
    images = list(_images(str(arguments.file), data))
    if arguments.json:
        objects = [_json(image, arguments) for image in images]
        print(json.dumps(objects if is_archive(data) else objects[0], indent=2))
    else:
        show = _shower()
        for image in images:
            if len(images) > 1:
                show(f"# {image.label}\n")
            for block in _blocks(image, arguments):
                show(block)
    sys.stdout.flush()
    for image in images:
        for finding in image.findings:
            if finding.severity is not Severity.INFO:
                print(printable(f"{image.label}: {finding}"), file=sys.stderr)
    return int(any(finding.severity is Severity.ERROR for image in images for finding in image.findings))


def _images(name: str, data: bytes) -> Iterator[_Image]:
    """The ZEBINs of the file; of an archive that is broken, what is wrong with it."""
    try:
        members = [(f"{name}({m.name})", m.data) for m in read_archive(data)] if is_archive(data) else [(name, data)]
    except ZebinError as error:
        yield _Image(name, None, list(error.findings))
        return
    for label, content in members:
        try:
            zebin = read(content, lenient=True)
        except ZebinError as error:
            yield _Image(label, None, list(error.findings))
        else:
            yield _Image(label, zebin, list(zebin.findings))


# Text ----------------------------------------------------------------------------------------------------------------


def _blocks(image: _Image, arguments: argparse.Namespace) -> Iterator[Table | str]:
    """What is to be shown of the image, in order."""
    zebin = image.zebin
    if zebin is None:
        return
    if arguments.yaml:
        if zebin.ze_info is not None:
            yield write_ze_info(zebin.ze_info).decode()
    elif arguments.section:
        for name in arguments.section:
            yield from _section(image, zebin, name)
    else:
        yield from tables_of(zebin)
        remarks = [(f.code, str(f.place), f.message) for f in image.findings if f.severity is Severity.INFO]
        if remarks:
            yield Table("Remarks", ("code", "place", "message"), remarks)
        if arguments.disassemble:
            for kernel, text in _disassemblies(image, zebin, with_source=arguments.source):
                yield f"Kernel {printable(kernel.name)}, code:\n{text or '  native code, not disassembled'}\n"


def _section(image: _Image, zebin: Zebin, name: str) -> Iterator[str]:
    sections = [section for section in zebin.sections if section.name == name]
    if not sections:
        image.error("dump.section", f"no section is called {name!r}")
    for section in sections:
        head = f"{printable(section.label)}, {section.type_name}, {section.size:#x} bytes at {section.offset:#x}:"
        yield "\n".join((head, *hex_lines(section.data), ""))


def _disassemblies(image: _Image, zebin: Zebin, *, with_source: bool) -> Iterator[tuple[Kernel, str | None]]:
    """Each kernel with the text of its instructions, None for native code."""
    # The instruction table takes longer to load than most dumps to make.
    from tools.source_text import comments
    from xegpu.isa import DecodeError, decode_program, format_program, has_header

    tables, findings = line_tables(zebin) if with_source else ({}, [])
    image.findings += findings
    for kernel in zebin.kernels.values():
        code = bytes(kernel.code)
        if not has_header(code):
            yield kernel, None
            continue
        try:
            program = decode_program(code)
        except DecodeError as error:
            image.error("isa.illegal", f"code of kernel {kernel.name!r}: {error}")
            yield kernel, ""
        else:
            sources = comments(tables[kernel.name], program.offsets) if kernel.name in tables else {}
            yield kernel, format_program(program, offsets=True, comments=sources)


def _shower() -> Callable[[Table | str], None]:
    """How blocks are shown: with colours on a terminal, as plain text elsewhere."""
    if not sys.stdout.isatty():
        return lambda block: print(block if isinstance(block, str) else "\n".join((*block.lines(), "")))
    from rich.console import Console

    console = Console(highlight=False)

    def show(block: Table | str) -> None:
        if isinstance(block, str):
            console.print(block, markup=False, soft_wrap=True)
        else:
            console.print(_rich_table(block))

    return show


def _rich_table(table: Table) -> object:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(
        title=Text(printable(table.title), "bold cyan"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_header=any(table.columns),
        header_style="bold",
    )
    for column in table.columns:
        drawn.add_column(Text(column), justify="right" if column in table.numbers else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(printable(cell)) for cell in row))
    return drawn


# JSON ----------------------------------------------------------------------------------------------------------------


def _json(image: _Image, arguments: argparse.Namespace) -> dict[str, Json]:
    content: dict[str, Json] = {"file": image.label}
    if image.zebin is not None:
        content |= as_json(image.zebin)
        if arguments.disassemble:
            texts = _disassemblies(image, image.zebin, with_source=arguments.source)
            content["disassembly"] = {kernel.name: text for kernel, text in texts}
    return content | {"findings": [finding_json(finding) for finding in image.findings]}


if __name__ == "__main__":
    sys.exit(main())
