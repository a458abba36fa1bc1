"""The driver of `zebin-dump`: reads the files and shows what the options select."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import chain

from tools.cli import CommandError, complain
from tools.dump.command import DumpOptions
from tools.dump.comparison import show_differences
from tools.dump.contents import kernel_names, list_json, show_list
from tools.dump.extraction import extract
from tools.dump.inputs import InputBinary, InputFile, all_binaries, load
from tools.dump.output import DumpOutput
from tools.dump.overview import show, show_json
from tools.dump.pictures import show_control_flow, show_lifetimes, show_map, show_payload
from tools.dump.sections import show_sections, show_yaml
from tools.dump.validation import show_findings
from zebin import FindingSeverity, demangled
from zebin.dump import json_chunks


def run(options: DumpOptions) -> int:
    """Executes the command line and returns the exit status.

    Raises:
        CommandError: If no file can be read, or not both of the two to compare.
    """
    sources, failed = _load(options)
    binaries = list(all_binaries(sources))
    names = _names(binaries) if options.demangle else {}
    mangled = {readable: name for name, readable in names.items()}
    options.kernel = [mangled.get(name, name) for name in options.kernel]
    output = DumpOutput(options.color, names)
    if options.diff:
        return _compare(sources, options, output)
    if options.list:
        _list(sources, options, output)
    elif options.extract is not None:
        extract(binaries, options.extract)
    elif options.json:
        show_json(sources, options)
    else:
        for binary in binaries:
            if len(binaries) > 1 and not options.validate and options.format != "raw":
                output.title(binary.label)
            _show(binary, options, output)
    if not options.validate:
        _report(binaries, errors_only=options.list)
    return int(failed or any(binary.has_errors for binary in binaries))


def _names(binaries: Sequence[InputBinary]) -> Mapping[str, str]:
    """Returns the readable names of kernels and symbols."""
    symbols = (symbol.name for binary in binaries if binary.zebin is not None for symbol in binary.zebin.symbols)
    return demangled(chain(symbols, *(kernel_names(binary) for binary in binaries)))


def _list(sources: Sequence[InputFile], options: DumpOptions, output: DumpOutput) -> None:
    if options.json:
        sys.stdout.writelines(json_chunks([entry for source in sources for entry in list_json(source)]))
        print()
        return
    for source in sources:
        show_list(source, output)


def _load(options: DumpOptions) -> tuple[list[InputFile], bool]:
    """Returns the files, and whether some of them could not be read.

    Raises:
        CommandError: If no file could be read, or if one of the two to compare could not.
    """
    sources: list[InputFile] = []
    failed = False
    for file in options.files:
        try:
            sources.append(load(file, member=options.member, target=options.target, strict=options.strict))
        except CommandError as error:
            if options.diff or len(options.files) == 1:
                raise
            complain(error.message("zebin-dump"))
            failed = True
    return sources, failed


def _show(binary: InputBinary, options: DumpOptions, output: DumpOutput) -> None:
    if options.validate:
        show_findings(binary, output)
    elif options.yaml:
        show_yaml(binary, options, output)
    elif options.section:
        show_sections(binary, options, output)
    elif options.cfg:
        show_control_flow(binary, options, output)
    elif options.lifetimes:
        show_lifetimes(binary, options, output)
    elif options.map:
        show_map(binary, options, output)
    elif options.payload:
        show_payload(binary, options, output)
    else:
        show(binary, options, output)


def _compare(sources: Sequence[InputFile], options: DumpOptions, output: DumpOutput) -> int:
    old, new = sources
    differs = show_differences(old, new, output, as_json=options.json)
    _report([binary for binary in all_binaries(sources) if binary.zebin is None or binary.has_errors])
    return 2 if differs is None else int(differs)


def _report(binaries: Sequence[InputBinary], *, errors_only: bool = False) -> None:
    """Prints errors and warnings on standard error."""
    told = {FindingSeverity.ERROR} if errors_only else {FindingSeverity.ERROR, FindingSeverity.WARNING}
    for binary in binaries:
        for finding in binary.findings:
            if finding.severity in told:
                complain(f"{binary.label}: {finding}")
