"""Published figures of the Data Center GPU Max 1550 beside those of the model: a section of docs/cost-model.md.

`python -m tests.unit.runtime.simulator.profile.published` renews it.
"""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from runtime import Device
from runtime.simulator.profile.operations import peak_operations
from tests.paths import DOCS, ROOT
from xegpu.isa import DataType, assemble_program
from xegpu.isa.cost import Pipe, instruction_cost
from xegpu.targets import PVC

PAGE = DOCS / "cost-model.md"
BEGIN, END = "<!-- published figures: generated -->\n", "<!-- end of the published figures -->\n"

VENDOR = "[Intel, Hot Chips 34](https://www.tweaktown.com/news/88073/intel-our-new-ponte-vecchio-gpu-is-2-5x-faster-than-nvidia-a100/index.html)"
DATA_SHEET = (
    "[data sheet](https://ark.intel.com/content/www/us/en/ark/products/232873/intel-data-center-gpu-max-1550.html)"
)
ALCF = "[measured, Argonne](https://docs.alcf.anl.gov/aurora/node-performance-overview/node-performance-overview/)"
GEMM = "[measured, Argonne](https://glennklockwood.com/garden/processors/pvc)"
TABLE = "[IGC](https://github.com/intel/intel-graphics-compiler/blob/master/visa/LocalScheduler/LatencyTable.h)"
EDGE = 4096
"""The edge of the matrices of the product."""


@dataclass(frozen=True)
class Figure:
    """A published figure, and the model's own in the same unit."""

    name: str
    unit: str
    published: float
    source: str
    model: float

    @property
    def row(self) -> str:
        ratio = self.model / self.published
        return f"| {self.name} | {self.published:g} {self.unit} | {self.source} | {self.model:.4g} | {ratio:.2f} |"


def rates() -> Iterator[Figure]:
    """Yields rates of the machine. What is published for two stacks counts half."""
    for name, unit, type, published in (
        ("float64, vector", "vector", DataType.DF, 52 / 2),
        ("float32, vector", "vector", DataType.F, 52 / 2),
        ("tf32, matrix", "dpas", DataType.TF32, 419 / 2),
        ("bf16, matrix", "dpas", DataType.BF, 839 / 2),
        ("int8, matrix", "dpas", DataType.B, 1678 / 2),
    ):
        yield Figure(f"peak, {name}", "TOP/s", published, VENDOR, peak_operations((unit, type), PVC) / 1e12)
    core = PVC.timing.line_bytes * PVC.eus_per_subslice
    yield Figure("L1, all cores", "TB/s", 105 / 2, VENDOR, core * PVC.xe_cores * PVC.core_clock_mhz / 1e6)
    memory = PVC.timing.memory_bandwidth / 1e12
    yield Figure("memory, peak", "TB/s", 3.2768 / 2, DATA_SHEET, memory)
    yield Figure("memory, triad", "TB/s", 1.0, ALCF, memory)
    vector = {type: peak_operations(("vector", type), PVC) / 1e12 for type in (DataType.F, DataType.DF)}
    yield Figure("float32, chain of mad", "TFLOP/s", 23, ALCF, vector[DataType.F])
    yield Figure("float64, chain of mad", "TFLOP/s", 17, ALCF, vector[DataType.DF])


_LATENCIES = (
    ("add, 16 channels", "add (16|M0) r2:f r4:f r6:f", 11),
    ("add, 32 channels", "add (32|M0) r2:f r4:f r6:f", 13),
    ("math, 8 channels", "math.exp (8|M0) r2:f r4:f", 17),
    ("math, 16 channels", "math.exp (16|M0) r2:f r4:f", 21),
    ("math, 32 channels", "math.exp (32|M0) r2:f r4:f", 29),
    ("dpas, one row", "dpas.8x1 (16|M0) r16:f r16:f r32:bf r48:bf", 21),
    ("dpas, eight rows", "dpas.8x8 (16|M0) r16:f r16:f r32:bf r48:bf", 28),
    ("load, shared local memory, 16 channels", "load.slm.d32.a32 (16|M0) r2:1 flat[r4]:1", 28),
    ("load, L1", "load.ugm.d32.a64.ca.ca (16|M0) r2:1 flat[r4]:2", 45),
    ("load, L3", "load.ugm.d32.a64.uc.ca (16|M0) r2:1 flat[r4]:2", 200),
)


def latencies() -> Iterator[Figure]:
    """Yields latencies of instructions, as Intel's compiler schedules them."""
    for name, text, published in _LATENCIES:
        (instruction,) = assemble_program(text, grf_bytes=PVC.platform.grf_bytes).instructions
        yield Figure(name, "cycles", published, TABLE, instruction_cost(instruction, PVC).latency)
    timing = PVC.timing
    for name, published, model in (
        ("taken branch", 23, timing.branch_latency),
        ("flag or address register", 16, timing.flag_latency),
        ("barrier", 30, timing.barrier_latency),
        ("fence, shared local memory", 23, timing.slm_fence),
        ("fence", 35, timing.fence),
        ("scratch", 146, timing.scratch_latency),
    ):
        yield Figure(name, "cycles", published, TABLE, model)


def products() -> Iterator[Figure]:
    """Yields the rate of a whole kernel: the product of benchmarks/speed/gemm.py, by the estimate of the cost model."""
    text = runpy.run_path(str(ROOT / "benchmarks" / "speed" / "gemm.py"))["kernel_text"](EDGE)
    kernel = Device("pvc").compile(text)["gemm"]
    a, c = np.zeros((EDGE, EDGE), ml_dtypes.bfloat16), np.zeros((EDGE, EDGE), np.float32)
    profile = kernel[EDGE // 32, EDGE // 64].predict(a, a, c)
    assert profile.roofline is not None
    assert profile.estimate.bound == Pipe.DPAS.value
    yield Figure(f"bf16 product of {EDGE}x{EDGE}", "TFLOP/s", 273, GEMM, profile.roofline.rate / 1e12)


def section(*groups: Iterator[Figure]) -> str:
    """Returns the tables, without their frame."""
    parts = []
    for figures in groups:
        rows = "\n".join(figure.row for figure in figures)
        parts.append(f"| Figure | Published | Source | Model | Model / published |\n|---|---|---|---|---|\n{rows}\n")
    return "\n".join(parts)


def committed() -> str:
    """Returns the tables of the page."""
    return PAGE.read_text().partition(BEGIN)[2].partition(END)[0]


if __name__ == "__main__":
    before, _, rest = PAGE.read_text().partition(BEGIN)
    tables = section(rates(), latencies(), products())
    PAGE.write_text(f"{before}{BEGIN}{tables}{END}{rest.partition(END)[2]}")
