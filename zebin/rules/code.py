"""Rules between `.ze_info` and the rest of the file: code, symbols and versions."""

from __future__ import annotations

from collections.abc import Set

from zebin.elf.constants import ENTRY_SYMBOL, TEXT_PREFIX, VOID_PROGRAM, SymbolBinding, SymbolType
from zebin.elf.model import ElfFile, Section, Symbol
from zebin.errors import excerpt
from zebin.rules.subject import Subject
from zebin.yaml.source import TextReport
from zebin.ze_info.schema import KernelInfo, ZeInfo

TEXT_TAIL = 128
"""Zero bytes after the code, which keep the instruction prefetcher inside the allocation."""
TEXT_MULTIPLE = 8
INSTRUCTION_BYTES = 8
"""The size of the shortest instructions, which are compacted."""


def check_code(file: ElfFile, ze_info: ZeInfo, report: TextReport) -> None:
    """Checks that kernels have code and symbols, that code belongs to kernels, and that names used by the host
    exist.
    """
    root = Subject(report, ze_info, ())
    texts = {s.name.removeprefix(TEXT_PREFIX): s for s in reversed(file.sections) if s.name.startswith(TEXT_PREFIX)}
    symbols = file.code_symbols()
    checked: set[str] = set()
    for kernel in root.children("kernels", ze_info.kernels):
        name = kernel.record.name
        if name not in texts:
            kernel.error(
                "kernel.no-text", "kernel without code", "name", expected=f"section {excerpt(TEXT_PREFIX + name)}"
            )
        elif name not in checked:
            _check_text(kernel, texts[name], symbols.get(texts[name].index, {}))
        checked.add(name)
    listed = {kernel.name for kernel in ze_info.kernels} | {VOID_PROGRAM}
    relocated = {file.sections[index].info for index in file.relocations}
    for name, section in texts.items():
        if name not in listed:
            message = "code of a kernel that .ze_info does not describe"
            # Drivers look up the caller of every function that a relocation refers to.
            add = report.report.error if section.index in relocated else report.report.warning
            add("text.unlisted", message, section.location())
    exported = {symbol.name for symbol in file.symbols if symbol.binding == SymbolBinding.GLOBAL}
    for function in root.children("functions", ze_info.functions):
        if function.record.name not in exported:
            found = excerpt(function.record.name)
            function.warning("func.symbol", "function without a global symbol", "name", found=found)
    if ze_info.functions:
        _check_functions(file, {function.name for function in ze_info.functions}, report)
    _check_host_access(root, exported)


def _check_functions(file: ElfFile, described: Set[str], report: TextReport) -> None:
    """Checks that a text which describes functions describes all that are called: drivers look for them there."""
    for index in sorted(file.relocated_symbols()):
        symbol = file.symbols[index] if index < len(file.symbols) else Symbol("")
        is_function = symbol.binding == SymbolBinding.GLOBAL and symbol.type == SymbolType.FUNC
        if is_function and symbol.section_index and symbol.name not in described:
            message = f"function {excerpt(symbol.name)} is called but not described"
            report.report.error("func.missing", message, expected="an entry in functions")


def _check_text(kernel: Subject[KernelInfo], text: Section, symbols: dict[str, Symbol]) -> None:
    report, location = kernel.report.report, text.location()
    if not text.size:
        report.error("text.empty", "code section is empty", location)
        return
    if text.size % TEXT_MULTIPLE:
        report.warning(
            "text.size",
            "code of an unaligned size",
            location,
            found=text.size,
            expected=f"a multiple of {TEXT_MULTIPLE}",
        )
    if len(text.data) < TEXT_TAIL or any(text.data[-TEXT_TAIL:]):
        report.warning("text.padding", f"code does not end with {TEXT_TAIL} zero bytes", location)
    env = kernel.record.execution_env
    execution = kernel.child("execution_env", env)
    for key, value in (
        ("offset_to_skip_per_thread_data_load", env.offset_to_skip_per_thread_data_load),
        ("offset_to_skip_set_ffid_gp", env.offset_to_skip_set_ffid_gp),
    ):
        if not 0 <= value <= text.size:
            execution.error("value.skip", "points outside the code", key, found=value, expected=f"0 to {text.size}")
        elif value % INSTRUCTION_BYTES:
            expected = f"a multiple of {INSTRUCTION_BYTES}"
            execution.warning("value.skip", "points inside an instruction", key, found=value, expected=expected)
    own, entry = symbols.get(kernel.record.name), symbols.get(ENTRY_SYMBOL)
    if own is None:
        report.warning("sym.kernel", "kernel has no symbol", location)
        return
    if own.binding == SymbolBinding.GLOBAL and own.type == SymbolType.FUNC:
        report.error("sym.global-kernel", "kernel's symbol is global, which exports it as a function", location)
    entry_outside = entry is not None and not own.value <= entry.value < own.value + max(own.size, 1)
    if own.value or not own.size or entry_outside:
        found = f"value {own.value:#x}, size {own.size:#x}" + (f", entry {entry.value:#x}" if entry else "")
        expected = "value 0, the code's size, and an entry inside"
        report.warning("sym.kernel", "unusual symbol of a kernel", location, found=found, expected=expected)


def _check_host_access(root: Subject[ZeInfo], exported: set[str]) -> None:
    """Checks that device variables have symbols, by whose names the host accesses them."""
    host_names: set[str] = set()
    for entry in root.children("global_host_access_table", root.record.global_host_access_table):
        record = entry.record
        if record.device_name not in exported:
            entry.error("host.device", "variable without a symbol", "device_name", found=excerpt(record.device_name))
        if record.host_name in host_names:
            entry.warning(
                "host.duplicate", "name refers to two variables", "host_name", found=excerpt(record.host_name)
            )
        host_names.add(record.host_name)
