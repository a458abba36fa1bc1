"""Rules for local ids, per-thread memory and inline samplers."""

from __future__ import annotations

from xegpu.targets import local_id_row_bytes
from zebin.errors import excerpt
from zebin.rules.limits import TargetLimits
from zebin.rules.subject import Subject, check_conditions
from zebin.rules.values import check_values
from zebin.ze_info.kinds import INT32_MAX
from zebin.ze_info.schema import KernelInfo, PerThreadMemoryBuffer, PerThreadPayloadArgument
from zebin.ze_info.vocabulary import PER_THREAD_TYPES, SCRATCH_SLOTS, AllocationType, ArgType, MemoryUsage

PACKED_SIZES: tuple[int, ...] = (2, 4, 6)


def check_resources(kernel: Subject[KernelInfo], limits: TargetLimits) -> None:
    """Checks the rest of a kernel's entry: local ids, memory and samplers."""
    for argument in kernel.children("per_thread_payload_arguments", kernel.record.per_thread_payload_arguments):
        _check_local_ids(argument, kernel.record, limits)
    slots: set[int] = set()
    for buffer in kernel.children("per_thread_memory_buffers", kernel.record.per_thread_memory_buffers):
        check_conditions(buffer)
        _check_buffer(buffer, kernel.record, limits)
        if buffer.record.type == AllocationType.SCRATCH:
            if buffer.record.slot in slots:
                buffer.error("mem.slot", "scratch slot is used twice", "slot", found=buffer.record.slot)
            slots.add(buffer.record.slot)
    _check_private_base(kernel)
    samplers: set[int] = set()
    for sampler in kernel.children("inline_samplers", kernel.record.inline_samplers):
        index = sampler.record.sampler_index
        check_values(sampler)
        if index in samplers:
            sampler.error("sampler.duplicate", "index is used twice", "sampler_index", found=index)
        samplers.add(index)


def _check_local_ids(argument: Subject[PerThreadPayloadArgument], kernel: KernelInfo, limits: TargetLimits) -> None:
    record = argument.record
    if record.arg_type not in PER_THREAD_TYPES:
        found, expected = excerpt(record.arg_type), "local_id or packed_local_ids"
        argument.error("ptp.type", "not a per-thread argument", "arg_type", found=found, expected=expected)
        return
    if not record.size:
        argument.warning("ptp.empty", "empty slot", "size", found=0)
        return
    if record.arg_type == ArgType.PACKED_LOCAL_IDS:
        sizes = PACKED_SIZES
    else:
        simd = kernel.execution_env.simd_size
        rows = {local_id_row_bytes(simd, grf_bytes) for grf_bytes in limits.grf_bytes}
        sizes = tuple(sorted({count * row for row in rows for count in (1, 2, 3)}))
    if record.offset or record.size not in sizes:
        found = f"offset {record.offset}, size {record.size}"
        expected = "offset 0, size " + ", ".join(map(str, sizes))
        argument.error("ptp.local-id", "invalid slot for local ids", "size", found=found, expected=expected)


def _check_buffer(buffer: Subject[PerThreadMemoryBuffer], kernel: KernelInfo, limits: TargetLimits) -> None:
    record = buffer.record
    total = record.thread_bytes(kernel.execution_env.simd_size)
    if not 0 < record.size < INT32_MAX or total > INT32_MAX:
        buffer.error("mem.size", "invalid size of memory", "size", found=record.size)
    elif record.type == AllocationType.SCRATCH and record.size > limits.scratch_bytes:
        found, expected = record.size, f"at most {limits.scratch_bytes}"
        buffer.error("mem.limit", "more scratch memory than a thread can have", "size", found=found, expected=expected)
    if record.slot not in SCRATCH_SLOTS:
        buffer.error("mem.slot", "unknown slot", "slot", found=record.slot, expected="0 or 1")
    if record.type == AllocationType.SLM:
        buffer.error("mem.type", "local memory is not allocated for each thread", "type", found=record.type)
    if record.type == AllocationType.GLOBAL and record.usage != MemoryUsage.PRIVATE_SPACE:
        message = "global buffers hold private memory only"
        buffer.error("mem.usage", message, "usage", found=excerpt(record.usage), expected=MemoryUsage.PRIVATE_SPACE)


def _check_private_base(kernel: Subject[KernelInfo]) -> None:
    """Checks that private memory in a global buffer is passed as an argument."""
    record = kernel.record
    has_base = any(a.arg_type == ArgType.PRIVATE_BASE_STATELESS for a in record.payload_arguments)
    has_buffer = any(b.type == AllocationType.GLOBAL for b in record.per_thread_memory_buffers)
    if has_base and not has_buffer:
        kernel.info("mem.base", "private_base_stateless without private memory", "payload_arguments")
    if has_buffer and not has_base:
        message = "private memory whose address the kernel does not receive"
        kernel.error("mem.base", message, "per_thread_memory_buffers", expected="private_base_stateless")
