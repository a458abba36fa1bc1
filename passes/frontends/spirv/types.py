"""Types of a module: their LLVM form, their layout in memory, and their letters in symbols of builtins."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from passes.frontends import builtins
from passes.frontends.spirv.grammar import value_of

LARGEST_SIZE = 1 << 40
"""The most bytes that a type may take."""

MOST_LEAVES = 1 << 16
"""The most scalars that a value may consist of: larger ones stay in memory."""

DEEPEST = 64
"""The deepest nesting of types."""

ADDRESS_SPACES = {
    "UniformConstant": 2,
    "Input": 0,
    "Workgroup": 3,
    "CrossWorkgroup": 1,
    "Private": 0,
    "Function": 0,
    "Generic": 4,
    "Image": 1,
    "DeviceOnlyALTERA": 1,
    "HostOnlyALTERA": 1,
    "CodeSectionINTEL": 4,
}

SPACE_OF = {value_of("StorageClass", name): space for name, space in ADDRESS_SPACES.items()}


@dataclass(frozen=True)
class Type:
    """A type. `leaves` counts its scalars, `depth` its nesting."""

    llvm: str
    size: int = 0
    alignment: int = 1
    leaves: int = 1
    depth: int = 1

    @property
    def scalar(self) -> Type:
        """Returns the type of the components of a vector, or the type itself."""
        return self

    @property
    def count(self) -> int:
        """Returns the number of components of a vector, or 1."""
        return 1


@dataclass(frozen=True)
class Void(Type):
    """No value."""


@dataclass(frozen=True)
class Bool(Type):
    """A truth value."""


@dataclass(frozen=True)
class Int(Type):
    """An integer."""

    width: int = 32


@dataclass(frozen=True)
class Float(Type):
    """A floating-point number."""

    width: int = 32


@dataclass(frozen=True)
class VectorType(Type):
    """A vector."""

    element: Type = field(kw_only=True)
    components: int = field(kw_only=True)

    @property
    def scalar(self) -> Type:
        return self.element

    @property
    def count(self) -> int:
        return self.components


class MatrixUse(Enum):
    """Names the parts that matrices take in products, with the numbers of the grammar."""

    A = 0
    B = 1
    ACCUMULATOR = 2


WORD_BITS = 32
"""The bits of a channel of the matrix engine."""

_CHANNELS = 8
"""The channels of a row of A, and of a column of B, in one product."""


@dataclass(frozen=True)
class Fragment:
    """Describes what a lane holds of a matrix: of each block, one behind the other, what a product takes.

    A block has all rows of the matrix. Those of A are as wide as a product is deep, and a lane holds neighbours in each
    row; those of other matrices have a column for each lane.
    """

    rows: int
    columns: int
    use: MatrixUse
    lanes: int
    bits: int

    @property
    def depth(self) -> int:
        """Returns the columns of A and the rows of B in one product."""
        return _CHANNELS * WORD_BITS // self.bits

    @property
    def block_columns(self) -> int:
        """Returns the columns of a block."""
        return self.depth if self.use is MatrixUse.A else self.lanes

    @property
    def neighbours(self) -> int:
        """Returns how many neighbours in a row of a block a lane holds."""
        return max(self.block_columns // self.lanes, 1)

    @property
    def rows_at_once(self) -> int:
        """Returns over how many rows the lanes spread with an element each."""
        return max(self.lanes // self.block_columns, 1)

    @property
    def word_bits(self) -> int:
        """Returns the bits of the numbers in which a lane hands a part to a product."""
        return WORD_BITS if self.use is MatrixUse.B else self.bits * self.neighbours

    @property
    def blocks(self) -> int:
        """Returns the number of blocks."""
        return self.columns // self.block_columns

    @property
    def block_size(self) -> int:
        """Returns how many elements of a block a lane holds: lanes beyond the last row hold elements of it, too."""
        return -(-self.rows // self.rows_at_once) * self.neighbours

    def place(self, index: int) -> tuple[int, int]:
        """Returns the row and the column of an element of the first lane."""
        block, inside = divmod(index, self.block_size)
        row, column = divmod(inside, self.neighbours)
        return row * self.rows_at_once, block * self.block_columns + column


@dataclass(frozen=True)
class MatrixType(VectorType):
    """A cooperative matrix: in a lane, a vector of the elements that it holds."""

    fragment: Fragment = field(kw_only=True)


@dataclass(frozen=True)
class Array(Type):
    """An array."""

    element: AnyType = field(kw_only=True)
    length: int = field(kw_only=True)


@dataclass(frozen=True)
class Struct(Type):
    """A structure, which LLVM knows by name. `body` is its definition."""

    members: tuple[AnyType, ...] = ()
    body: str = ""


@dataclass(eq=False)
class PointerType:
    """A pointer. What it points to is known later if the pointer was declared forward."""

    storage: int
    space: int
    pointee: Type | PointerType | FunctionType | None = None
    size: int = 8
    alignment: int = 8
    leaves: int = 1
    depth: int = 1

    @property
    def llvm(self) -> str:
        return f"ptr addrspace({self.space})" if self.space else "ptr"

    @property
    def scalar(self) -> PointerType:
        return self

    @property
    def count(self) -> int:
        return 1


@dataclass(frozen=True)
class Opaque(Type):
    """An image, a sampler, an event or the like. `name` stands in symbols; images tell how kernels access them."""

    name: str = ""
    access: int | None = None
    is_image: bool = False


@dataclass(frozen=True)
class FunctionType:
    """The type of a function."""

    result: AnyType
    parameters: tuple[AnyType, ...]
    llvm: str = "ptr"


AnyType = Type | PointerType

VOID = Void("void")
BOOL = Bool("i1", 1, 1)
INTS = {width: Int(f"i{width}", width // 8, width // 8, width=width) for width in (8, 16, 32, 64)}
FLOATS = {
    width: Float(name, width // 8, width // 8, width=width)
    for width, name in ((16, "half"), (32, "float"), (64, "double"))
}

BFLOAT = Float("bfloat", 2, 2, width=16)


def int_of(width: int) -> Int:
    """Returns an integer type; between the widths of OpenCL, it takes the room of the next one."""
    size = max(1 << (width - 1).bit_length(), 8) // 8
    return INTS.get(width) or Int(f"i{width}", size, size, width=width)


def vector_of(element: Type, components: int) -> VectorType:
    """Returns a vector type, whose size is the next power of two."""
    size = element.size * (1 << (components - 1).bit_length())
    text = f"<{components} x {element.llvm}>"
    return VectorType(text, size, size, components, 2, element=element, components=components)


def matrix_of(element: Type, fragment: Fragment) -> MatrixType:
    """Returns the type of a matrix of which lanes hold fragments."""
    count = fragment.blocks * fragment.block_size
    vector = vector_of(element, count)
    return MatrixType(
        vector.llvm,
        vector.size,
        vector.alignment,
        count,
        vector.depth,
        element=element,
        components=count,
        fragment=fragment,
    )


def array_of(element: AnyType, length: int) -> Array:
    """Returns an array type."""
    text = f"[{length} x {element.llvm}]"
    size, leaves, depth = element.size * length, element.leaves * length, element.depth + 1
    return Array(text, size, element.alignment, leaves, depth, element=element, length=length)


def struct_of(number: int, members: tuple[AnyType, ...], packed: bool) -> Struct:
    """Returns a structure type, which LLVM knows by the number of its id."""
    size = 0
    for member in members:
        alignment = 1 if packed else member.alignment
        size = -(-size // alignment) * alignment + member.size
    alignment = 1 if packed else max((member.alignment for member in members), default=1)
    body = ", ".join(member.llvm for member in members)
    return Struct(
        f"%t{number}",
        -(-size // alignment) * alignment,
        alignment,
        sum(member.leaves for member in members),
        max((member.depth for member in members), default=0) + 1,
        members=members,
        body=f"<{{ {body} }}>" if packed else f"{{ {body} }}",
    )


def offset_of(struct: Struct, index: int) -> int:
    """Returns the byte at which a member of a structure starts."""
    packed = struct.body.startswith("<")
    place = 0
    for number, member in enumerate(struct.members):
        alignment = 1 if packed else member.alignment
        place = -(-place // alignment) * alignment
        if number == index:
            break
        place += member.size
    return place


_LETTERS = {8: "c", 16: "s", 32: "i", 64: "l"}
_UNSIGNED = {8: "h", 16: "t", 32: "j", 64: "m"}
_FLOATS = {16: "Dh", 32: "f", 64: "d"}
_NAMES = {"c": "char", "s": "short", "i": "int", "l": "long", "Dh": "half", "f": "float", "d": "double", "b": "bool"}


def mangled(kind: AnyType, unsigned: bool = False) -> builtins.Type:
    """Returns a type as it stands in symbols. SPIR-V's integers have no sign: the instruction tells it."""
    match kind:
        case Bool():
            return builtins.Scalar("b")
        case Int():
            letters = _UNSIGNED if unsigned else _LETTERS
            return builtins.Scalar(letters.get(kind.width, f"DB{kind.width}_"))
        case Float():
            return builtins.Named(kind.llvm) if kind == BFLOAT else builtins.Scalar(_FLOATS[kind.width])
        case VectorType():
            element = mangled(kind.element, unsigned)
            return builtins.Vector(kind.components, element) if isinstance(element, builtins.Scalar) else element
        case PointerType():
            pointee = kind.pointee
            while isinstance(pointee, Array):  # clang 22 passes arrays for their first elements
                pointee = pointee.element
            simple = isinstance(pointee, Bool | Int | Float | VectorType)
            inner = mangled(pointee, unsigned) if simple and isinstance(pointee, Type) else builtins.Scalar("v")
            return builtins.Pointer(kind.space, inner)
        case Opaque():
            return builtins.Named(kind.name)
        case _:
            return builtins.Named(f"struct{kind.llvm.removeprefix('%')}" if isinstance(kind, Struct) else "aggregate")


def result_name(kind: AnyType) -> str:
    """Returns how a result type is written behind `_R` in the name of a builtin."""
    scalar = mangled(kind.scalar)
    name = _NAMES.get(scalar.code, "void") if isinstance(scalar, builtins.Scalar) else "pointer"
    return f"{name}{kind.count}" if kind.count > 1 else name
