"""Rules for the kernels of `.ze_info` and for the lists that refer to them."""

from __future__ import annotations

import re

from zebin.elf.model import ElfClass
from zebin.errors import excerpt
from zebin.rules.arguments import check_arguments
from zebin.rules.execution import check_environment, check_execution
from zebin.rules.limits import TargetLimits
from zebin.rules.resources import check_resources
from zebin.rules.subject import Subject
from zebin.yaml.source import TextReport
from zebin.ze_info.schema import KernelCostInfo, KernelInfo, KernelMiscInfo, ZeInfo

NAME_LIMIT = 4096
RESERVED_IN_NAMES = "kernels_misc_info"
"""The word at which drivers cut the text, wherever it occurs first."""

_ILLEGAL_IN_NAMES = re.compile(r"[\x00-\x1f\x7f/]")


def check_kernels(ze_info: ZeInfo, report: TextReport, elf_class: ElfClass, limits: TargetLimits) -> None:
    """Checks kernels, functions, and the lists that refer to kernels."""
    root = Subject(report, ze_info, ())
    names: set[str] = set()
    for kernel in root.children("kernels", ze_info.kernels):
        _check_name(kernel, names)
        check_execution(kernel, limits)
        check_arguments(kernel, elf_class)
        check_resources(kernel, limits)
    for function in root.children("functions", ze_info.functions):
        if not function.record.execution_env.incomplete:
            check_environment(function.child("execution_env", function.record.execution_env), limits)
    _check_misc_info(root)
    for cost in root.children("kernels_cost_info", ze_info.kernels_cost_info):
        _check_cost(cost)


def _check_name(kernel: Subject[KernelInfo], names: set[str]) -> None:
    name = kernel.record.name
    if not name or len(name) > NAME_LIMIT or _ILLEGAL_IN_NAMES.search(name):
        found = f"{len(name)} characters" if len(name) > NAME_LIMIT else excerpt(name)
        expected = f"1 to {NAME_LIMIT} characters without '/' and control characters"
        kernel.error("kernel.name", "invalid name", "name", found=found, expected=expected)
    if RESERVED_IN_NAMES in name:
        message = f"name contains '{RESERVED_IN_NAMES}', where drivers cut the text"
        kernel.error("kernel.name-reserved", message, "name", found=excerpt(name))
    if name in names:
        kernel.error("kernel.duplicate", "second kernel of this name", "name", found=excerpt(name))
    names.add(name)


def _check_misc_info(root: Subject[ZeInfo]) -> None:
    """Checks that argument information refers to existing kernels and arguments."""
    argument_counts = {kernel.name: kernel.argument_count for kernel in root.record.kernels}
    for entry in root.children("kernels_misc_info", root.record.kernels_misc_info):
        count = argument_counts.get(entry.record.name)
        if count is None:
            entry.error("misc.kernel", "information about an unknown kernel", "name", found=excerpt(entry.record.name))
            continue
        if entry.record.at < root.record.kernels[0].at:
            entry.warning("misc.order", "precedes the kernels, which drivers therefore do not find")
        _check_args_info(entry, count)


def _check_args_info(entry: Subject[KernelMiscInfo], count: int) -> None:
    for argument in entry.children("args_info", entry.record.args_info):
        index = argument.record.index
        if not 0 <= index < count:
            expected = f"less than {count}"
            argument.error("misc.index", "no such argument", "index", found=index, expected=expected)
        if not argument.record.type_name:
            argument.error("misc.type", "argument without a type", "type_name")


def _check_cost(cost: Subject[KernelCostInfo]) -> None:
    """Checks that loop counts refer to argument symbols of the same entry."""
    symbols = len(cost.record.kcm_args_sym)
    for count in cost.children("kcm_loop_count_exps", cost.record.kcm_loop_count_exps):
        index = count.record.argsym_index
        if not -1 <= index < symbols:
            count.warning("cost.index", "no such argument symbol", "argsym_index", found=index)
    for loop in cost.children("Kcm_loop_costs", cost.record.kcm_loop_costs):
        if loop.record.num_loops < 0:
            loop.warning("cost.loops", "negative number of loops", "num_loops", found=loop.record.num_loops)
