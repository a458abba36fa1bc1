"""`--validate`: what is wrong with a file, and nothing else."""

from __future__ import annotations

from collections import Counter

from tools.dump.inputs import Image
from tools.dump.output import Output
from zebin import Severity
from zebin.dump import printable

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "dim"}


def show_findings(image: Image, output: Output) -> None:
    """A line for each finding, then the verdict."""
    for finding in image.findings:
        output.line(printable(f"{image.label}: {finding}"), _STYLES[finding.severity])
    counts = Counter(finding.severity for finding in image.findings)
    told = [
        f"{counts[severity]} {word}{'s' if counts[severity] > 1 else ''}"
        for severity, word in ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "remark"))
        if counts[severity]
    ]
    verdict = "invalid" if image.has_errors else "valid"
    output.line(f"{image.label}: {verdict}{': ' if told else ''}{', '.join(told)}", "bold")
