"""The view of cards as tables."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tools.top.samples import CardSample, TileSample, rates

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")

_JOULES = ("uJ", "mJ", "J", "kJ", "MJ")

_BAR_CELLS = 12

_WARM, _HOT = 70.0, 90.0


def view(before: Sequence[CardSample], now: Sequence[CardSample]) -> RenderableType:
    """Returns the view of the cards, with rates since the samples before."""
    parts: list[RenderableType] = []
    for old, new in zip(before, now, strict=True):
        parts += [_title(new), _tiles(old, new)]
        parts.append(_processes(new) if new.processes else Text("  no process uses it", style="dim"))
        parts.append(Text())
    return Group(*parts)


def _title(card: CardSample) -> Text:
    title = Text.assemble((card.name, "bold"), f"  {card.address}  limit {card.limit / 1000:.0f} W")
    if card.is_lost:
        title.append("  must be reset", style="bold red")
    return title


def _tiles(before: CardSample, now: CardSample) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("tile")
    for name in ("clock", "temperature", "compute", "copy", "at work", "energy", "throttled", "traffic"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("memory", no_wrap=True)
    for old, new in zip(before.tiles, now.tiles, strict=True):
        found = rates(old, new)
        style = "red" if new.degrees >= _HOT else "yellow" if new.degrees >= _WARM else ""
        table.add_row(
            str(new.number),
            f"{new.clock:.0f} MHz",
            Text(f"{new.degrees:.1f} C", style=style),
            f"{found.compute:.2%}",
            f"{found.copy:.2%}",
            f"{found.watts:.0f} W",
            joules(new.energy),
            f"{new.throttled / 1e6:.3f} s",
            "-" if found.traffic is None else f"{readable(found.traffic)}/s",
            _memory(new),
        )
    return table


def _memory(tile: TileSample) -> Text:
    filled = round(_BAR_CELLS * tile.used / tile.size)
    bar = ("━" * filled, "green"), ("━" * (_BAR_CELLS - filled), "dim")
    return Text.assemble(*bar, f" {readable(tile.used)} of {readable(tile.size)}")


def _processes(card: CardSample) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("process", justify="right")
    table.add_column("command")
    table.add_column("memory", justify="right")
    table.add_column("engines")
    for process in sorted(card.processes, key=lambda each: (-each.memory, each.number)):
        table.add_row(str(process.number), Text(process.name), readable(process.memory), process.engines)
    return table


def joules(microjoules: int) -> str:
    """Returns an energy in the largest unit that does not exceed it."""
    power = min(max(len(str(microjoules)) - 1, 0) // 3, len(_JOULES) - 1)
    return f"{microjoules / 1000**power:.4g} {_JOULES[power]}"


def readable(size: float) -> str:
    """Returns a number of bytes in the largest unit that does not exceed it."""
    power = min(max(int(size).bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    return f"{size / (1 << 10 * power):.4g} {_UNITS[power]}"
