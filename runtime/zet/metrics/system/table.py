"""The metrics and metric groups of a tile: the one place that says what each is, and by which formula it is computed.

Formulas use the counters of `counters.py` and the constants of `CONSTANTS`. Names are those of Intel's drivers for a PVC
where what they name is the same.
"""

# ruff: noqa: E501 - a table

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from runtime.zet.metrics.spec import zet_metric_type_t, zet_value_type_t
from runtime.zet.metrics.system.counters import COUNTERS
from runtime.zet.metrics.system.formula import names_in
from runtime.zet.metrics.system.stalls import SAMPLES
from xegpu.targets import Target

CONSTANTS: Mapping[str, tuple[str, Callable[[Target], float]]] = {
    "eus": ("EUs of a tile", lambda target: target.eus),
    "slots": ("thread slots of a tile", lambda target: target.eus * max(target.platform.eu_threads.values())),
    "bandwidth": ("bytes that the memory of a tile moves in a second", lambda target: target.timing.memory_bandwidth),
    "clock": ("the highest core clock in MHz", lambda target: target.core_clock_mhz),
}
"""Constants of formulas: what they are, and their value for a GPU."""

HEADER: Mapping[str, str] = {
    "begin_ns": "device time at which the report begins, in nanoseconds",
    "marker": "the latest marker that a command list has put into the stream",
}
"""The names of the report itself that formulas may use."""


@dataclass(frozen=True)
class MetricRow:
    """A metric.

    Attributes:
        name: Its name.
        description: What it says.
        component: The part of the GPU.
        tier: 1 for what most want to know, up to 4.
        type: What kind of value it is.
        result: The type of its values.
        units: The unit of its values.
        formula: Its value.
        most: The formula of the largest value that it can have; the value itself if there is no bound.
    """

    name: str
    description: str
    component: str
    tier: int
    type: zet_metric_type_t
    result: zet_value_type_t
    units: str
    formula: str
    most: str = ""


_DURATION, _EVENT, _TIMESTAMP, _RATIO, _RAW, _THROUGHPUT = (
    zet_metric_type_t.ZET_METRIC_TYPE_DURATION,
    zet_metric_type_t.ZET_METRIC_TYPE_EVENT,
    zet_metric_type_t.ZET_METRIC_TYPE_TIMESTAMP,
    zet_metric_type_t.ZET_METRIC_TYPE_RATIO,
    zet_metric_type_t.ZET_METRIC_TYPE_RAW,
    zet_metric_type_t.ZET_METRIC_TYPE_THROUGHPUT,
)
_IP = zet_metric_type_t.ZET_METRIC_TYPE_IP
_UINT64, _FLOAT32 = zet_value_type_t.ZET_VALUE_TYPE_UINT64, zet_value_type_t.ZET_VALUE_TYPE_FLOAT32

_PIPES = {
    "integer": ("INT", "integer"),
    "float": ("FLOAT", "float"),
    "long": ("LONG", "64-bit"),
    "math": ("EM", "extended math"),
    "dpas": ("XMX", "matrix"),
    "send": ("SEND", "message"),
    "control": ("CONTROL", "control flow"),
}
"""Pipes: the word in the names of their metrics, and in descriptions."""


_STALLS = {
    "message": ("SBID", "messages"),
    "dependency": ("ALUWR", "results of arithmetic"),
    "pipe": ("PIPESTALL", "a pipe"),
    "sync": ("BARRIER", "barriers and fences"),
    "control": ("CONTROL", "jumps"),
}
"""Reasons of stalls: the word in the names of their metrics, and in descriptions."""

_ALL_STALLS = " + ".join(f"{reason}_stalls" for reason in _STALLS)


def _count(name: str, description: str, component: str, units: str, formula: str, tier: int = 2) -> MetricRow:
    return MetricRow(name, description, component, tier, _EVENT, _UINT64, units, formula)


def _percent(name: str, description: str, component: str, formula: str, tier: int = 1) -> MetricRow:
    return MetricRow(name, description, component, tier, _RATIO, _FLOAT32, "percent", formula, "100")


def _bytes(name: str, description: str, component: str, formula: str) -> MetricRow:
    return MetricRow(name, description, component, 2, _THROUGHPUT, _UINT64, "bytes", formula)


def _memory(name: str, description: str, formula: str) -> MetricRow:
    most = "bandwidth * elapsed_ns / 1000000000"
    return MetricRow(name, description, "Memory", 1, _THROUGHPUT, _UINT64, "bytes", formula, most)


_XVE, _L1, _L3, _SLM, _GPU = "XVE", "Load-store cache", "L3", "Shared local memory", "GPU"

