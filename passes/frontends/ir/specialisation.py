"""Specialises a kernel in LLVM IR: values that its launches fix become constants, which LLVM folds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from passes.frontends.builtins import DIMENSIONAL, Scalar, mangle
from passes.frontends.optimisation import STEPS, IrError, run_passes
from passes.frontends.parameters import kernel_texts, replaced, with_entry

Dim3 = tuple[int, int, int]


@dataclass(frozen=True)
class LaunchConstants:
    """Holds what all launches of a specialised kernel have in common.

    Attributes:
        local_size: The work-items of a work-group in each dimension.
        global_offset: The first global id in each dimension.
        global_size: The work-items in each dimension; None if it is not known.
        dimensions: The number of dimensions, 1 to 3; None if it is not known.

    """

    local_size: Dim3
    global_offset: Dim3 = (0, 0, 0)
    global_size: Dim3 | None = None
    dimensions: int | None = None

    @property
    def group_count(self) -> Dim3 | None:
        """The number of work-groups in each dimension."""
        if self.global_size is None:
            return None
        x, y, z = (size // part for size, part in zip(self.global_size, self.local_size, strict=True))
        return x, y, z


_PREFIX = "__spirv_BuiltIn"
_NUMBER = (Scalar("i"),)
_IDS = ("WorkgroupId", "LocalInvocationId")
_STEPS = (*STEPS[:-1], "dse", "globaldce")


def specialise(text: str, kernel: str, launch: LaunchConstants, arguments: Mapping[int, bytes]) -> str:
    """Returns an optimised module in which a kernel is made for one launch.

    Args:
        text: The module, as `optimise` leaves it.
        kernel: The name of the kernel. Others of the module become made for the same sizes.
        launch: The sizes.
        arguments: The bytes of arguments, by their positions. The kernel still takes them, and does not read them.

    Raises:
        IrError: There is no such kernel, or an argument does not have the bytes of a parameter.
    """
    folded = _with_arguments(text, kernel, arguments)
    return run_passes(_with_sizes(folded, launch), _STEPS)


# Sizes and offsets


def _with_sizes(text: str, launch: LaunchConstants) -> str:
    """Returns a module that defines the functions of sizes and offsets."""
    known = dict(_functions(launch))
    declared = {symbol for symbol in known if f"@{symbol}(" in text}
    if not declared:
        return text
    kept = re.sub(
        r"^declare [^@\n]*@([\w.]+)\([^\n]*\n", lambda found: "" if found[1] in known else found[0], text, flags=re.M
    )
    added = [known[symbol] for symbol in known]
    missing = [
        f"declare spir_func i64 @{symbol}(i32) memory(none)"
        for symbol in map(_own, _IDS)
        if not re.search(rf"^declare [^@\n]*@{symbol}\(", kept, re.M)
    ]
    return "\n".join([kept, *missing, *added, ""])


def _own(name: str) -> str:
    """Returns the symbol of a function that a dimension is asked for."""
    return mangle(f"{_PREFIX}{name}", _NUMBER)


def depends_on_grid(text: str) -> bool:
    """Says whether a module asks for sizes that differ between launches of the same work-groups."""
    return any(f"@{symbol}(" in text for symbol in (*map(_own, _OF_GRID), *_WHOLE.values()))


_OF_GRID = ("GlobalSize", "NumWorkgroups", "GlobalOffset")
_WHOLE = {name: mangle(f"{_PREFIX}{name}", ()) for name in ("GlobalLinearId", "WorkDim")}
_LOCAL_INDEX = mangle(f"{_PREFIX}LocalInvocationIndex", ())


def _functions(launch: LaunchConstants) -> Iterator[tuple[str, str]]:
    """Yields the symbols and the definitions of functions that a launch makes constant, or nearly so."""
    local, offset = launch.local_size, launch.global_offset
    for name, values in (
        ("WorkgroupSize", local),
        ("EnqueuedWorkgroupSize", local),
        ("GlobalOffset", offset),
        ("GlobalSize", launch.global_size),
        ("NumWorkgroups", launch.group_count),
    ):
        if values is not None:
            yield _own(name), _chosen(name, [str(value) for value in values], [])
    ids = [line for d in range(3) for line in _place(launch, d, offset[d])]
    yield _own("GlobalInvocationId"), _chosen("GlobalInvocationId", [f"%id{d}" for d in range(3)], ids)
    yield _LOCAL_INDEX, _linear(_LOCAL_INDEX, [line for d in range(3) for line in _local(launch, d)], "%l", local)
    if launch.global_size is not None:
        symbol = _WHOLE["GlobalLinearId"]
        places = [line for d in range(3) for line in _place(launch, d, 0)]
        yield symbol, _linear(symbol, places, "%id", launch.global_size)
    if launch.dimensions is not None:
        symbol = _WHOLE["WorkDim"]
        yield symbol, _defined(symbol, "i32", "", [f"ret i32 {launch.dimensions}"])


def _local(launch: LaunchConstants, dimension: int) -> Iterator[str]:
    """Yields the local id `%l<dimension>`."""
    if launch.local_size[dimension] == 1:
        yield f"%l{dimension} = add i64 0, 0"
    else:
        yield f"%l{dimension} = call spir_func i64 @{_own('LocalInvocationId')}(i32 {dimension})"


def _place(launch: LaunchConstants, dimension: int, offset: int) -> Iterator[str]:
    """Yields the global id `%id<dimension>` behind an offset."""
    yield from _local(launch, dimension)
    if launch.group_count is not None and launch.group_count[dimension] == 1:
        yield f"%g{dimension} = add i64 0, 0"
    else:
        yield f"%g{dimension} = call spir_func i64 @{_own('WorkgroupId')}(i32 {dimension})"
    yield f"%start{dimension} = mul nuw nsw i64 %g{dimension}, {launch.local_size[dimension]}"
    yield f"%sum{dimension} = add nuw nsw i64 %start{dimension}, %l{dimension}"
    yield f"%id{dimension} = add i64 %sum{dimension}, {offset}"


def _chosen(name: str, values: list[str], lines: list[str]) -> str:
    """Returns a function that gives the value of a dimension."""
    beyond = DIMENSIONAL[name]
    chosen = [
        "%is2 = icmp eq i32 %d, 2",
        f"%v2 = select i1 %is2, i64 {values[2]}, i64 {beyond}",
        "%is1 = icmp eq i32 %d, 1",
        f"%v1 = select i1 %is1, i64 {values[1]}, i64 %v2",
        "%is0 = icmp eq i32 %d, 0",
        f"%v0 = select i1 %is0, i64 {values[0]}, i64 %v1",
        "ret i64 %v0",
    ]
    return _defined(_own(name), "i64", "i32 %d", [*lines, *chosen])


def _linear(symbol: str, lines: list[str], id: str, sizes: Dim3) -> str:
    """Returns a function that gives a place in all dimensions as one number."""
    counted = [
        f"%z = mul i64 {id}2, {sizes[1]}",
        f"%yz = add i64 %z, {id}1",
        f"%rows = mul i64 %yz, {sizes[0]}",
        f"%all = add i64 %rows, {id}0",
        "ret i64 %all",
    ]
    return _defined(symbol, "i64", "", [*lines, *counted])


def _defined(symbol: str, result: str, parameters: str, lines: list[str]) -> str:
    body = "".join(f"  {line}\n" for line in lines)
    return f"define internal spir_func {result} @{symbol}({parameters}) alwaysinline {{\n{body}}}"


# Arguments


def _with_arguments(text: str, kernel: str, arguments: Mapping[int, bytes]) -> str:
    """Returns a module in which constants stand where a kernel reads some of its arguments."""
    name = f"@{kernel}" if re.fullmatch(r"[\w.$-]+", kernel) else f'@"{kernel}"'
    found = next((each for each in kernel_texts(text) if each.name == name), None)
    if found is None:
        raise IrError(f"there is no kernel '{kernel}'")
    body, first = _NULL.sub("null", text[found.body_start : found.body_end]), list[str]()
    for position, data in arguments.items():
        if position >= len(found.parameters):
            raise IrError(f"kernel '{kernel}' has {len(found.parameters)} arguments, and none with number {position}")
        parameter = found.parameters[position]
        if parameter.by_value is not None:
            constant = f'%"folded {position}"'
            first += _stored(constant, position, data)
        elif parameter.type[0] in "%{[" or parameter.type.startswith("<{"):
            constant, place = f'%"folded {position}"', f'%"folded place {position}"'
            first += [*_stored(place, position, data), f"{constant} = load {parameter.type}, ptr {place}, align 1"]
        else:
            constant = _constant(parameter.type, data)
        body = replaced(body, parameter.name, constant)
    return text[: found.body_start] + with_entry(body, first) + text[found.body_end :]


_NULL = re.compile(r"addrspacecast \(ptr(?: addrspace\(\d+\))? null to ptr(?: addrspace\(\d+\))?\)")
"""The null of one memory as that of another, which LLVM leaves to targets: here, it is 0 in all of them."""


_FLOATS: Mapping[str, type[np.floating]] = {"half": np.float16, "float": np.float32, "double": np.float64}


def _constant(kind: str, data: bytes) -> str:
    """Returns a constant of a type as LLVM spells it; a pointer can only be null."""
    vector = re.fullmatch(r"<(\d+) x (\S+)>", kind)
    if vector is not None:
        count, element = int(vector[1]), vector[2]
        size = _size(element)
        if len(data) not in (count * size, (count + (count == 3)) * size):
            raise IrError(f"an argument of type {kind} has {count * size} bytes, got {len(data)}")
        parts = (f"{element} {_constant(element, data[size * i :][:size])}" for i in range(count))
        return f"<{', '.join(parts)}>"
    if kind == "ptr":
        if any(data):
            raise IrError("an address is known to launches only")
        return "null"
    size = _size(kind)
    if len(data) != size:
        raise IrError(f"an argument of type {kind} has {size} bytes, got {len(data)}")
    if kind == "half":
        return f"0xH{int.from_bytes(data, 'little'):04X}"
    if kind in _FLOATS:
        with np.errstate(invalid="ignore"):  # of signaling NaNs
            value = np.float64(np.frombuffer(data, _FLOATS[kind])[0])
        return f"0x{int(value.view(np.uint64)):016X}"
    return str(int.from_bytes(data, "little"))


def _size(kind: str) -> int:
    if kind in _FLOATS:
        return np.dtype(_FLOATS[kind]).itemsize
    integer = re.fullmatch(r"i(\d+)", kind)
    if integer is None:
        raise IrError(f"an argument of type {kind} is no constant")
    return int(integer[1]) // 8


def _stored(copy: str, position: int, data: bytes) -> Iterator[str]:
    """Yields instructions that copy a structure to private memory."""
    yield f"{copy} = alloca [{len(data)} x i8], align 16"
    offset = 0
    while offset < len(data):
        size = next(size for size in (8, 4, 2, 1) if offset + size <= len(data))
        value = int.from_bytes(data[offset : offset + size], "little")
        place = f'%"folded {position} {offset}"'
        yield f"{place} = getelementptr i8, ptr {copy}, i64 {offset}"
        yield f"store i{8 * size} {value}, ptr {place}, align {size}"
        offset += size
