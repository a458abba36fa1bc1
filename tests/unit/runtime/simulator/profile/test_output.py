"""The forms of a profile: text, JSON, trace and picture."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from runtime.simulator.profile import Profile, chrome_trace, profile_document, profile_json, roofline_svg, timeline
from runtime.simulator.profile.output import rendered, write_profile
from runtime.simulator.profile.text import profile_text
from tests.unit.runtime.simulator.profile.launches import profiled
from xegpu.isa.code.line_table import LineTable, SourcePlace
from xegpu.targets import ARC

KERNEL = """
    load.ugm.d32x64t.a64 (1|M0) r10:4 flat[r1]:1
    mad (16|M0) r4:f r10:f r11:f r4:f
    store.ugm.d32x16t.a64 (1|M0) flat[r1]:1 r4:1
    eot
"""
LINES = LineTable(((0, SourcePlace("dir/[red]k.mlir", 4, 2)),), 80)


def launch(groups: int = 3, items: int = 32, name: str = "k") -> Profile:
    return profiled(KERNEL, (groups, 1, 1), items, lines=LINES, name=name)


def test_json_has_everything_and_is_valid() -> None:
    profile = launch()
    document = json.loads(profile_json(profile), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert document == profile_document(profile)
    assert document["kernel"] == "k"
    assert document["instructions_executed"] == sum(entry["executed"] for entry in document["instructions"]) == 24
    assert [entry["text"].split()[0] for entry in document["instructions"]][1] == "mad"
    assert [entry["offset"] for entry in document["instructions"]] == [16, 32, 48, 64]
    assert document["lines"][0]["file"] == "dir/[red]k.mlir"
    assert document["memory"][0] == {
        "space": "global", "access": "load", "l1": "df", "l3": "df", "messages": 6, "bytes": 6 * 256
    }  # fmt: skip
    assert document["estimate"]["cycles"] == profile.estimate.cycles
    assert document["roofline"]["operations"] == 6 * 32


def test_json_without_memory_or_arithmetic() -> None:
    computes = json.loads(profile_json(profiled("add (16|M0) r2:f r2:f r2:f\neot")))
    assert computes["roofline"]["intensity"] is None
    assert json.loads(profile_json(profiled("eot")))["roofline"] is None


def test_text_names_what_matters() -> None:
    text = profile_text(launch())
    for part in (
        "kernel 'k'",
        "grid 3x1x1",
        "6 threads executed 24 instructions",
        "\n[red]k.mlir:4 ",
        "mad",
        "100.0%",
    ):
        assert part in text
    assert all(len(line) <= 100 for line in text.splitlines())
    assert "\x1b" not in text
    assert all(len(line) <= 60 for line in profile_text(launch(), width=60).splitlines())


def test_a_trace_shows_every_thread_once_and_none_over_another() -> None:
    profile = profiled(KERNEL, (130, 3, 1), 1024)
    trace = json.loads(chrome_trace(profile))
    pieces = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert len(pieces) == profile.statistics.threads == 390 * 64
    assert len({(*piece["args"]["group"], piece["args"]["thread"]) for piece in pieces}) == len(pieces)
    tracks = defaultdict(list)
    for piece in pieces:
        tracks[piece["pid"], piece["tid"]].append((piece["ts"], piece["ts"] + piece["dur"]))
    assert len(tracks) == 64 * 8 * 8
    for spans in tracks.values():
        spans.sort()
        assert all(end <= start * (1 + 1e-9) for (_, end), (start, _) in pairwise(spans))
    last = max(piece["ts"] + piece["dur"] for piece in pieces)
    assert last == pytest.approx(profile.estimate.cycles / 1600)
    names = {(e["name"], e["pid"], e["tid"]): e["args"]["name"] for e in trace["traceEvents"] if e["ph"] == "M"}
    assert names["process_name", 63, 0] == "Xe-core 63"
    assert {(pid, tid) for kind, pid, tid in names if kind == "thread_name"} == set(tracks)
    assert len(names) == 64 + len(tracks)


def test_a_long_trace_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "MOST_SLICES", 5)
    trace = json.loads(chrome_trace(launch(20)))
    assert sum(event["ph"] == "X" for event in trace["traceEvents"]) == 5
    assert trace["otherData"]["threads"] == 40
    assert trace["otherData"]["threads_shown"] == 5


def test_a_trace_of_an_empty_grid() -> None:
    assert json.loads(chrome_trace(launch(0)))["traceEvents"] == []


@pytest.mark.parametrize(
    "make",
    [
        launch,
        lambda: launch(1000),
        lambda: launch(name="a<b>&\"c'"),
        lambda: profiled("add (16|M0) r2:f r2:f r2:f\neot"),
        lambda: profiled("dpas.8x8 (8|M0) r16:f r16:f r32:hf r48:hf\neot", target=ARC, simd=8, items=8),
        lambda: profiled("load.ugm.d32x64t.a64 (1|M0) r10:4 flat[r1]:1\n" * 50 + "add (1|M0) r2:f r2:f r2:f\neot"),
    ],
    ids=["small", "large", "names", "no memory", "arc", "memory"],
)
def test_the_picture_stays_in_its_frame(make: Callable[[], Profile]) -> None:
    profile = make()
    root = ElementTree.fromstring(roofline_svg(profile))
    space = "{http://www.w3.org/2000/svg}"
    (circle,) = root.iter(space + "circle")
    (roof,) = root.iter(space + "polyline")
    points = [tuple(map(float, pair.split(","))) for pair in roof.attrib["points"].split()]
    points.append((float(circle.attrib["cx"]), float(circle.attrib["cy"])))
    for x, y in points:
        assert 79 <= x <= 617
        assert 47 <= y <= 365
    # The point is below the roof: y grows downwards.
    roof_y = min(y for _, y in points[:-1])
    assert points[-1][1] >= roof_y
    assert any(profile.kernel in (text.text or "") for text in root.iter(space + "text"))


def test_a_picture_without_arithmetic_says_so() -> None:
    assert "no arithmetic" in roofline_svg(profiled("eot"))


@pytest.mark.parametrize(
    ("name", "start"),
    [("p.json", "{"), ("p.trace.json", '{"traceEvents"'), ("P.SVG", "<svg"), ("p.txt", "kernel"), ("p", "kernel")],
)
def test_the_name_of_a_file_decides(name: str, start: str, tmp_path: Path) -> None:
    profile = launch()
    write_profile(profile, tmp_path / name)
    text = (tmp_path / name).read_text()
    assert text == rendered(profile, name)
    assert text.startswith(start)
    assert text.endswith("\n")
