"""`--validate`: the findings about a file, and nothing else."""

from __future__ import annotations

from collections import Counter

from tools.cli import Style
from tools.dump.inputs import InputBinary
from tools.dump.output import DumpOutput
from zebin import FindingSeverity, Zebin
from zebin.dump import printable

_CONTENTS = (".data.", ".bss.", ".spv")
"""The beginnings of the names of sections that hold what a program consists of."""

_STYLES = {
    FindingSeverity.ERROR: Style.ERROR,
    FindingSeverity.WARNING: Style.WARNING,
    FindingSeverity.INFO: Style.REMARK,
}


def show_findings(binary: InputBinary, output: DumpOutput) -> None:
    """Prints one line per finding, then the verdict."""
    if binary.zebin is not None and not binary.has_errors and is_empty(binary.zebin):
        binary.error("dump.empty", "nothing that a driver could load: expected kernels, functions, data or SPIR-V")
    for finding in binary.findings:
        output.line(printable(f"{binary.label}: {finding}"), _STYLES[finding.severity])
    counts = Counter(finding.severity for finding in binary.findings)
    told = [
        f"{counts[severity]} {word}{'s' if counts[severity] > 1 else ''}"
        for severity, word in (
            (FindingSeverity.ERROR, "error"),
            (FindingSeverity.WARNING, "warning"),
            (FindingSeverity.INFO, "remark"),
        )
        if counts[severity]
    ]
    verdict = "invalid" if binary.has_errors else "valid"
    output.line(f"{binary.label}: {verdict}{': ' if told else ''}{', '.join(told)}", Style.HEADING)


def is_empty(zebin: Zebin) -> bool:
    """Returns whether a ZEBIN has neither kernels nor functions, data or SPIR-V."""
    described = zebin.kernels or (zebin.ze_info is not None and zebin.ze_info.functions)
    return not described and not any(section.name.startswith(_CONTENTS) and section.size for section in zebin.sections)
