"""`zebin-dump`: shows the contents of ZEBINs, those of this compiler and of Intel's."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.dump.command_line import DumpOptions, parse
from tools.dump.comparison import show_differences
from tools.dump.extraction import extract
from tools.dump.inputs import InputBinary, InputError, InputFile, all_binaries, load
from tools.dump.output import DumpOutput, complain, finish, prepare_streams
from tools.dump.overview import show, show_json
from tools.dump.pictures import show_map, show_payload
from tools.dump.sections import show_sections, show_yaml
from tools.dump.validation import show_findings
from zebin import FindingSeverity


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns 0, or 1 if a file cannot be read or is broken; with `--diff`, the status of `diff`.

    Wrong usage exits with status 2.
    """
    prepare_streams()
    options = parse(argv)
    trouble = 2 if options.diff else 1

    def command() -> int:
        try:
            return _run(options)
        except InputError as error:
            complain(str(error))
            return trouble

    return finish(command, trouble)


def _run(options: DumpOptions) -> int:
    output = DumpOutput(options.color)
    sources, failed = _load(options)
    if options.diff:
        return _compare(sources, options, output)
    binaries = list(all_binaries(sources))
    if options.extract is not None:
        extract(binaries, options.extract)
    elif options.json:
        show_json(sources, options)
    else:
        for binary in binaries:
            if len(binaries) > 1 and not options.validate and options.format != "raw":
                output.title(binary.label)
            _show(binary, options, output)
    if not options.validate:
        _report(binaries)
    return int(failed or any(binary.has_errors for binary in binaries))


def _load(options: DumpOptions) -> tuple[list[InputFile], bool]:
    """Returns the files, and whether some of them could not be read.

    Raises:
        InputError: If no file could be read, or if one of the two to compare could not.
    """
    sources: list[InputFile] = []
    failed = False
    for file in options.files:
        try:
            sources.append(load(file, member=options.member, target=options.target, strict=options.strict))
        except InputError as error:
            if options.diff or len(options.files) == 1:
                raise
            complain(str(error))
            failed = True
    return sources, failed


def _show(binary: InputBinary, options: DumpOptions, output: DumpOutput) -> None:
    if options.validate:
        show_findings(binary, output)
    elif options.yaml:
        show_yaml(binary, options, output)
    elif options.section:
        show_sections(binary, options, output)
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


def _report(binaries: Sequence[InputBinary]) -> None:
    """Prints errors and warnings on standard error."""
    for binary in binaries:
        for finding in binary.findings:
            if finding.severity is not FindingSeverity.INFO:
                complain(f"{binary.label}: {finding}")


if __name__ == "__main__":
    sys.exit(main())
