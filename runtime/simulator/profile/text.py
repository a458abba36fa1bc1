"""A profile as tables of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO
from math import isfinite

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from runtime.simulator.profile.profile import Profile

_MOST_ROWS = 16
"""Rows of a table; smaller entries are left out."""


def profile_text(profile: Profile, width: int = 100) -> str:
    """Returns tables of at most `width` columns, without colors."""
    output = StringIO()
    console = Console(file=output, width=width, color_system=None, highlight=False)
    for line in _headline(profile):
        console.print(Text(line))
    for table in (_limits(profile), _memory(profile), _mnemonics(profile), _lines(profile)):
        if table.row_count:
            console.print()
            console.print(table)
    return "".join(line.rstrip() + "\n" for line in output.getvalue().splitlines())


def _headline(profile: Profile) -> Iterable[str]:
    found, done, registers = profile.estimate, profile.statistics, profile.executable.description.facts.grf_count
    placed = found.residency
    grid, block = ("x".join(map(str, size)) for size in (profile.dispatch.group_count, profile.dispatch.local_size))
    yield f"kernel '{profile.kernel}' on {profile.target.title}: grid {grid}, block {block}"
    yield f"{done.threads} threads executed {done.instructions} instructions"
    seconds = profile.seconds
    yield (
        f"estimate: {found.cycles} cycles ({1e6 * seconds:.3g} us), bound by {found.bound}; {placed.eus} of "
        f"{profile.target.eus} EUs in use, {placed.threads_per_eu:.3g} threads each, {placed.rounds} round(s)"
    )
    yield (
        f"channels on: {profile.channels_on:.1%}; registers live: {profile.live_registers} of {registers}; "
        f"matrix engine busy: {profile.dpas_utilisation:.1%}"
    )
    point = profile.roofline
    if point is not None:
        intensity = f"{point.intensity:.3g} operations a byte" if isfinite(point.intensity) else "nothing from memory"
        yield (
            f"roofline: {point.rate:.3g} {point.precision} operations a second, {point.rate / point.roof:.1%} of what "
            f"{intensity} allows"
        )


def _table(title: str, columns: Sequence[str], text_columns: int = 1) -> Table:
    """Returns a table whose first columns are text, and the others numbers."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for index, column in enumerate(columns):
        if index < text_columns:
            table.add_column(column, overflow="fold")
        else:
            table.add_column(column, justify="right", no_wrap=True)
    return table


def _limits(profile: Profile) -> Table:
    table = _table("What the time comes from", ("resource", "cycles alone", "busy", "instructions"))
    limits = sorted(profile.estimate.limits.items(), key=lambda entry: -entry[1])
    for name, cycles in limits:
        if cycles:
            busy = profile.utilisation.get(name)
            count = profile.pipes.get(name)
            table.add_row(
                name, f"{cycles:.0f}", "" if busy is None else f"{busy:.1%}", "" if count is None else str(count)
            )
    return table


def _memory(profile: Profile) -> Table:
    table = _table("Memory", ("space", "access", "L1", "L3", "messages", "bytes"), 4)
    for entry in profile.traffic:
        table.add_row(entry.space.value, entry.access, entry.l1, entry.l3, str(entry.messages), str(entry.bytes))
    return table


def _common_folder(files: Iterable[str]) -> str:
    """Returns the common folder of all files, with its slash, which a table need not repeat."""
    folders = {file[: file.rfind("/") + 1] for file in files}
    return folders.pop() if len(folders) == 1 else ""


def _mnemonics(profile: Profile) -> Table:
    table = _table("Instructions", ("mnemonic", "executed", "share"))
    total = max(profile.statistics.instructions, 1)
    for mnemonic, executed in list(profile.mnemonics.items())[:_MOST_ROWS]:
        table.add_row(mnemonic, str(executed), f"{executed / total:.1%}")
    return table


def _lines(profile: Profile) -> Table:
    table = _table("Source lines", ("line", "share", "thread cycles", "executed"))
    shown = profile.lines[:_MOST_ROWS]
    folder = _common_folder(line.place.file for line in shown if line.place is not None)
    for line in shown:
        place = "no source" if line.place is None else str(line.place).removeprefix(folder)
        table.add_row(Text(place), f"{line.share:.1%}", str(line.cycles), str(line.executed))
    return table
