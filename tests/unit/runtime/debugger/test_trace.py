"""Traces: which instructions they show, and with which values."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from runtime.debugger import InstructionTracer, TraceFilter
from runtime.simulator import DeviceFault, Memory
from tests.unit.runtime.debugger.kernels import Kernel, run


def trace(kernel: Kernel, filter: str = "", limit: int = 1000) -> list[str]:
    written: list[str] = []
    run(kernel, InstructionTracer(written.append, TraceFilter.parse(filter), limit=limit))
    return "".join(written).splitlines()


def records(kernel: Kernel, filter: str = "", limit: int = 1000) -> list[dict[str, Any]]:
    written: list[str] = []
    run(kernel, InstructionTracer(written.append, TraceFilter.parse(filter), as_json=True, limit=limit))
    return [json.loads(line) for line in "".join(written).splitlines()]


class TestText:
    def test_values_that_are_read_and_written(self) -> None:
        kernel = Kernel("mov (4|M0) r2:f 1.5:f\nadd (4|M0) r3:f -r2:f 0.1:f\neot")
        assert trace(kernel) == [
            "[0,0,0/0] #0 0x10  mov (4|M0) r2.0<1>:f 1.5:f",
            "    r2.0<1>:f <- [1.5 1.5 1.5 1.5]",
            "[0,0,0/0] #1 0x20  add (4|M0) r3.0<1>:f -r2.0<1;1,0>:f 0.1:f",
            "    r2.0<1;1,0>:f = [1.5 1.5 1.5 1.5]",
            "    r3.0<1>:f <- [-1.4 -1.4 -1.4 -1.4]",
            "[0,0,0/0] #2 0x30  eot",
        ]

    def test_lanes_that_are_off_are_marked(self) -> None:
        kernel = Kernel("mov (4|M0) r2:d 7:d\n(f0.0) mov (4|M0) r3:d r2:d\neot", lanes=3)
        assert trace(kernel, "index=0") == [
            "[0,0,0/0] #0 0x10  mov (4|M0) r2.0<1>:d 7:d",
            "    channels 0x7 of 4",
            "    r2.0<1>:d <- [7 7 7 -]",
        ]
        assert "    no channel is on" in trace(kernel, "index=1")

    def test_a_predicate_that_chooses_switches_nothing_off(self) -> None:
        lines = trace(Kernel("(f0.0) sel (4|M0) r3:d r2:d 2:d\neot"), "index=0")
        assert lines[1:] == [
            "    r2.0<1;1,0>:d = [0 0 0 0]",
            "    f0.0 = 0x0000",
            "    r3.0<1>:d <- [2 2 2 2]",
        ]

    def test_flags_of_a_comparison(self) -> None:
        lines = trace(Kernel("cmp (4|M0) (lt)f0.1 null:d r1.0<0;1,0>:d 5:d\neot"), "index=0")
        assert lines[1:] == ["    r1.0<0;1,0>:d = 0", "    f0.1 <- 0x000f"]

    def test_source_places_and_lines(self) -> None:
        kernel = Kernel("nop\nnop\neot", lines=(7, 9, None))
        assert [line.split()[3] for line in trace(kernel)[:2]] == ["k.mlir:7:1", "k.mlir:9:1"]
        assert [line.split()[1] for line in trace(kernel, "line=8-9")] == ["#1"]
        assert trace(kernel, "line=10") == []

    def test_memory_by_lane(self) -> None:
        memory = Memory()
        allocation = memory.allocate(64)
        allocation.view()[:] = b"\xff" * 64
        start = allocation.address
        text = f"""
            mov (1|M0) r2:uq {start:#x}:uq
            mov (1|M0) r2.1:uq {start + 32:#x}:uq
            load.ugm.d32.a64 (2|M0) r4 flat[r2+0x4]
            eot
        """
        lines = trace(Kernel(text, memory=memory), "index=2")
        assert f"    load of 4 bytes of global memory, lane:address 0:{start + 4:#x} 1:{start + 36:#x}" in lines
        assert lines[-1] == "    r4.0:ud <- [0xffffffff 0xffffffff]"

    def test_a_fault_ends_the_trace_with_the_instruction(self) -> None:
        written: list[str] = []
        kernel = Kernel("mov (1|M0) r2:uq 0x40:uq\nload.ugm.d32.a64 (1|M0) r4 flat[r2]\neot")
        with pytest.raises(DeviceFault):
            run(kernel, InstructionTracer(written.append))
        assert "load of 4 bytes of global memory, lane:address 0:0x40" in written[-1]

    def test_the_trace_is_bounded(self) -> None:
        assert trace(Kernel("nop\nnop\nnop\neot"), limit=2) == [
            "[0,0,0/0] #0 0x10  nop",
            "[0,0,0/0] #1 0x20  nop",
            "... the trace ends here: its limit is 2",
        ]

    def test_an_instruction_that_waits_is_shown_once(self) -> None:
        lines = trace(Kernel("barrier\neot", threads=2))
        assert sorted(lines) == [
            *("[0,0,0/0] #0 0x10  barrier", "[0,0,0/0] #1 0x20  eot"),
            *("[0,0,0/1] #0 0x10  barrier", "[0,0,0/1] #1 0x20  eot"),
        ]


class TestJson:
    def test_records(self) -> None:
        (record,) = records(Kernel("add (2|M0) r3:f r2:f 0.5:f\neot", lines=(3, 4)), "index=0")
        assert record == {
            "group": [0, 0, 0],
            "subgroup": 0,
            "index": 0,
            "offset": 16,
            "source": "k.mlir:3:1",
            "text": "add (2|M0) r3.0<1>:f r2.0<1;1,0>:f 0.5:f",
            "channels": 2,
            "on": 3,
            "reads": [{"name": "r2.0<1;1,0>:f", "type": "f", "values": [0.0, 0.0]}],
            "writes": [{"name": "r3.0<1>:f", "type": "f", "values": [0.5, 0.5]}],
        }

    def test_infinities_and_lanes_that_are_off(self) -> None:
        (record,) = records(Kernel("mov (4|M0) r3:f -inf:f\neot", lanes=2), "index=0")
        assert record["writes"][0]["values"] == ["-inf", "-inf", None, None]

    def test_local_memory(self) -> None:
        text = "mov (1|M0) r2:ud 8:ud\nstore.slm.d64.a32 (1|M0) flat[r2] r4\neot"
        (record,) = records(Kernel(text, slm_size=64), "index=1")
        assert record["memory"] == {
            "space": "slm",
            "access": "store",
            "bytes": 8,
            "addresses": [8],
            "lanes": [0],
            "detail": None,
        }

    def test_the_end_of_a_bounded_trace(self) -> None:
        assert records(Kernel("nop\neot"), limit=1)[-1] == {"note": "the trace ends here: its limit is 1"}

    def test_matrix_operands_have_their_types(self) -> None:
        text = "mov (16|M0) r4:bf 2.0:bf\n(W) dpas.8x1 (16|M0) r20:f null:f r30:bf r4:bf\neot"
        (record,) = records(Kernel(text), "index=1")
        assert [(value["type"], len(value["values"])) for value in record["reads"]] == [("bf", 256), ("bf", 16)]
        assert record["reads"][1]["values"][0] == 2.0
        assert record["writes"][0]["type"] == "f"


class TestFilter:
    KERNEL = Kernel("mov (4|M0) r2:d 1:d\nmov (4|M0) r3:d 2:d\neot", groups=2, threads=2)

    @pytest.mark.parametrize(
        ("filter", "shown"),
        [
            ("", 12),
            ("group=1", 6),
            ("group=1:0:0,subgroup=1", 3),
            ("subgroup=0-1", 12),
            ("index=1", 4),
            ("offset=0x10-0x20", 8),
            ("group=0,subgroup=0,index=0-1", 2),
            ("group=9", 0),
        ],
    )
    def test_instructions(self, filter: str, shown: int) -> None:
        assert len(records(self.KERNEL, filter)) == shown

    def test_lanes(self) -> None:
        (record,) = records(self.KERNEL, "group=0,subgroup=0,index=0,lane=1-2")
        assert record["writes"][0]["values"] == [1, 1]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("grop=1", "'grop=1' is no part of a filter: expected one of group, subgroup, lane"),
            ("lane", "'lane' is no part of a filter"),
            ("lane=x", "lane=x: expected a number or a range of numbers"),
            ("lane=5-2", "lane=5-2: the range holds nothing"),
            ("group=1:2:3:4", "group=1:2:3:4: expected the id of a work-group"),
            ("offset=0x" + "f" * 17, "the number is too large"),
        ],
    )
    def test_what_is_no_filter(self, text: str, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            TraceFilter.parse(text)


def test_the_trace_does_not_change_what_is_computed() -> None:
    memory = Memory()
    allocation = memory.allocate(64)
    text = f"""
        mov (1|M0) r2:uq {allocation.address:#x}:uq
        mov (8|M0) r4:ud 0x76543210:v
        store.ugm.d32x8t.a64 (1|M0) flat[r2] r4
        eot
    """
    trace(Kernel(text, memory=memory))
    assert np.frombuffer(allocation.view()[:32], np.uint32).tolist() == list(range(8))