_ROWS = (
    MetricRow("QueryBeginTime", "The device time at which the report begins.", _GPU, 1, _TIMESTAMP, _UINT64, "ns", "begin_ns"),
    MetricRow("StreamMarker", "The latest marker of a command list.", _GPU, 3, _RAW, _UINT64, "number", "marker"),
    MetricRow("GpuTime", "The time of the report.", _GPU, 1, _DURATION, _UINT64, "ns", "elapsed_ns", "elapsed_ns"),
    _count("GpuCoreClocks", "Cycles of the core clock.", _GPU, "cycles", "elapsed_clocks", 1),
    MetricRow(
        "AvgGpuCoreFrequencyMHz", "The average core clock.", _GPU, 1, _EVENT, _UINT64, "MHz",
        "clock_ns / elapsed_ns", "clock",
    ),
    _percent("GPU_BUSY", "The part of the time for which kernels execute.", _GPU, "100 * busy_clocks / elapsed_clocks"),
    MetricRow("COPY_ENGINE_TIME", "The time for which copies execute.", _GPU, 2, _DURATION, _UINT64, "ns", "copy_ns"),
    _count("KERNEL_COUNT", "Launches.", _GPU, "kernels", "kernels"),
    _count("XVE_COMPUTE_GROUP_COUNT", "Work-groups.", "Thread dispatcher", "groups", "groups"),
    _count("XVE_COMPUTE_THREAD_COUNT", "Hardware threads.", "Thread dispatcher", "threads", "threads", 1),
    _percent("XVE_ACTIVE", "The part of the time for which EUs keep a pipe busy.", _XVE, "100 * eu_active / (elapsed_clocks * eus)"),
    _percent(
        "XVE_STALL", "The part of the time for which EUs have threads, all of which wait.", _XVE,
        "100 * (eu_loaded - eu_active) / (elapsed_clocks * eus)",
    ),
    *(
        _percent(
            f"XVE_STALL_{short}", f"The part of the time for which EUs stall because threads wait for {words}.", _XVE,
            f"100 * (eu_loaded - eu_active) / (elapsed_clocks * eus) * {reason}_stalls / ({_ALL_STALLS})", 2,
        )
        for reason, (short, words) in _STALLS.items()
    ),
    _percent("XVE_BUSY", "The part of the time for which EUs have threads.", _XVE, "100 * eu_loaded / (elapsed_clocks * eus)"),
    _percent(
        "XVE_THREADS_OCCUPANCY_ALL", "The part of the thread slots that have a thread.", _XVE,
        "100 * thread_slots / (elapsed_clocks * slots)",
    ),
    _count("XVE_INST_EXECUTED_ALL", "Instructions.", _XVE, "instructions", "instructions", 1),
    *(
        _count(f"XVE_INST_EXECUTED_{short}_ALL", f"Executed {words} instructions.", _XVE, "instructions", f"{pipe}_instructions")
        for pipe, (short, words) in _PIPES.items()
    ),
    *(
        _percent(
            f"XVE_PIPE_{short}_ACTIVE", f"The part of the time for which EUs keep the {words} pipe busy.", _XVE,
            f"100 * {pipe}_cycles / (elapsed_clocks * eus)", 2,
        )
        for pipe, (short, words) in _PIPES.items()
    ),
    MetricRow(
        "XVE_INST_PER_CYCLE", "Instructions that an EU with threads executes in a cycle.", _XVE, 2, _RATIO, _FLOAT32,
        "instructions per cycle", "instructions / eu_loaded",
    ),
    _percent(
        "XVE_SIMD_UTILIZATION", "The enabled part of the channels of instructions under the execution mask.", _XVE,
        "100 - 100 * (masked_slots - masked_channels) / masked_slots",
    ),
    _count("XVE_BARRIER_MESSAGE_COUNT", "Messages that signal a barrier.", _XVE, "messages", "barriers"),
    _count("XVE_FENCE_COUNT", "Fences.", _XVE, "messages", "fences"),
    _count("XVE_ATOMIC_ACCESS_COUNT", "Atomic messages.", _XVE, "messages", "atomics"),
    _count("XVE_FLOP16", "Sums and products of 16-bit numbers outside of the matrix engine.", _XVE, "operations", "float16_operations"),
    _count("XVE_FLOP32", "Sums and products of single precision.", _XVE, "operations", "float32_operations"),
    _count("XVE_FLOP64", "Sums and products of double precision.", _XVE, "operations", "float64_operations"),
    _count("XVE_XMX_OPS", "Sums and products of the matrix engine.", _XVE, "operations", "matrix_operations"),
    _count("LOAD_STORE_CACHE_LOAD_COUNT", "Messages that load from global memory.", _L1, "messages", "global_loads"),
    _count("LOAD_STORE_CACHE_STORE_COUNT", "Messages that store to global memory.", _L1, "messages", "global_stores"),
    _count("LOAD_STORE_CACHE_PREFETCH_COUNT", "Messages that prefetch.", _L1, "messages", "prefetches"),
    _bytes("LOAD_STORE_CACHE_BYTE_READ", "Bytes that messages load from global memory.", _L1, "l1_read"),
    _bytes("LOAD_STORE_CACHE_BYTE_WRITE", "Bytes that messages store to global memory.", _L1, "l1_written"),
    _bytes("LOAD_STORE_CACHE_BYPASS_BYTE_READ", "Bytes that messages load and L1 is not asked for.", _L1, "l1_bypassed_read"),
    _percent("LOAD_STORE_CACHE_HIT", "The part of the loaded bytes that L1 has.", _L1, "100 * (l1_read - l3_load) / l1_read"),
    _count("SLM_ACCESS_COUNT", "Messages to shared local memory.", _SLM, "messages", "slm_messages"),
    _bytes("SLM_BYTE_READ", "Bytes loaded from shared local memory.", _SLM, "slm_read"),
    _bytes("SLM_BYTE_WRITE", "Bytes stored to shared local memory.", _SLM, "slm_written"),
    _count("SCRATCH_ACCESS_COUNT", "Messages to scratch space.", _L1, "messages", "scratch_messages"),
    _bytes("SCRATCH_BYTE_READ", "Bytes loaded from scratch space.", _L1, "scratch_read"),
    _bytes("SCRATCH_BYTE_WRITE", "Bytes stored to scratch space.", _L1, "scratch_written"),
    _count("IMAGE_ACCESS_COUNT", "Messages to images.", _L1, "messages", "image_messages"),
    _bytes("IMAGE_BYTE_READ", "Bytes of texels that are read.", _L1, "image_read"),
    _bytes("IMAGE_BYTE_WRITE", "Bytes of texels that are written.", _L1, "image_written"),
    _bytes("L3_BYTE_READ", "Bytes that L3 gives to L1 and to copies.", _L3, "l3_read"),
    _bytes("L3_BYTE_WRITE", "Bytes that L3 takes from L1 and from copies.", _L3, "l3_written"),
    _percent("L3_HIT", "The part of the bytes read that L3 has.", _L3, "100 * (l3_read - memory_read) / l3_read"),
    _memory("GPU_MEMORY_BYTE_READ", "Bytes read from memory.", "memory_read"),
    _memory("GPU_MEMORY_BYTE_WRITE", "Bytes written to memory.", "memory_written"),
    MetricRow(
        "GPU_MEMORY_BANDWIDTH", "Bytes of memory in a second.", "Memory", 1, _THROUGHPUT, _FLOAT32, "GB/s",
        "(memory_read + memory_written) / elapsed_ns", "bandwidth / 1000000000",
    ),
    _percent(
        "GPU_MEMORY_UTILIZATION", "The part of the bandwidth of the memory that is used.", "Memory",
        "100000000000 * (memory_read + memory_written) / (elapsed_ns * bandwidth)",
    ),
    MetricRow(
        "IP", "The address of an instruction, as in the debug information of its module.", _XVE, 4, _IP, _UINT64, "Address",
        "ip",
    ),
    *(
        _count(name, f"{words[0].upper()}{words[1:]}.", _XVE, "events", formula, 4)
        for name, formula, words in (
            ("Active", "issue_samples", "samples of threads that issue the instruction"),
            ("ControlStall", "control_samples", "samples of threads that wait for a jump"),
            ("PipeStall", "pipe_samples", "samples of threads that wait for a pipe"),
            ("SendStall", "send_samples", "samples of threads that wait for the pipe of messages"),
            ("DistStall", "dependency_samples", "samples of threads that wait for results of arithmetic"),
            ("SbidStall", "message_samples", "samples of threads that wait for messages"),
            ("SyncStall", "sync_samples", "samples of threads that wait for barriers and fences"),
            ("InstrFetchStall", "0", "samples of threads that wait for their code, which is always there"),
            ("OtherStall", "0", "samples of threads that wait for anything else"),
        )
    ),
    _bytes("HOST_TO_GPU_BYTES", "Bytes that copies bring from the host.", "PCI", "host_read"),
    _bytes("GPU_TO_HOST_BYTES", "Bytes that copies bring to the host.", "PCI", "host_written"),
)  # fmt: skip

