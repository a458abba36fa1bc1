"""Rules for the kernels of `.ze_info` and for the lists that refer to them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from zebin.elf.model import ElfClass
from zebin.errors import excerpt
from zebin.rules.arguments import check_arguments
from zebin.rules.execution import check_environment, check_execution
from zebin.rules.limits import TargetLimits
from zebin.rules.resources import check_resources
from zebin.rules.subject import Subject
from zebin.rules.values import check_values
from zebin.yaml.source import TextReport
from zebin.ze_info.schema import ArgInfo, KernelCostInfo, KernelInfo, KernelMiscInfo, ZeInfo
from zebin.ze_info.vocabulary import ArgType

NAME_LIMIT = 4096
RESERVED_IN_NAMES = "kernels_misc_info"
"""The word at which drivers cut the text, wherever it occurs first."""

QUALIFIERS: Mapping[str, frozenset[str]] = {
    "address_qualifier": frozenset(("__private", "__global", "__local", "__constant", "__generic", "__not_found")),
    "access_qualifier": frozenset(
        ("NONE", "read_only", "write_only", "read_write", "__read_only", "__write_only", "__read_write")
    ),
    "type_qualifiers": frozenset(("NONE", "const", "restrict", "volatile", "pipe")),
}
"""The words of OpenCL C that qualify arguments, as compilers write them."""

_TYPE_NAME = re.compile(r"[^;]+;([0-9]{1,10})")
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
        for key, nested in (
            ("experimental_properties", kernel.record.experimental_properties),
            ("debug_env", kernel.record.debug_env),
        ):
            if nested is not None:
                check_values(kernel.child(key, nested))
    for function in root.children("functions", ze_info.functions):
        if not function.record.execution_env.incomplete:
            check_environment(function.child("execution_env", function.record.execution_env), limits)
    _check_misc_info(root)
    for cost in root.children("kernels_cost_info", ze_info.kernels_cost_info):
        if cost.record.name not in names:
            cost.warning("cost.kernel", "cost of an unknown kernel", "name", found=excerpt(cost.record.name))
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
    kernels = {kernel.name: kernel for kernel in root.record.kernels}
    for entry in root.children("kernels_misc_info", root.record.kernels_misc_info):
        kernel = kernels.get(entry.record.name)
        if kernel is None:
            entry.error("misc.kernel", "information about an unknown kernel", "name", found=excerpt(entry.record.name))
            continue
        if entry.record.at < root.record.kernels[0].at:
            entry.warning("misc.order", "precedes the kernels, which drivers therefore do not find")
        _check_args_info(entry, kernel)


def _check_args_info(entry: Subject[KernelMiscInfo], kernel: KernelInfo) -> None:
    count = kernel.argument_count
    value_bytes: dict[int, int] = {}
    for slot in kernel.payload_arguments:
        if slot.arg_type == ArgType.ARG_BYVALUE:
            end = max(slot.source_offset, 0) + slot.size
            value_bytes[slot.arg_index] = max(value_bytes.get(slot.arg_index, 0), end)
    seen: set[int] = set()
    for argument in entry.children("args_info", entry.record.args_info):
        index = argument.record.index
        _check_words(argument)
        if index in seen:
            argument.warning("misc.index", "argument is described twice", "index", found=index)
        seen.add(index)
        if not 0 <= index < count:
            expected = f"less than {count}"
            argument.error("misc.index", "no such argument", "index", found=index, expected=expected)
        if not argument.record.type_name:
            argument.error("misc.type", "argument without a type", "type_name")
        elif (match := _TYPE_NAME.fullmatch(argument.record.type_name)) is None:
            found, expected = excerpt(argument.record.type_name), "the type, a semicolon and the size in bytes"
            argument.warning("misc.type", "type without a size", "type_name", found=found, expected=expected)
        elif value_bytes.get(index, 0) > int(match[1]):
            found, expected = f"{match[1]} bytes", f"{value_bytes[index]} bytes, as in payload_arguments"
            argument.warning("misc.type", "value is larger than its type", "type_name", found=found, expected=expected)


def _check_words(argument: Subject[ArgInfo]) -> None:
    """Checks the qualifiers; drivers answer queries about unknown ones with nothing."""
    for key, words in QUALIFIERS.items():
        value = getattr(argument.record, key)
        if not words.issuperset(value.split()):
            expected = "one of " + ", ".join(sorted(words))
            argument.warning("misc.qualifier", "unknown qualifier", key, found=excerpt(value), expected=expected)


def _check_cost(cost: Subject[KernelCostInfo]) -> None:
    """Checks that loop counts refer to argument symbols of the same entry."""
    symbols = len(cost.record.kcm_args_sym)
    for count in cost.children("kcm_loop_count_exps", cost.record.kcm_loop_count_exps):
        index = count.record.argsym_index
        if not -1 <= index < symbols:
            count.warning("cost.index", "no such argument symbol", "argsym_index", found=index)
    for loop in cost.children("Kcm_loop_costs", cost.record.kcm_loop_costs):
        check_values(loop)
    counts = len(cost.record.kcm_loop_count_exps)
    claimed = sum(max(loop.num_loops, 0) for loop in cost.record.kcm_loop_costs)
    if claimed > counts:
        message = "more loops than loop counts"
        cost.warning("cost.loops", message, "Kcm_loop_costs", found=claimed, expected=f"at most {counts}")
