"""Intel's driver against our reader, on files with one change.

    python -m tests.bulk.driver.comparison --count 3000 --seed 7 --keep FOLDER

A file that the driver refuses or dies on needs an error, one that it takes needs none. Where reader and driver differ
on purpose, docs/zebin.md has a table with the codes and the reasons; anything else is printed, and the status is 1.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bulk.driver.mutations import Mutation, mutations, without_ir
from tests.bulk.driver.oracle import DriverOracle, Verdict, driver_oracle
from tests.paths import DOCS
from tests.unit.zebin.support import SAMPLES
from zebin import Finding, FindingSeverity, ZebinError, read
from zebin.elf.constants import MACHINE_INTELGT
from zebin.products import CORE_OF_FAMILY

_FAMILIES = {"pvc": 1271, "dg2": 1270}
_CODE = re.compile(r"`([a-z_]+\.[a-z0-9-]+)`")


@dataclass(frozen=True)
class Deviations:
    """The codes for which reader and driver differ on purpose, as the table of docs/zebin.md lists them."""

    stricter: frozenset[str]
    milder: frozenset[str]

    @classmethod
    def documented(cls) -> Deviations:
        page = (DOCS / "zebin.md").read_text()
        start, middle, end = (
            page.index(mark)
            for mark in ("### Stricter than this driver", "### Milder than this driver", "## For maint")
        )
        return cls(frozenset(_CODE.findall(page[start:middle])), frozenset(_CODE.findall(page[middle:end])))


def disagreement(data: bytes, verdict: Verdict, deviations: Deviations, device: str) -> str:
    """Returns how reader and driver differ on a file, empty if they agree or if it is documented."""
    findings: Sequence[Finding]
    try:
        binary = read(data, lenient=True)
    except ZebinError as error:
        findings, is_for_device = error.findings, True
    else:
        findings, target = binary.findings, binary.target
        core = CORE_OF_FAMILY[_FAMILIES[device]]
        is_for_device = target.product_family in (0, _FAMILIES[device]) and target.platform.gfx_core in (0, core)
        is_for_device &= not target.metadata.checks_revision and binary.elf.machine == MACHINE_INTELGT
    codes = {finding.code: finding.severity for finding in reversed(findings)}
    errors = {code for code, severity in codes.items() if severity is FindingSeverity.ERROR}
    if verdict.accepts:
        unexplained = errors - deviations.stricter
        return f"the driver accepts it; errors: {', '.join(sorted(unexplained))}" if unexplained else ""
    if errors or codes.keys() & deviations.milder or not is_for_device:
        return ""
    return f"no error; the driver {verdict.text}"


def device_of(path: Path) -> str:
    """Returns the device of a sample, empty if the driver has none for it."""
    device = path.stem.rpartition(".")[2]
    return device if device in ("pvc", "dg2") and "m32" not in path.stem and path.suffix == ".zebin" else ""


def drawn(paths: Iterable[Path], count: int, seed: int) -> Sequence[tuple[Mutation, str]]:
    """Returns changes with the device of their file, each kind of change once, in random order."""
    found: dict[tuple[str, str], tuple[Mutation, str]] = {}
    generator = random.Random(seed)
    chosen = sorted(paths)
    generator.shuffle(chosen)
    for path in chosen:
        for mutation in mutations(without_ir(path.read_bytes())):
            found.setdefault(mutation.key, (mutation, device_of(path)))
    drawn_ones = list(found.values())
    generator.shuffle(drawn_ones)
    return drawn_ones[:count]


def compare(cases: Sequence[tuple[Mutation, str]], oracle: DriverOracle, keep: Path | None) -> Mapping[str, int]:
    """Prints the first few cases of each disagreement, and returns their numbers."""
    deviations = Deviations.documented()
    counts: Counter[str] = Counter()
    for number, (mutation, device) in enumerate(cases):
        if number and number % 1000 == 0:
            print(f"{number} changes", file=sys.stderr, flush=True)
        data = mutation.build()
        wrong = disagreement(data, oracle.verdict(data, device), deviations, device)
        if not wrong:
            continue
        counts[wrong] += 1
        if counts[wrong] <= _SHOWN:
            print(f"{mutation.field} = {mutation.value} ({device}): {wrong}", flush=True)
            if keep is not None:
                (keep / f"{number}.{device}.zebin").write_bytes(data)
    return counts


_SHOWN = 12


def unsound(paths: Iterable[Path]) -> Sequence[str]:
    """Returns the names of files with errors before any change: their changes would tell nothing."""
    names = []
    for path in paths:
        found = read(without_ir(path.read_bytes()), lenient=True).findings
        if any(finding.severity is FindingSeverity.ERROR for finding in found):
            names.append(path.name)
    return names


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="files to change, called NAME.pvc.zebin or NAME.dg2.zebin")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="a part of the names of the changed fields")
    parser.add_argument("--keep", type=Path, help="a folder for the files that are printed")
    arguments = parser.parse_args()
    paths = [path for path in arguments.files or SAMPLES if device_of(path)]
    if unsound(paths):
        parser.error(f"files with errors: {', '.join(unsound(paths))}")
    cases = [case for case in drawn(paths, 1 << 30, arguments.seed) if arguments.only in case[0].field]
    with driver_oracle() as oracle:
        counts = compare(cases[: arguments.count], oracle, arguments.keep)
    print(f"{min(len(cases), arguments.count)} of {len(cases)} changes, {sum(counts.values())} disagreements")
    for wrong, count in sorted(counts.items()):
        print(f"{count:6} {wrong}")
    return int(bool(counts))


if __name__ == "__main__":
    sys.exit(main())