METRICS: Mapping[str, MetricRow] = {row.name: row for row in _ROWS}
"""The metrics by name."""

CORE_DOMAIN, MEMORY_DOMAIN, SAMPLING_DOMAIN = 0, 1, 2
"""Domains: the counters of the EUs and their caches, and other units: those of the memory, and what samples threads."""

_BEGIN = ("QueryBeginTime", "GpuTime", "GpuCoreClocks", "AvgGpuCoreFrequencyMHz")

STREAMED = ("StreamMarker",)
"""The metrics that groups have only when they are sampled by time."""


@dataclass(frozen=True)
class GroupRow:
    """A metric group. It is there twice, sampled by events and by time; one by instruction is sampled by time only.

    A report of a group by instruction has an instruction, not a time.
    """

    name: str
    description: str
    domain: int
    metrics: tuple[str, ...]
    is_by_instruction: bool = False

    def rows(self, *, is_streamed: bool) -> tuple[MetricRow, ...]:
        """Returns its metrics."""
        has_times = is_streamed and not self.is_by_instruction
        return tuple(METRICS[name] for name in (*self.metrics, *(STREAMED if has_times else ())))

    @cached_property
    def counters(self) -> tuple[str, ...]:
        """The counters that its formulas need, in their order."""
        rows = self.rows(is_streamed=True)
        used = {name for row in rows for formula in (row.formula, row.most) if formula for name in names_in(formula)}
        return tuple(name for name in (*SAMPLES, *COUNTERS) if name in used)


