"""Rules for the execution environment and the user attributes (zeinfo 1.61, `execution_env`, `user_attributes`)."""

from __future__ import annotations

from itertools import permutations
from math import prod
from typing import TypeVar

from zebin.rules.limits import TargetLimits
from zebin.rules.subject import Subject
from zebin.rules.values import check_values
from zebin.ze_info.records import Record
from zebin.ze_info.schema import ExecutionEnv, KernelInfo
from zebin.ze_info.vocabulary import SCRATCH_SLOTS, AllocationType, MemoryUsage

R = TypeVar("R", bound=Record)

SIMD_SIZES = (1, 8, 16, 32)
LISTED_ORDERS = frozenset({(0, 0, 0), (0, 1, 0), (0, 1, 2), (1, 0, 0), (2, 1, 0)})
"""The orders that `.ze_info` has for a kernel's environment; its source may ask for any."""

WALK_ORDERS = frozenset({(0, 0, 0), (0, 1, 0), (1, 0, 0), *permutations((0, 1, 2))})
"""Dimensions from the fastest on; an order of fewer than three is filled with zeros."""


def check_execution(kernel: Subject[KernelInfo], limits: TargetLimits) -> None:
    """Checks both sets of attributes and their consistency."""
    attributes = kernel.record.user_attributes
    if attributes is not None and not attributes.incomplete:
        subject = kernel.child("user_attributes", attributes)
        check_values(subject)
        _check_group_size(subject, "reqd_work_group_size", attributes.reqd_work_group_size, limits)
        _check_walk_order(subject, "intel_reqd_workgroup_walk_order", attributes.intel_reqd_workgroup_walk_order)
    env = kernel.record.execution_env
    if env.incomplete:
        return
    execution = kernel.child("execution_env", env)
    check_environment(execution, limits)
    _check_group_size(execution, "required_work_group_size", env.required_work_group_size, limits)
    _check_memory(execution, kernel.record)
    if env.required_sub_group_size not in (0, env.simd_size):
        key, expected = "required_sub_group_size", f"simd_size {env.simd_size}"
        message = "differs from the SIMD size"
        execution.warning("attr.mismatch", message, key, found=env.required_sub_group_size, expected=expected)
    if attributes is None or attributes.incomplete:
        return
    walk_order = attributes.intel_reqd_workgroup_walk_order
    for key, stated, wanted in (
        ("required_work_group_size", env.required_work_group_size, attributes.reqd_work_group_size),
        ("simd_size", env.simd_size, attributes.intel_reqd_sub_group_size or env.simd_size),
        (
            "work_group_walk_order_dimensions",
            env.work_group_walk_order_dimensions,
            walk_order if any(walk_order) else env.work_group_walk_order_dimensions,
        ),
    ):
        if stated != wanted:
            message = "differs from the programmer's request"
            execution.warning("attr.mismatch", message, key, found=stated, expected=str(wanted))


def check_environment(execution: Subject[ExecutionEnv], limits: TargetLimits) -> None:
    """Checks each value of a kernel's or function's environment."""
    env = execution.record
    _one_of(execution, "enum.simd", "simd_size", env.simd_size, SIMD_SIZES)
    _one_of(execution, "value.grf", "grf_count", env.grf_count, limits.grf_counts)
    _one_of(execution, "value.barrier", "barrier_count", env.barrier_count, limits.barrier_counts)
    check_values(execution)
    if env.inline_data_payload_size and not limits.has_inline_data:
        execution.warning("value.inline", "the target has no inline data", "inline_data_payload_size")
    if not 0 <= env.slm_size <= limits.slm_bytes:
        expected = f"0 to {limits.slm_bytes}"
        execution.error("value.slm", "invalid size of local memory", "slm_size", found=env.slm_size, expected=expected)
    key, order = "work_group_walk_order_dimensions", env.work_group_walk_order_dimensions
    _check_walk_order(execution, key, order)
    if order in WALK_ORDERS - LISTED_ORDERS:
        expected = "one of " + ", ".join(str(list(each)) for each in sorted(LISTED_ORDERS))
        execution.warning("value.walk-order", "unlisted order of dimensions", key, found=list(order), expected=expected)
    threads = limits.eu_threads.get(env.grf_count, env.eu_thread_count)
    if env.eu_thread_count not in (0, threads):
        message, expected = f"an EU has other numbers of threads of {env.grf_count} registers", str(threads)
        execution.warning("value.threads", message, "eu_thread_count", found=env.eu_thread_count, expected=expected)
    if env.has_stack_calls and not env.require_iab and "require_iab" in env.explicit:
        execution.error(
            "attr.conflict", "kernel with stack calls declares that it needs no implicit arguments", "require_iab"
        )


def _one_of(subject: Subject[ExecutionEnv], code: str, key: str, value: int, allowed: tuple[int, ...]) -> None:
    if value not in allowed:
        expected = "one of " + ", ".join(map(str, allowed))
        subject.error(code, "value that the target does not support", key, found=value, expected=expected)


def _check_walk_order(subject: Subject[R], key: str, order: tuple[int, int, int]) -> None:
    if order not in WALK_ORDERS:
        expected = "an order of the dimensions 0, 1, 2"
        subject.error("value.walk-order", "invalid order of dimensions", key, found=list(order), expected=expected)


def _check_memory(execution: Subject[ExecutionEnv], kernel: KernelInfo) -> None:
    """Checks that the sizes in the environment, where they are stated, are those of the per-thread buffers."""
    env, buffers = execution.record, kernel.per_thread_memory_buffers
    for key, stated, usages in (
        ("private_size", env.private_size, (MemoryUsage.PRIVATE_SPACE, MemoryUsage.SINGLE_SPACE)),
        ("spill_size", env.spill_size, (MemoryUsage.SPILL_FILL_SPACE, MemoryUsage.SINGLE_SPACE)),
    ):
        sizes = (buffer.thread_bytes(env.simd_size) for buffer in buffers if buffer.usage in usages)
        size = max(sizes, default=0)
        if stated > size:
            message, expected = "no per-thread buffer has this size", f"at most {size}"
            execution.warning("attr.mismatch", message, key, found=stated, expected=expected)
    slots = {buffer.slot for buffer in buffers if buffer.type == AllocationType.SCRATCH}
    if env.has_multi_scratch_spaces and len(slots) < len(SCRATCH_SLOTS):
        message, expected = "kernel does not use both scratch slots", "false"
        execution.warning("attr.mismatch", message, "has_multi_scratch_spaces", found="true", expected=expected)


def _check_group_size(subject: Subject[R], key: str, size: tuple[int, int, int], limits: TargetLimits) -> None:
    """Checks a work-group size, where all zeros mean any size."""
    if size != (0, 0, 0) and (min(size) < 1 or prod(size) > limits.group_items):
        expected = f"positive sizes with a product of at most {limits.group_items}"
        subject.error("value.group-size", "invalid work-group size", key, found=list(size), expected=expected)
