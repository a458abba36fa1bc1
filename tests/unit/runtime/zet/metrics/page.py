"""docs/metrics.md, from the table of metrics.

python -m tests.unit.runtime.zet.metrics.page > docs/metrics.md
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from runtime.zet.metrics.system.counters import COUNTERS
from runtime.zet.metrics.system.stalls import SAMPLES
from runtime.zet.metrics.system.table import CONSTANTS, GROUPS, HEADER, METRICS


def page() -> str:
    """The text of docs/metrics.md."""
    text = (Path(__file__).parent / "page.md").read_text()
    for name, lines in {"groups": _groups(), "metrics": _metrics(), "counters": _counters()}.items():
        text = text.replace(f"@@{name}@@", "\n".join(lines))
    return text


def _groups() -> Iterator[str]:
    yield "| Group | Domain | Metrics | |\n|---|---|---|---|"
    for group in GROUPS.values():
        yield f"| `{group.name}` | {group.domain} | {len(group.metrics)} | {group.description} |"


def _metrics() -> Iterator[str]:
    yield "| Metric | Unit | Formula | Groups | |\n|---|---|---|---|---|"
    for row in METRICS.values():
        groups = (
            ", ".join(group.name for group in GROUPS.values() if row.name in group.metrics)
            or "all but EuStallSampling, by time"
        )
        where = "all but EuStallSampling" if len(groups.split(", ")) == len(GROUPS) - 1 else groups
        yield f"| `{row.name}` | {row.units} | `{row.formula}` | {where} | {row.description} |"


def _counters() -> Iterator[str]:
    yield "| Name | What it is |\n|---|---|"
    for names in (HEADER, {name: text for name, (text, _) in CONSTANTS.items()}, COUNTERS, SAMPLES):
        for name, text in names.items():
            yield f"| `{name}` | {text} |"


if __name__ == "__main__":
    print(page(), end="")
