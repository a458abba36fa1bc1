"""The table of ComputeMux's builtins: names, signatures, and what they do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from passes.frontends.builtins.bodies.body import overload

SIZE = "i64"
"""The type that the specification calls `size_t`: pointers have 64 bits."""
EVENT = 'target("spirv.Event")'
"""The type of events unless a module chooses another one."""
LOCAL, GLOBAL = "ptr addrspace(3)", "ptr addrspace(1)"
INTEGERS = ("i8", "i16", "i32", "i64")
FLOATS = ("half", "float", "double")
VALUES = ("i1", *INTEGERS, *FLOATS)
VECTOR_LENGTHS = (2, 3, 4, 8, 16)
"""The lengths of the vectors that the table lists; vec-groups take others, too."""


class BuiltinKind(Enum):
    """The chapters of builtins."""

    DEVICE = "a fact about the device"
    QUERY = "a place or a size of the launch"
    DMA = "a copy between memories"
    BARRIER = "an order of memory or of execution"
    GROUP = "what a group computes together"
    SHUFFLE = "an exchange of values in a sub-group"


@dataclass(frozen=True)
class MuxBuiltin:
    """A builtin.

    Attributes:
        name: Its symbol.
        result: The type of its result in LLVM IR.
        parameters: Those of its parameters.
        kind: The chapter to which it belongs.
        base: The name without scope, form and type: an operation of groups, or the name itself.
        scope: The group that an operation works in: `sub`, `work` or `vec`.
        form: What a group does with an operation: `reduce`, `scan_inclusive` or `scan_exclusive`.

    """

    name: str
    result: str
    parameters: tuple[str, ...]
    kind: BuiltinKind
    base: str
    scope: str = ""
    form: str = ""

    @property
    def signature(self) -> str:
        """The type of the function in LLVM IR."""
        return f"{self.result} ({', '.join(self.parameters)})"

    @property
    def declaration(self) -> str:
        """The declaration in LLVM IR."""
        return f"declare {self.result} @{self.name}({', '.join(self.parameters)})"


PREFIX = "__mux_"
_FIXED: Mapping[BuiltinKind, Mapping[str, str]] = {
    BuiltinKind.DEVICE: {
        "isftz": "i1 ()",
        "usefast": "i1 ()",
        "isembeddedprofile": "i1 ()",
    },
    BuiltinKind.QUERY: {
        "get_global_size": "size (i32)",
        "get_global_id": "size (i32)",
        "get_global_offset": "size (i32)",
        "get_local_size": "size (i32)",
        "get_local_id": "size (i32)",
        "get_num_groups": "size (i32)",
        "get_group_id": "size (i32)",
        "get_enqueued_local_size": "size (i32)",
        "get_global_linear_id": "size ()",
        "get_local_linear_id": "size ()",
        "get_work_dim": "i32 ()",
        "get_sub_group_id": "i32 ()",
        "get_num_sub_groups": "i32 ()",
        "get_max_sub_group_size": "i32 ()",
        "get_sub_group_size": "i32 ()",
        "get_sub_group_local_id": "i32 ()",
    },
    BuiltinKind.DMA: {
        "dma_read_1D": "event (local, global, size, event)",
        "dma_read_2D": "event (local, global, size, size, size, size, event)",
        "dma_read_3D": "event (local, global, size, size, size, size, size, size, size, event)",
        "dma_write_1D": "event (global, local, size, event)",
        "dma_write_2D": "event (global, local, size, size, size, size, event)",
        "dma_write_3D": "event (global, local, size, size, size, size, size, size, size, event)",
        "dma_wait": "void (i32, ptr)",
    },
    BuiltinKind.BARRIER: {
        "mem_barrier": "void (i32, i32)",
        "work_group_barrier": "void (i32, i32, i32)",
        "sub_group_barrier": "void (i32, i32, i32)",
    },
}
"""The builtins without a type in their names."""
_WORDS = {"size": SIZE, "event": EVENT, "local": LOCAL, "global": GLOBAL}

INTEGER_OPERATIONS = ("add", "mul", "smin", "smax", "umin", "umax")
BITWISE_OPERATIONS = ("and", "or", "xor")
LOGICAL_OPERATIONS = ("logical_and", "logical_or", "logical_xor")
FLOAT_OPERATIONS = ("fadd", "fmul", "fmin", "fmax")
FORMS = ("reduce", "scan_inclusive", "scan_exclusive")
SCOPES = ("sub", "work", "vec")
_OPERAND_TYPES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(INTEGER_OPERATIONS, INTEGERS),
    **dict.fromkeys((*BITWISE_OPERATIONS, *LOGICAL_OPERATIONS), ("i1", *INTEGERS)),
    **dict.fromkeys(FLOAT_OPERATIONS, FLOATS),
}
"""The types of the values that operations combine."""
_SHUFFLES: Mapping[str, tuple[int, int]] = {
    "shuffle": (1, 1),
    "shuffle_xor": (1, 1),
    "shuffle_up": (2, 1),
    "shuffle_down": (2, 1),
}
"""The number of values that shuffles take, and of integers of 32 bits behind them."""


def _group(scope: str, base: str, type: str, form: str = "") -> MuxBuiltin:
    """Returns an operation of a group on values of a type."""
    identifier = ("i32",) if scope == "work" else ()
    place = {"work": (SIZE, SIZE, SIZE), "sub": ("i32",), "vec": ("i32",)}[scope] if base == "broadcast" else ()
    scan = form.startswith("scan")
    result = type if scan else element_of(type)
    words = "_".join(filter(None, (scope, "group", form, base, overload(type))))
    return MuxBuiltin(f"{PREFIX}{words}", result, (*identifier, type, *place), BuiltinKind.GROUP, base, scope, form)


def element_of(type: str) -> str:
    """Returns the type of a vector's components, or a scalar type itself."""
    return type.strip("<>").rpartition(" x ")[2]


