"""Parameters: nulls, enumerators, sizes, values for kernels, and the use of objects (validation: parameter).

Rules come from the declarations and annotations of the functions, and from the names that the specification gives its
types; the table here has the enumerations of members, which neither states.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum, IntFlag

from runtime.ze.conversion import STRUCTURES
from runtime.ze.declaration import function_called
from runtime.ze.driver.handle import enumerator, flag_set
from runtime.ze.driver.modules.kernel import Kernel
from runtime.ze.layers.validation.call import ApiCall, ApiParameter, CallChecker, Moment
from runtime.ze.layers.validation.usage import check_usage
from runtime.ze.spec import enums
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.seed import OLDER_FLAGS
from xegpu.isa.model import ArgumentKind

_Enumeration = type[IntEnum] | type[IntFlag]

MEMBERS: dict[tuple[str, str], _Enumeration] = {
    ("ze_command_queue_desc_t", "mode"): enums.ze_command_queue_mode_t,
    ("ze_command_queue_desc_t", "priority"): enums.ze_command_queue_priority_t,
    ("ze_event_counter_based_desc_t", "signal"): enums.ze_event_scope_flags_t,
    ("ze_event_counter_based_desc_t", "wait"): enums.ze_event_scope_flags_t,
    ("ze_event_desc_t", "signal"): enums.ze_event_scope_flags_t,
    ("ze_event_desc_t", "wait"): enums.ze_event_scope_flags_t,
    ("ze_external_memory_export_desc_t", "flags"): enums.ze_external_memory_type_flags_t,
    ("ze_image_desc_t", "type"): enums.ze_image_type_t,
    ("ze_image_format_t", "layout"): enums.ze_image_format_layout_t,
    ("ze_image_format_t", "type"): enums.ze_image_format_type_t,
    ("ze_image_format_t", "x"): enums.ze_image_format_swizzle_t,
    ("ze_image_format_t", "y"): enums.ze_image_format_swizzle_t,
    ("ze_image_format_t", "z"): enums.ze_image_format_swizzle_t,
    ("ze_image_format_t", "w"): enums.ze_image_format_swizzle_t,
    ("ze_memory_free_ext_desc_t", "freePolicy"): enums.ze_driver_memory_free_policy_ext_flags_t,
    ("ze_module_desc_t", "format"): enums.ze_module_format_t,
    ("ze_sampler_desc_t", "addressMode"): enums.ze_sampler_address_mode_t,
    ("ze_sampler_desc_t", "filterMode"): enums.ze_sampler_filter_mode_t,
}
"""The enumerations of members; those of `flags` follow from the names of the structures."""


def declare_enumerations(members: Mapping[tuple[str, str], _Enumeration]) -> None:
    """Adds the enumerations of members of another API's structures."""
    MEMBERS.update(members)


_ADDRESSES = frozenset({"ptr", "dstptr", "srcptr"})


class ParameterChecker(CallChecker):
    """Checks handles, then pointers, enumerators and rules: the order in which the specification lists
    results; then what the objects are used for.
    """

    def moments(self, name: str) -> Collection[Moment]:
        return (Moment.BEFORE,)

    def before(self, call: ApiCall) -> None:
        for check in (_check_null_handle, _check_null_pointer, _check_enumerations, _check_rules):
            for parameter in call.parameters:
                check(call, parameter, call.arguments[parameter.name])
        if call.name == "zeKernelSetArgumentValue":
            _check_argument_value(call)
        check_usage(call)


def _check_null_handle(call: ApiCall, parameter: ApiParameter, value: object) -> None:
    if parameter.handle_type is None:
        return
    if parameter.is_array:
        is_null = isinstance(value, Sequence) and None in value
    else:
        is_null = value is None and not parameter.optional
    if is_null:
        raise call.error(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_HANDLE, parameter.name, "is null")


def _check_null_pointer(call: ApiCall, parameter: ApiParameter, value: object) -> None:
    is_pointer = parameter.name in _ADDRESSES or parameter.handle_type is None or parameter.is_array
    is_null = value is None or (parameter.name in _ADDRESSES and isinstance(value, int) and value == 0)
    if is_pointer and is_null and not parameter.optional:
        raise call.error(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_POINTER, parameter.name, "is null")


def _check_enumerations(call: ApiCall, parameter: ApiParameter, value: object) -> None:
    _check_members(call, parameter.name, value)


def _check_members(call: ApiCall, path: str, value: object) -> None:
    if isinstance(value, tuple):  # a chain
        for structure in value:
            _check_members(call, path, structure)
    if type(value) not in STRUCTURES or not dataclasses.is_dataclass(value):
        return
    structure = type(value).__name__
    for field in dataclasses.fields(value):
        member = getattr(value, field.name)
        enumeration = MEMBERS.get((structure, field.name))
        if enumeration is None and field.name == "flags":
            enumeration = getattr(enums, structure.replace("_desc_t", "_flags_t"), None)
        if enumeration is not None:
            _check_enumeration(call, f"{path}.{field.name}", member, enumeration)
        else:
            _check_members(call, f"{path}.{field.name}", member)


def _check_enumeration(call: ApiCall, path: str, value: int, enumeration: _Enumeration) -> None:
    try:
        if issubclass(enumeration, IntFlag):
            older = OLDER_FLAGS.get(enumeration)
            flag_set(value if older is None else value & ~sum(older), enumeration)
        else:
            enumerator(value, enumeration)
    except ZeError as error:
        raise call.error(error.result, path, error.text) from None


def _check_rules(call: ApiCall, parameter: ApiParameter, value: object) -> None:
    for path, rule in function_called(call.name).rules.items():
        if path.partition(".")[0] == parameter.name:
            found = _member(path, value)
            if not rule.holds(found):
                raise call.error(rule.result, path, rule.text.format(found))


def _member(path: str, value: object) -> object:
    """Returns the member that `path` leads to from the argument with which it begins."""
    _, _, member = path.partition(".")
    return operator.attrgetter(member)(value) if member else value


def _check_argument_value(call: ApiCall) -> None:
    """Raises `ZeError` for a size that is not the argument's, and for local memory with a value or without a size.

    The driver sets the bytes that a value and an argument have in common, and ignores values of local memory.
    """
    kernel, index, size = (call.arguments[name] for name in ("hKernel", "argIndex", "argSize"))
    if not isinstance(kernel, Kernel) or not isinstance(index, int) or not isinstance(size, int):
        return
    if not 0 <= index < len(kernel.facts.arguments):
        return
    argument = kernel.facts.arguments[index]
    label = f"argument {kernel.facts.label(index)} of {kernel!r}"
    is_local = argument.kind is ArgumentKind.LOCAL
    if is_local and call.arguments["pArgValue"] is not None:
        text = f"{label} is local memory and takes a size, but no value"
        raise call.error(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "pArgValue", text)
    if size < 1 if is_local else argument.slots and size != argument.size:
        expected = "local memory of some size" if is_local else f"of {argument.size} bytes"
        text = f"{label} is {expected}, {size} bytes given"
        raise call.error(ze_result_t.ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, "argSize", text)
