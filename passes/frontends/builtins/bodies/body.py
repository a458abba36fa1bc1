"""Writing bodies: an LLVM IR function that stands for a builtin."""

from __future__ import annotations

import struct
from collections.abc import Callable

from passes.frontends.builtins.mangling import Named, Pointer, Scalar, Type, Vector, mangle
from passes.frontends.builtins.table import Callee, Effect, resolve


class BodyError(Exception):
    """A builtin is declared with types for which it does not exist."""


class Body:
    """The body that is being written. Its values are texts, `%0` and following ones the parameters."""

    def __init__(self, symbol: str, callee: Callee, result: str) -> None:
        self.symbol = symbol
        self.callee = callee
        self.name = callee.builtin.name
        self.types = callee.arguments
        self.result = result
        self.arguments = [f"%a{place}" for place in range(len(self.types))]
        self.lines: list[str] = []
        self.declared: dict[str, str] = {}
        """The declarations of functions that the body calls, by symbol."""
        self.variables: dict[str, str] = {}
        """The definitions of variables that the body needs, by name."""

    # Types.

    @property
    def type(self) -> str:
        """Returns the type of the first argument."""
        return llvm(self.types[0])

    @property
    def scalar(self) -> Scalar:
        """Returns the scalar of the first argument."""
        return scalar_of(self.types[0], self.symbol)

    @property
    def count(self) -> int:
        """Returns the number of components of the first argument, or 1."""
        return count_of(self.types[0])

    @property
    def floats(self) -> bool:
        """Says whether the first argument holds floating-point numbers."""
        return self.scalar.code in ("f", "d", "Dh")

    @property
    def width(self) -> int:
        """Returns the bits of a scalar of the first argument."""
        return width_of(self.scalar)

    def like(self, scalar: str) -> str:
        """Returns the type with as many components as the first argument and other scalars."""
        return f"<{self.count} x {scalar}>" if self.count > 1 else scalar

    def splat(self, scalar: str, text: str) -> str:
        """Returns a constant with as many components as the first argument."""
        return f"splat ({scalar} {text})" if self.count > 1 else text

    def constant(self, value: float | int) -> str:
        """Returns a constant of the first argument's type."""
        return self.splat(self.scalar.llvm, number(self.scalar, value))

    def whole(self, place: int) -> str:
        """Returns an argument with as many components as the first one, repeated if it is a scalar."""
        text = self.arguments[place]
        if count_of(self.types[place]) == self.count:
            return text
        scalar = llvm(self.types[place])
        first = self.op(f"insertelement {self.like(scalar)} poison, {scalar} {text}, i32 0")
        row = self.like(scalar)
        return self.op(f"shufflevector {row} {first}, {row} poison, <{self.count} x i32> zeroinitializer")

    # Lines.

    def op(self, text: str) -> str:
        """Adds a computation. Returns its name."""
        name = f"%t{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        """Adds an instruction without a result."""
        self.lines.append(f"  {text}")

    def intrinsic(self, name: str, kind: str, *arguments: str, flag: bool | None = None) -> str:
        """Calls an intrinsic whose arguments and result have one type, and which may take a flag behind them."""
        texts = [f"{kind} {argument}" for argument in arguments]
        types = [kind] * len(arguments)
        if flag is not None:
            texts.append(f"i1 {'true' if flag else 'false'}")
            types.append("i1")
        symbol = f"llvm.{name}.{overload(kind)}"
        self.declared[symbol] = f"declare {kind} @{symbol}({', '.join(types)})"
        return self.op(f"call {kind} @{symbol}({', '.join(texts)})")

    def call(self, name: str, result: str, types: tuple[Type, ...], *arguments: str) -> str:
        """Calls another builtin."""
        symbol = mangle(name, types)
        found = resolve(symbol)
        effect = (found.builtin.effect if found else Effect.CONVERGENT_MEMORY).value
        self.declared[symbol] = f"declare spir_func {result} @{symbol}({', '.join(map(llvm, types))}) {effect}"
        texts = ", ".join(f"{llvm(kind)} {text}" for kind, text in zip(types, arguments, strict=True))
        call = f"call spir_func {result} @{symbol}({texts})"
        if result == "void":
            self.do(call)
            return ""
        return self.op(call)

    def give(self, text: str, kind: str | None = None) -> None:
        """Returns a value from the body, of the first argument's type unless another one is given."""
        kind = kind or self.type
        if kind != self.result:
            raise BodyError(f"{self.symbol} returns {kind}, and it is declared with {self.result}")
        self.do(f"ret {kind} {text}")

    def end(self) -> None:
        """Returns nothing from the body."""
        if self.result != "void":
            raise BodyError(f"{self.symbol} returns nothing, and it is declared with {self.result}")
        self.do("ret void")

    def refuse(self) -> BodyError:
        """Returns the error that the builtin does not exist for these types."""
        return BodyError(f"{self.symbol}: {self.name} does not exist for arguments of these types")

    def text(self) -> str:
        """Returns the function."""
        parameters = ", ".join(f"{llvm(kind)} {name}" for kind, name in zip(self.types, self.arguments, strict=True))
        head = (
            f"define internal spir_func {self.result} @{self.symbol}({parameters}) alwaysinline convergent nounwind {{"
        )
        return "\n".join([head, *self.lines, "}"])


