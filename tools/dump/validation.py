"""`--validate`: the findings about a file, and nothing else."""

from __future__ import annotations

from collections import Counter

from tools.cli import Style
from tools.dump.inputs import InputBinary
from tools.dump.output import DumpOutput
from zebin import FindingSeverity
from zebin.dump import printable

_STYLES = {
    FindingSeverity.ERROR: Style.ERROR,
    FindingSeverity.WARNING: Style.WARNING,
    FindingSeverity.INFO: Style.REMARK,
}


def show_findings(binary: InputBinary, output: DumpOutput) -> None:
    """Prints one line per finding, then the verdict."""
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