def _group(name: str, description: str, metrics: str, domain: int = CORE_DOMAIN) -> GroupRow:
    found = tuple(name for pattern in metrics.split() for name in METRICS if _matches(name, pattern))
    return GroupRow(name, description, domain, _BEGIN + found)


def _matches(name: str, pattern: str) -> bool:
    return name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1]))


_ALL = (
    _group(
        "ComputeBasic",
        "What kernels do, in short.",
        "GPU_BUSY XVE_COMPUTE_THREAD_COUNT XVE_ACTIVE XVE_STALL XVE_THREADS_OCCUPANCY_ALL XVE_INST_EXECUTED_* "
        "XVE_BARRIER_MESSAGE_COUNT XVE_ATOMIC_ACCESS_COUNT LOAD_STORE_CACHE_BYTE_* SLM_BYTE_* L3_BYTE_* GPU_MEMORY_BYTE_*",
    ),
    _group(
        "VectorEngineProfile",
        "What EUs do: their threads, and their pipes.",
        "GPU_BUSY KERNEL_COUNT XVE_COMPUTE_* XVE_ACTIVE XVE_STALL XVE_BUSY XVE_THREADS_OCCUPANCY_ALL XVE_PIPE_* "
        "XVE_INST_PER_CYCLE",
    ),
    _group(
        "VectorEngineStalls",
        "Why EUs wait.",
        "GPU_BUSY XVE_COMPUTE_THREAD_COUNT XVE_ACTIVE XVE_STALL XVE_STALL_* XVE_BUSY XVE_THREADS_OCCUPANCY_ALL",
    ),
    _group(
        "InstructionMix",
        "Instructions by pipe, operations by precision, and channels.",
        "XVE_INST_EXECUTED_* XVE_SIMD_UTILIZATION XVE_FLOP* XVE_XMX_OPS XVE_BARRIER_MESSAGE_COUNT XVE_FENCE_COUNT "
        "XVE_ATOMIC_ACCESS_COUNT",
    ),
    _group(
        "LoadStoreCacheProfile",
        "Messages and bytes of L1, shared local memory, scratch space and images.",
        "LOAD_STORE_CACHE_* SLM_* SCRATCH_* IMAGE_*",
    ),
    _group("DeviceCacheProfile", "Bytes between L1, L3 and memory.", "L3_* GPU_MEMORY_BYTE_*"),
    _group(
        "MemoryProfile",
        "Bytes of memory and of the link, and how busy the memory is.",
        "GPU_MEMORY_* COPY_ENGINE_TIME HOST_TO_GPU_BYTES GPU_TO_HOST_BYTES",
        MEMORY_DOMAIN,
    ),
    GroupRow(
        "EuStallSampling",
        "At which instructions threads are, and what they wait for there.",
        SAMPLING_DOMAIN,
        (
            "IP",
            "Active",
            "ControlStall",
            "PipeStall",
            "SendStall",
            "DistStall",
            "SbidStall",
            "SyncStall",
            "InstrFetchStall",
            "OtherStall",
        ),
        is_by_instruction=True,
    ),
)

GROUPS: Mapping[str, GroupRow] = {group.name: group for group in _ALL}
"""The metric groups by name."""