Writer = Callable[[Body], None]

WRITERS: dict[str, Writer] = {}
"""The writers of the bodies, by the names of the builtins."""

SCALAR_WRITERS: dict[tuple[str, str], Writer] = {}
"""The writers of the bodies of scalar forms, by the names of the builtins and the codes of their types."""


def writes(*names: str) -> Callable[[Writer], Writer]:
    """Enters a function as the writer of builtins' bodies."""

    def enter(function: Writer) -> Writer:
        WRITERS.update(dict.fromkeys(names, function))
        return function

    return enter


def writes_scalar(*names: str, codes: tuple[str, ...] = ("Dh", "f", "d")) -> Callable[[Writer], Writer]:
    """Enters a function as the writer of the scalar forms of builtins, for floats of some types."""

    def enter(function: Writer) -> Writer:
        SCALAR_WRITERS.update({(name, code): function for name in names for code in codes})
        return function

    return enter


def llvm(kind: Type) -> str:
    """Returns a type in LLVM IR.

    Raises:
        BodyError: Its name does not tell it.
    """
    text = kind.llvm
    if text is None:
        raise BodyError(f"no body takes a {kind.name}" if isinstance(kind, Named) else "no body takes such a type")
    return text


def scalar_of(kind: Type, symbol: str) -> Scalar:
    """Returns the scalar of a scalar or vector type."""
    scalar = kind.element if isinstance(kind, Vector) else kind
    if not isinstance(scalar, Scalar) or scalar.code in ("v", "z"):
        raise BodyError(f"{symbol}: an argument is neither a number nor a vector")
    return scalar


def count_of(kind: Type) -> int:
    """Returns the number of components of a vector, or 1."""
    return kind.count if isinstance(kind, Vector) else 1


def width_of(scalar: Scalar) -> int:
    """Returns the bits of a scalar."""
    return {"half": 16, "float": 32, "double": 64}.get(scalar.llvm) or int(scalar.llvm[1:])


def pointer_of(kind: Type, symbol: str) -> Pointer:
    """Returns a type that must be a pointer."""
    if not isinstance(kind, Pointer):
        raise BodyError(f"{symbol}: an argument is not a pointer")
    return kind


def number(scalar: Scalar, value: float | int) -> str:
    """Returns a number as LLVM IR writes it: floats by the bits of the nearest number of the type."""
    if isinstance(value, int) and scalar.llvm[0] == "i":
        return str(value)
    if scalar.code == "Dh":
        return f"0xH{struct.unpack('<H', struct.pack('<e', value))[0]:04X}"
    if scalar.code == "f":
        (value,) = struct.unpack("<f", struct.pack("<f", value))
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def overload(kind: str) -> str:
    """Returns a type as it stands in the names of intrinsics."""
    count, _, scalar = kind.strip("<>").rpartition(" x ")
    scalar = {"half": "f16", "float": "f32", "double": "f64"}.get(scalar, scalar)
    return f"v{count}{scalar}" if count else scalar
