"""The result of a search as a table, as JSON and as a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from html import escape
from math import log

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tools.tune.job import JobOutcome
from tools.tune.template import Setting, Settings

_MOST_ROWS = 20
_MOST_REASONS = 3
_BAR = 12


@dataclass
class Candidate:
    """A combination of parameters: its estimate, and the outcome of its run if there was one."""

    settings: Settings
    predicted: JobOutcome
    measured: JobOutcome | None = None

    @property
    def cycles(self) -> int | None:
        """The cycles of the run, or else of the estimate; None if it failed."""
        found = self.predicted if self.measured is None else self.measured
        return None if found.error else found.cycles

    @property
    def is_right(self) -> bool:
        """True if it ran and computed the right result."""
        return self.measured is not None and not self.measured.error

    @property
    def status(self) -> str:
        """The state of the combination in a word."""
        if self.predicted.error:
            return "refused"
        if self.measured is None:
            return "estimated"
        return "wrong" if self.measured.error else "right"

    @property
    def error(self) -> str:
        """The reason why it is refused or wrong."""
        return self.predicted.error or ("" if self.measured is None else self.measured.error)

    @property
    def words(self) -> str:
        """The values of the parameters."""
        return ", ".join(f"{name} = {value}" for name, value in self.settings.items())


@dataclass(frozen=True)
class TuneResult:
    """All candidates, best first: those that ran before those that were estimated, and failures last."""

    kernel: str
    target: str
    search: str
    parameters: dict[str, tuple[Setting, ...]]
    candidates: Sequence[Candidate]

    @property
    def winner(self) -> Candidate | None:
        """The right candidate with the fewest cycles; None if no candidate is right."""
        return next((candidate for candidate in self.candidates if candidate.is_right), None)


def ranked(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Returns candidates in the order of a result; equal ones keep their order."""

    def rank(candidate: Candidate) -> tuple[int, int]:
        place = 0 if candidate.is_right else 1 if candidate.measured is None and not candidate.predicted.error else 2
        return place, candidate.cycles or 0

    return sorted(candidates, key=rank)


def document(result: TuneResult) -> dict[str, object]:
    """Returns a result as JSON's lists and dictionaries."""
    winner = result.winner
    return {
        "format": 1,
        "kernel": result.kernel,
        "target": result.target,
        "search": result.search,
        "parameters": {name: list(values) for name, values in result.parameters.items()},
        "winner": None if winner is None else _entry(winner),
        "candidates": [_entry(candidate) for candidate in result.candidates],
    }


def _entry(candidate: Candidate) -> dict[str, object]:
    return {
        "settings": dict(candidate.settings),
        "cycles": candidate.cycles,
        "is_right": candidate.is_right,
        "predicted": asdict(candidate.predicted),
        "measured": None if candidate.measured is None else asdict(candidate.measured),
    }


def show(result: TuneResult, console: Console) -> None:
    """Prints the best candidates, with bars as long as they take cycles."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in result.parameters:
        table.add_column(Text(name), justify="right", no_wrap=True)
    for name in ("estimated", "cycles"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("bound by", "", "result"):
        table.add_column(name, no_wrap=True)
    most = max((candidate.cycles or 0 for candidate in result.candidates), default=0)
    for candidate in result.candidates[:_MOST_ROWS]:
        done, cycles = candidate.measured or candidate.predicted, candidate.cycles or 0
        table.add_row(
            *(Text(str(value)) for value in candidate.settings.values()),
            str(candidate.predicted.cycles or ""),
            str(candidate.measured.cycles or "") if candidate.measured is not None else "",
            done.bound,
            "█" * max(1, round(_BAR * cycles / most)) if cycles else "",
            Text(candidate.status),
        )
    console.print(table)
    if len(result.candidates) > _MOST_ROWS:
        console.print(f"{len(result.candidates) - _MOST_ROWS} more; --json prints all")
    for candidate in [candidate for candidate in result.candidates if candidate.error][:_MOST_REASONS]:
        console.print(Text(f"{candidate.words}: {candidate.status}: {candidate.error}"))


_PANEL, _HEIGHT, _TOP, _BOTTOM, _LEFT = 260, 300, 40, 48, 70


def picture(result: TuneResult) -> str:
    """Returns an SVG with a panel for each parameter: the cycles of all candidates over its values."""
    shown = [candidate for candidate in result.candidates if candidate.cycles]
    width = _LEFT + _PANEL * len(result.parameters)
    cycles = [candidate.cycles or 1 for candidate in shown] or [1]
    low, high = log(min(cycles)), log(max(cycles))

    def y(value: int) -> float:
        part = (log(value) - low) / (high - low) if high > low else 0.5
        return _HEIGHT - _BOTTOM - part * (_HEIGHT - _TOP - _BOTTOM)

    parts = [_text(width / 2, 20, f"{result.kernel} on {result.target}: cycles, by estimate", "middle")]
    parts += [_text(_LEFT - 8, y(value) + 4, str(value), "end") for value in sorted({min(cycles), max(cycles)})]
    for number, (name, values) in enumerate(result.parameters.items()):
        parts += _panel(result, shown, y, name, values, _LEFT + number * _PANEL)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" font-family="sans-serif" '
        f'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _panel(
    result: TuneResult,
    shown: Sequence[Candidate],
    y: Callable[[int], float],
    name: str,
    values: Sequence[Setting],
    left: float,
) -> Iterator[str]:
    step, bottom = (_PANEL - 20) / len(values), _HEIGHT - _BOTTOM
    frame = f'x="{left}" y="{_TOP - 8}" width="{_PANEL - 20}" height="{bottom - _TOP + 16}"'
    yield f'<rect {frame} fill="none" stroke="#ccc"/>'
    yield _text(left + (_PANEL - 20) / 2, _HEIGHT - 10, name, "middle")
    for place, value in enumerate(values):
        x = left + (place + 0.5) * step
        yield _text(x, bottom + 24, str(value), "middle")
        for candidate in shown:
            if candidate.settings[name] == value and candidate.cycles:
                yield _dot(candidate, x, y(candidate.cycles), is_winner=candidate is result.winner)


def _dot(candidate: Candidate, x: float, y: float, *, is_winner: bool) -> str:
    """Draws a candidate: filled if it ran, red if it won; the pointer over it tells its parameters."""
    color = "#c4320a" if is_winner else "#0068b5"
    fill = color if candidate.is_right else "white"
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{6 if is_winner else 4}" fill="{fill}" stroke="{color}">'
        f"<title>{escape(f'{candidate.words}: {candidate.cycles} cycles, {candidate.status}')}</title></circle>"
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