def length_of(type: str) -> int:
    """Returns the number of a vector's components, or 1."""
    return int(type.strip("<>").partition(" x ")[0]) if type[0] == "<" else 1


def _types_of_groups(scope: str, scalars: tuple[str, ...]) -> Iterator[str]:
    yield from scalars
    if scope == "vec":
        yield from (f"<{length} x {scalar}>" for length in VECTOR_LENGTHS for scalar in scalars)


def _rows() -> Iterator[MuxBuiltin]:
    for kind, builtins in _FIXED.items():
        for base, signature in builtins.items():
            result, _, inner = signature.rstrip(")").partition(" (")
            parameters = tuple(_WORDS.get(word, word) for word in filter(None, inner.split(", ")))
            yield MuxBuiltin(f"{PREFIX}{base}", _WORDS.get(result, result), parameters, kind, base)
    for scope in SCOPES:
        for base in ("any", "all"):
            yield from (_group(scope, base, type) for type in _types_of_groups(scope, ("i1",)))
        yield from (_group(scope, "broadcast", type) for type in _types_of_groups(scope, VALUES))
        for form in FORMS:
            for base, scalars in _OPERAND_TYPES.items():
                yield from (_group(scope, base, type, form) for type in _types_of_groups(scope, scalars))
    for base, (values, numbers) in _SHUFFLES.items():
        for type in VALUES:
            name = f"{PREFIX}sub_group_{base}_{overload(type)}"
            yield MuxBuiltin(name, type, (type,) * values + ("i32",) * numbers, BuiltinKind.SHUFFLE, base, "sub")


BUILTINS: Mapping[str, MuxBuiltin] = {row.name: row for row in _rows()}
"""The builtins by their names."""

_VECTOR = re.compile(r"(?P<base>.+_)v(?P<length>[1-9]\d{0,3})(?P<scalar>[if]\d+)")


def find(name: str) -> MuxBuiltin | None:
    """Returns a builtin; vec-groups have one for each length of vectors. None for a name that is no builtin's."""
    if name in BUILTINS:
        return BUILTINS[name]
    found = _VECTOR.fullmatch(name)
    like = BUILTINS.get(f"{found['base']}{found['scalar']}") if found is not None else None
    if found is None or like is None or like.scope != "vec":
        return None
    return _group("vec", like.base, f"<{found['length']} x {element_of(like.parameters[0])}>", like.form)
