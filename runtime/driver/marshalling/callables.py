"""The callables behind the functions of C, generated from the signatures and from the functions of `runtime.ze`.

A callable takes the arguments of C as numbers and returns a result code. It reads what parameters point to, calls the
function, and writes what the function returns through the output parameters: one value, several, an array whose length
is asked for with a null pointer, or text and bytes with their size.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import typing
from collections.abc import Callable
from struct import Struct

from runtime.driver.abi import CFunction, CParameter, api_of, code_of, is_handle, layouts, pointee
from runtime.driver.marshalling import arrays
from runtime.driver.marshalling.failures import failed, refused
from runtime.driver.marshalling.handles import HANDLES
from runtime.driver.marshalling.memory import (
    VIEW,
    read_bytes,
    read_float,
    read_number,
    read_numbers,
    read_text,
    write_bytes,
)
from runtime.driver.marshalling.structures import class_of, links, reader, writer
from runtime.ze import ZeError, ze_result_t, ze_structure_type_t
from runtime.ze.driver import Operand

Answer = Callable[..., int]
"""Takes the arguments of a function of C as numbers, and returns its result as a number."""

LASTING = frozenset(
    f"ze{name}"
    for name in (
        "DriverGetProperties",
        "DriverGetIpcProperties",
        "DeviceGetProperties",
        "DeviceGetComputeProperties",
        "DeviceGetModuleProperties",
        "DeviceGetMemoryAccessProperties",
        "DeviceGetImageProperties",
        "DeviceGetExternalMemoryProperties",
        "DevicePciGetPropertiesExt",
    )
)
"""The functions whose answer about a driver or a device is always the same."""

KEPT: dict[str, dict[int, bytes]] = {}
"""The answers of lasting functions, by handle. A forked child has none: handles of its parent are not its own."""


def _forget() -> None:
    for kept in KEPT.values():
        kept.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)

_NULL_POINTER = int(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_POINTER)


@dataclasses.dataclass
class _Source:
    """The source of a callable, and the objects that it names."""

    name: str
    names: dict[str, object]
    lines: list[str] = dataclasses.field(default_factory=list)

    def add(self, line: str) -> None:
        self.lines.append(f"        {line}\n")

    def compiled(self, signature: CFunction) -> Answer:
        """Returns the function. A failure of one that returns no result is null, or a number that is no index."""
        name, parameters = signature.name, ", ".join(parameter.name for parameter in signature.parameters)
        failure = {"ze_result_t": "", "uint32_t": " and 0xFFFF_FFFF"}.get(signature.result, " and 0")
        source = (
            f"def {name}({parameters}):\n    try:\n{''.join(self.lines)}"
            f"    except ZeError as error:\n        return refused({name!r}, error){failure}\n"
            f"    except BaseException as error:\n        return failed(error){failure}\n"
        )
        exec(compile(source, f"<{name}>", "exec"), self.names)
        return typing.cast(Answer, self.names[name])


def answer(signature: CFunction, function: Callable[..., object]) -> Answer:
    """Returns the callable for a function.

    Args:
        signature: The function in C.
        function: What is called with the arguments as `runtime.ze` has them.
    """
    source = _Source(
        signature.name,
        {
            "H": HANDLES,
            "view": VIEW,
            "read_bytes": read_bytes,
            "read_float": read_float,
            "read_number": read_number,
            "read_numbers": read_numbers,
            "read_text": read_text,
            "links": links,
            "handle_of": HANDLES.of,
            "handles_at": arrays.handles_at,
            "structures_at": arrays.structures_at,
            "give_handles": arrays.give_handles,
            "give_numbers": arrays.give_numbers,
            "give_structures": arrays.give_structures,
            "give_bytes": arrays.give_bytes,
            "give_text": arrays.give_text,
            "function": function,
            "failed": failed,
            "refused": refused,
            "ZeError": ZeError,
            "old": int(ze_structure_type_t.ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2),
        },
    )
    parameters = {parameter.name: parameter for parameter in signature.parameters}
    taken = inspect.signature(function).parameters
    hints = typing.get_type_hints(function)
    arguments = [
        _input(parameters[name], hints[name], declared, source)
        for name, declared in taken.items()
        if name in parameters
    ]
    if hints.get("return") is typing.NoReturn:  # it refuses whatever it gets
        source.add(f"function({', '.join(arguments)})")
        source.add("return 0")
        return source.compiled(signature)
    _answer(signature, arguments, "pNext" in taken and "pNext" not in parameters, [*taken], source)
    return source.compiled(signature)


def _input(parameter: CParameter, hint: object, declared: inspect.Parameter, source: _Source) -> str:
    """Returns the expression of an argument of the function."""
    name, type, count = parameter.name, parameter.type, parameter.count
    if is_handle(type):
        return f"H[{name}]"
    if hint is str or hint == str | None:
        return f"read_text({name})"
    if not type.endswith("*"):
        layout = layouts().get(pointee(type))
        if layout is None:
            return f"read_float({name})" if code_of(type) == "d" else name
        return f"read_bytes({name}, {layout.size})" if hint is bytes else f"{_reader(layout.name, source)}({name})"
    if hint == Operand:
        return name
    if count.startswith("*"):
        count = f"read_number({count.removeprefix('*')})"
    if is_handle(pointee(type)):
        nothing = "()" if declared.default == () else "None"
        return f"handles_at({name}, {count}) if {name} or {count} else {nothing}"
    if count and hint is bytes:
        return f"read_bytes({name}, {count}) if {name} else None"
    if count and pointee(type) in layouts():
        return f"structures_at({name}, {count}, {pointee(type)!r})"
    if count:
        return f"read_numbers({name}, {count}, {code_of(pointee(type))!r})"
    if class_of(pointee(type)) is not None:
        return f"{_reader(pointee(type), source)}({name}) if {name} else None"
    return name


def _reader(structure: str, source: _Source) -> str:
    source.names[f"read_{structure}"] = reader(structure)
    return f"read_{structure}"


def _answer(signature: CFunction, arguments: list[str], is_extended: bool, taken: list[str], source: _Source) -> None:
    """Writes the call and what is done with its result."""
    counts = {parameter.count.removeprefix("*") for parameter in signature.parameters if parameter.is_output}
    written = [
        parameter
        for parameter in signature.parameters
        if parameter.is_output and parameter.name not in taken and parameter.name not in counts
    ]
    call = f"function({', '.join(arguments)})"
    if signature.result != "ze_result_t":
        source.add(f"return {f'handle_of({call})' if is_handle(signature.result) else call}")
        return
    for parameter in signature.parameters:
        if parameter.is_output and parameter.name not in taken and not parameter.is_optional:
            source.add(f"if not {parameter.name}: return {_NULL_POINTER}")
    if not written:
        source.add(f"found = {call}")
        source.add("return 0 if found is None else int(found)")
        return
    if written[0].count and pointee(written[0].type) == "uint8_t":
        size = next(each for each in signature.parameters if f"*{each.name}" == written[0].count)
        source.add(f"give_bytes({size.name}, {written[0].name}, {call}, {code_of(pointee(size.type))!r})")
    elif written[0].count:
        _array(written[0], call, arguments, is_extended, source)
    elif len(written) == 2 and pointee(written[1].type) in ("char", "uint8_t"):
        give = "give_text" if pointee(written[1].type) == "char" else "give_bytes"
        source.add(f"{give}({written[0].name}, {written[1].name}, {call}, {code_of(pointee(written[0].type))!r})")
    elif len(written) > 1:
        source.add(f"found = {call}")
        for index, parameter in enumerate(written):
            _one(parameter, f"found[{index}]", source)
    else:
        if signature.name in LASTING:
            _kept(written[0], signature.parameters[0], "stype" in taken, source)
        if is_extended:
            _extended(written[0], arguments, taken, source)
        else:
            source.add(f"found = {call}")
            _one(written[0], "found", source)
        if signature.name in LASTING:
            source.add("if is_plain: kept[place] = bytes(view[begin:end])")
    source.add("return 0")


def _kept(parameter: CParameter, handle: CParameter, has_types: bool, source: _Source) -> None:
    """Answers with the bytes of an earlier answer about the same object, if no extensions are asked for."""
    name, size = parameter.name, layouts()[pointee(parameter.type)].size
    source.names["kept"] = KEPT.setdefault(source.name, {})
    source.names["unpack_header"] = Struct("<I4xQ").unpack_from
    source.add(f"stype, link = unpack_header(view, {name})")
    source.add(f"place, begin, end = {handle.name}, {name} + 16, {name} + {size}")
    source.add(f"is_plain = not link{' and stype != old' if has_types else ''}")
    source.add("if is_plain and place in kept:")
    source.add("    view[begin:end] = kept[place]")
    source.add("    return 0")


def _array(parameter: CParameter, call: str, arguments: list[str], is_extended: bool, source: _Source) -> None:
    """Writes an array of handles or structures, each with its extensions."""
    name, element, count = parameter.name, pointee(parameter.type), parameter.count.removeprefix("*")
    if is_handle(element):
        source.add(f"give_handles({count}, {name}, {call})")
        return
    if element not in layouts():
        source.add(f"give_numbers({count}, {name}, {call}, {code_of(element)!r})")
        return
    size = layouts()[element].size
    source.add(f"found = {call}")
    source.add(f"give_structures({count}, {name}, found, {element!r}, {size})")
    if is_extended:
        source.names["unpack_count"] = Struct("<I").unpack_from
        source.names["writer"] = writer
        source.add(f"if {name}:")
        source.add(f"    for index in range(min(unpack_count(view, {count})[0], len(found))):")
        source.add(f"        chain = [*links({name} + index * {size}, {api_of(element)!r})]")
        source.add("        if chain:")
        source.add(f"            answers = function({', '.join(arguments)}, pNext=[kind for _, kind in chain])")
        source.add("            extensions = {type(value): value for value in answers[index].pNext}")
        source.add("            for place, kind in chain:")
        source.add("                if kind in extensions: writer(kind.__name__)(place, extensions[kind])")


def _extended(parameter: CParameter, arguments: list[str], taken: list[str], source: _Source) -> None:
    """Writes a structure and the extensions that the caller has chained to it."""
    name = parameter.name
    source.names["writer"] = writer
    source.names["unpack_link"] = Struct("<Q").unpack_from
    api = api_of(pointee(parameter.type))
    source.add(f"chain = [*links({name}, {api!r})] if unpack_link(view, {name} + 8)[0] else ()")
    if "stype" in taken:
        source.names["unpack_type"] = Struct("<I").unpack_from
        arguments = [*arguments, f"**({{'stype': old}} if unpack_type(view, {name})[0] == old else {{}})"]
    source.add(f"found = function({', '.join(arguments)}, pNext=[kind for _, kind in chain])")
    _one(parameter, "found", source)
    source.add("extensions = {type(value): value for value in found.pNext} if chain else {}")
    source.add("for place, kind in chain:")
    source.add("    if kind in extensions: writer(kind.__name__)(place, extensions[kind])")


def _one(parameter: CParameter, value: str, source: _Source) -> None:
    """Writes one value through an output parameter."""
    name, type = parameter.name, pointee(parameter.type)
    condition = f"if {name}: " if parameter.is_optional else ""
    if is_handle(type):
        source.names["pack_Q"] = Struct("<Q").pack_into
        source.add(f"{condition}pack_Q(view, {name}, handle_of({value}))")
    elif type.startswith("ze_ipc_"):
        source.names["write_bytes"] = write_bytes
        source.add(f"{condition}write_bytes({name}, {value})")
    elif type in layouts():
        source.names[f"write_{type}"] = writer(type)
        source.add(f"{condition}write_{type}({name}, {value})")
    else:
        code = code_of(type)
        source.names[f"pack_{code}"] = Struct(f"<{code}").pack_into
        source.add(f"{condition}pack_{code}(view, {name}, {value})")
