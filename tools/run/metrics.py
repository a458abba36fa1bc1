"""Metrics of a run: as tables, as JSON, and as a time line for Chrome's trace viewer and Perfetto."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table

from runtime.zet.metrics import (
    GroupForm,
    MetricRecording,
    MetricRow,
    RecordedWork,
    group_names,
    values_of,
    zet_value_type_t,
)
from tools.cli import UsageError, write_bytes
from tools.run.command import METRIC_FORMATS

_COPIES = "copies"

_WIDTH = 120

Groups = Sequence[str]


def _value(row: MetricRow, value: float) -> int | float:
    return value if row.result is zet_value_type_t.ZET_VALUE_TYPE_FLOAT32 else round(value)


def _by_kernel(work: Sequence[RecordedWork]) -> dict[str, list[RecordedWork]]:
    """Returns the work of each kernel, and that of copies, in the order in which they first ran."""
    found: dict[str, list[RecordedWork]] = {}
    for each in work:
        found.setdefault(each.kernel or _COPIES, []).append(each)
    return found


def metrics_text(recording: MetricRecording, groups: Groups) -> str:
    """Returns a table for each group, with a column for each kernel, and one for all work if there are several."""
    kernels = _by_kernel(recording.work)
    columns = {f"{name} ({len(work)} times)" if len(work) > 1 else name: work for name, work in kernels.items()}
    if len(columns) != 1:
        columns["all"] = recording.work
    output = StringIO()
    console = Console(file=output, width=_WIDTH, color_system=None, highlight=False)
    for number, group in enumerate(groups):
        form = recording.form(group)
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        table.add_column("metric", no_wrap=True)
        for name in columns:
            table.add_column(name, justify="right", overflow="fold")
        table.add_column("unit")
        found = [values_of(form, work) for work in columns.values()]
        for row in form.metrics:
            table.add_row(row.name, *(_shown(row, values[row]) for values in found), row.units)
        if number:
            console.print()
        console.print(f"{form.row.name}: {form.row.description}\n")
        console.print(table)
    return "".join(line.rstrip() + "\n" for line in output.getvalue().splitlines())


def _shown(row: MetricRow, value: float) -> str:
    found = _value(row, value)
    return f"{found:,}" if isinstance(found, int) else f"{found:.4g}"


def metrics_json(recording: MetricRecording, groups: Groups) -> str:
    """Returns the values of each launch and copy, and those of all together, as JSON."""
    document = [_document(recording, recording.form(group)) for group in groups]
    return json.dumps({"groups": document}, indent=2) + "\n"


def _document(recording: MetricRecording, form: GroupForm) -> dict[str, object]:
    def named(work: Sequence[RecordedWork]) -> dict[str, int | float]:
        return {row.name: _value(row, value) for row, value in values_of(form, work).items()}

    return {
        "group": form.row.name,
        "target": form.target.name,
        "units": {row.name: row.units for row in form.metrics},
        "work": [{"kernel": each.kernel, "tile": each.tile, "values": named([each])} for each in recording.work],
        "all": named(recording.work),
    }


def metrics_timeline(recording: MetricRecording, groups: Groups) -> str:
    """Returns trace-event JSON: a process for each tile, a slice for each launch and copy, a track for each metric.

    Times are those of the device, in microseconds; the time that the host takes is left out. The value of a metric is
    that of the launch, from its begin to its end.
    """
    events = list(_events(recording, [recording.form(group) for group in groups]))
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}) + "\n"


def _events(recording: MetricRecording, forms: Sequence[GroupForm]) -> Iterator[dict[str, object]]:
    for tile in sorted({each.tile for each in recording.work}):
        yield {"name": "process_name", "ph": "M", "pid": tile, "args": {"name": f"tile {tile}"}}
    for each in recording.work:
        begin, duration = each.begin_ns / 1e3, each.nanoseconds / 1e3
        yield {"name": each.kernel or _COPIES, "ph": "X", "pid": each.tile, "tid": 0, "ts": begin, "dur": duration}
        found = {row: value for form in forms for row, value in values_of(form, [each]).items()}
        for row, value in found.items():
            if row.units != "ns":
                track = {"name": row.name, "ph": "C", "pid": each.tile}
                yield {**track, "ts": begin, "args": {row.units: _value(row, value)}}
                yield {**track, "ts": begin + duration, "args": {row.units: 0}}


FORMATS: Mapping[str, Callable[[MetricRecording, Groups], str]] = dict(
    zip(METRIC_FORMATS, (metrics_text, metrics_json, metrics_timeline), strict=True)
)
"""The formats of metrics by name."""

ENDINGS: Mapping[str, str] = {".trace.json": "timeline", ".json": "json"}
"""The formats by the end of a file's name; all others are text."""


def format_of(file: str) -> str:
    """Returns the format for a file of some name."""
    return next((name for end, name in ENDINGS.items() if file.lower().endswith(end)), "text")


def chosen_groups(text: str) -> list[str]:
    """Returns the names in a list separated by commas; raises `UsageError` for one that no group has."""
    known = {name.lower(): name for name in group_names()}
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word.lower() not in known:
            raise UsageError(f"--metrics: there is no group '{word}', expected {', '.join(group_names())}")
    return list(dict.fromkeys(known[word.lower()] for word in words))


def show_metrics(recording: MetricRecording, groups: Groups, format: str | None, files: Sequence[str]) -> None:
    """Prints metrics in a format, `text` by default, unless they go to files only, and writes them to files.

    Raises:
        CommandError: A file cannot be written.
    """
    if format is not None or not files:
        print(FORMATS[format or "text"](recording, groups), end="")
    for file in files:
        write_bytes(file, FORMATS[format_of(file)](recording, groups).encode())
