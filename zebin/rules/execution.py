"""Rules for the execution environment and the user attributes (zeinfo 1.61, `execution_env`, `user_attributes`)."""

from __future__ import annotations

from itertools import permutations
from math import prod
from typing import TypeVar

from zebin.rules.limits import TargetLimits
from zebin.rules.subject import Subject
from zebin.ze_info.records import Record
from zebin.ze_info.schema import ExecutionEnv, KernelInfo

R = TypeVar("R", bound=Record)

SIMD_SIZES = (1, 8, 16, 32)
INLINE_SIZES = (0, 32, 64)
SLM_MODES = (0, 1)
WALK_ORDERS = frozenset({(0, 0, 0), (0, 1, 0), (1, 0, 0), *permutations((0, 1, 2))})
"""Dimensions from the fastest on; an order of fewer than three is filled with zeros."""


def check_execution(kernel: Subject[KernelInfo], limits: TargetLimits) -> None:
    """Checks both sets of attributes and their consistency."""
    attributes = kernel.record.user_attributes
    if attributes is not None and not attributes.incomplete:
        subject = kernel.child("user_attributes", attributes)
        _check_group_size(subject, "reqd_work_group_size", attributes.reqd_work_group_size, limits)
    env = kernel.record.execution_env
    if env.incomplete:
        return
    execution = kernel.child("execution_env", env)
    check_environment(execution, limits)
    _check_group_size(execution, "required_work_group_size", env.required_work_group_size, limits)
    if attributes is None or attributes.incomplete:
        return
    for key, stated, wanted in (
        ("required_work_group_size", env.required_work_group_size, attributes.reqd_work_group_size),
        ("simd_size", env.simd_size, attributes.intel_reqd_sub_group_size or env.simd_size),
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
    _one_of(execution, "value.inline", "inline_data_payload_size", env.inline_data_payload_size, INLINE_SIZES)
    _one_of(execution, "value.slm-mode", "slm_alloc_mode", env.slm_alloc_mode, SLM_MODES)
    if env.inline_data_payload_size and not limits.has_inline_data:
        execution.warning("value.inline", "the target has no inline data", "inline_data_payload_size")
    if not 0 <= env.slm_size <= limits.slm_bytes:
        expected = f"0 to {limits.slm_bytes}"
        execution.error("value.slm", "invalid size of local memory", "slm_size", found=env.slm_size, expected=expected)
    if env.work_group_walk_order_dimensions not in WALK_ORDERS:
        found, expected = list(env.work_group_walk_order_dimensions), "an order of the dimensions 0, 1, 2"
        key = "work_group_walk_order_dimensions"
        execution.error("value.walk-order", "invalid order of dimensions", key, found=found, expected=expected)
    if env.has_stack_calls and env.require_iab is False:
        execution.error(
            "attr.conflict", "kernel with stack calls declares that it needs no implicit arguments", "require_iab"
        )


def _one_of(subject: Subject[ExecutionEnv], code: str, key: str, value: int, allowed: tuple[int, ...]) -> None:
    if value not in allowed:
        expected = "one of " + ", ".join(map(str, allowed))
        subject.error(code, "value that the target does not support", key, found=value, expected=expected)


def _check_group_size(subject: Subject[R], key: str, size: tuple[int, int, int], limits: TargetLimits) -> None:
    """Checks a work-group size, where all zeros mean any size."""
    if size != (0, 0, 0) and (min(size) < 1 or prod(size) > limits.group_items):
        expected = f"positive sizes with a product of at most {limits.group_items}"
        subject.error("value.group-size", "invalid work-group size", key, found=list(size), expected=expected)
