"""The table of stages in `docs/upstream.md`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tests.paths import DOCS
from tests.peer.stages.pipeline import STAGES
from tests.peer.stages.programs import names
from tests.peer.stages.verdicts import Outcome, Verdict

PAGE = DOCS / "upstream.md"
_HEADING = "## Each stage of upstream's pipeline"
VERSIONS = (22, 23)
NOTHING = "·"
"""The cell of a stage that changes nothing, or that is not reached."""

NOT_RUN = "-"

Row = tuple[str, str]
"""A kernel and its level."""
Verdicts = Mapping[tuple[Row, int], Mapping[str, Verdict]]

_INTRODUCTION = """\
Each kernel of the [gallery](gallery.md) at the levels of work-groups, subgroups and lanes went through
`gpu-lower-to-xevm-pipeline` with `zebin-chip=pvc`, and what its stages left was compiled here and executed. A cell has
a letter for each of {versions}:
`=` for the bits of the kernel as it is written, `≈` for others within the bound of the exact results, `U` where
upstream refuses the kernel, or does not read what it has made of it, `R` where this toolkit refuses it, `D` for other
results, `·` where a stage changes nothing, does not exist or is not reached, and `-` where it has not been run. LLVM 22
does not spread the layouts of work-groups; its kernels have those of
`xegpu-propagate-layout{{layout-kind=subgroup}}` of this toolkit. A stage ends where the next one begins, and `cse`,
`canonicalize` and the like belong to the one before.
`python -m tests.bulk.stages` renews this section.

Where a cell has `D`, upstream's text means something else than the kernel: LLVM 23 stores a lane's column of a matrix
in shared memory, `vector<8x1xf32>`, to eight consecutive addresses.
"""


def written(verdicts: Verdicts, versions: Sequence[str]) -> None:
    """Replaces the section of the page."""
    before = PAGE.read_text().split(_HEADING)[0].rstrip("\n")
    lines = [_HEADING, "", _INTRODUCTION.format(versions=" and ".join(f"mlir-opt {v}" for v in versions))]
    lines += ["| Outcome | Cells |", "|---|---|", *_counts(verdicts), "", *_table(verdicts)]
    lines += ["", "What `R`, `D` and `U` stand for:", "", "| | Cells | Cause |", "|---|---|---|", *_causes(verdicts)]
    PAGE.write_text(f"{before}\n\n" + "\n".join(lines) + "\n")


def cells() -> Iterator[tuple[Row, int, str, str]]:
    """Yields the cells of the page: kernel and level, version, stage, and the letter of an outcome."""
    section = PAGE.read_text().partition(_HEADING)[2]
    for line in section.splitlines():
        name, *entries = (part.strip() for part in line.strip("| \n").split("|"))
        if len(entries) != len(STAGES) or name in ("Kernel", "---"):
            continue
        kernel, level = name.split()
        for stage, entry in zip(STAGES, entries, strict=True):
            for version, letter in zip(VERSIONS, entry.split(), strict=True):
                if letter not in (NOTHING, NOT_RUN):
                    yield (kernel, level), version, stage, letter


def _all(verdicts: Verdicts) -> list[Verdict]:
    return [verdict for found in verdicts.values() for verdict in found.values()]


def _counts(verdicts: Verdicts) -> Iterator[str]:
    counts = Counter(verdict.outcome for verdict in _all(verdicts))
    for outcome in Outcome:
        yield f"| `{outcome.value}` | {counts[outcome]} |"


def _table(verdicts: Verdicts) -> Iterator[str]:
    yield f"| Kernel | {' | '.join(STAGES)} |"
    yield "|---" * (len(STAGES) + 1) + "|"
    for row in names():
        found = [verdicts.get((row, version)) for version in VERSIONS]
        entries = [" ".join(_letter(each, stage) for each in found) for stage in STAGES]
        yield f"| {' '.join(row)} | {' | '.join(entries)} |"


def _letter(found: Mapping[str, Verdict] | None, stage: str) -> str:
    if found is None:
        return NOT_RUN
    return found[stage].outcome.value if stage in found else NOTHING


def _causes(verdicts: Verdicts) -> Iterator[str]:
    causes = Counter((each.outcome.value, _cause(each.reason)) for each in _all(verdicts) if each.reason)
    for (letter, cause), count in sorted(causes.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
        yield f"| `{letter}` | {count} | {cause} |"


def _cause(reason: str) -> str:
    """Returns a reason without what differs between kernels, as a cell of a table."""
    short = reason.partition(" that was explicitly marked illegal")[0].partition(" using #xegpu")[0]
    plain = re.sub(r"%\w+|-?\b\d+\b|\d+x[\dx]*", "N", re.sub(r"<.*>", "<…>", short))
    return plain.replace("|", "\\|").replace("<", "\\<").replace(">", "\\>").strip()
