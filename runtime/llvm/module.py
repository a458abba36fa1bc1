"""LLVM IR as text: functions under construction, and the module that collects them.

Text is emitted rather than built through an object API because it is many times faster, and because it can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.llvm.cpu import Cpu
from runtime.llvm.function_body import FunctionBody
from runtime.llvm.values import (
    Value,
    constant,
    count_of,
    element_of,
    integer,
    literals,
    mangled,
    symbol_of,
    truth,
    vector,
    zero,
)

OPTNONE = "optnone noinline"
"""The attributes of functions that are not optimized."""

LARGE = 40_000
"""Functions of more lines are not optimized.

Time and memory of LLVM's passes grow with the square of a function's size; from here on that would take seconds.
"""


_FENCES = {"i32": "float", "float": "float", "i64": "double", "double": "double"}
"""By type of the elements that masked bitwise instructions have: the type that LLVM has a fence for."""


class IRFunction(FunctionBody):
    """A function under construction. Every method that computes something returns its value."""

    def __init__(
        self, module: IRModule, result: str, name: str, parameters: str, attributes: str, linkage: str = "internal "
    ):
        super().__init__(parameters)
        self.module = module
        self._result = result
        self._name = name
        self._parameters = parameters
        self._attributes = attributes
        self._linkage = linkage

    def text(self) -> str:
        """Returns the whole definition."""
        attributes = f"{OPTNONE} {self._attributes}" if len(self._lines) > LARGE else self._attributes
        convention = self.module.conventions.get(self._name, "")
        head = (
            f"define {self._linkage}{convention}{self._result} {self._name}({self._parameters}) {attributes} {{\nentry:"
        )
        return "\n".join((head, *self._variables, *self._lines, "}"))

    # Arithmetic.

    def binary(self, op: str, a: Value, b: Value) -> Value:
        return self.value(a.type, f"{op} {a}, {b.name}")

    def unary(self, op: str, a: Value) -> Value:
        return self.value(a.type, f"{op} {a}")

    def cast(self, op: str, a: Value, type: str) -> Value:
        return a if a.type == type else self.value(type, f"{op} {a} to {type}")

    def compare(self, op: str, a: Value, b: Value) -> Value:
        """Returns the result of a comparison, an i1 per lane; `op` is `icmp ult`, `fcmp oeq`, ..."""
        return self.value(truth(a.type), f"{op} {a}, {b.name}")

    def select(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """Returns `then` in the lanes where the condition holds, `otherwise` in the others."""
        if then.name.startswith("%"):
            then = self.apart(then)
        else:
            otherwise = self.apart(otherwise)
        return self.value(then.type, f"select {condition}, {then}, {otherwise}")

    def apart(self, a: Value) -> Value:
        """Returns one of two vectors that are merged: a fence, where the CPU needs one, keeps both from becoming the
        operands of one masked bitwise instruction.
        """
        element, count = element_of(a.type), count_of(a.type)
        if not self.module.cpu.confuses_masked_logic or count == 1 or element not in _FENCES or a.name[0] != "%":
            return a
        floats = vector(count, _FENCES[element])
        fenced = self.call(mangled("arithmetic.fence", floats), floats, self.cast("bitcast", a, floats))
        return self.cast("bitcast", fenced, a.type)

    def opaque(self, a: Value) -> Value:
        """Returns a value of which LLVM's analyses do not know that it is another one. It takes no instruction."""
        return self.value(a.type, f'call {a.type} asm "", "=r,0"({a})')

    def call(self, name: str, result: str, *arguments: Value) -> Value:
        """Calls an intrinsic (`llvm.…`), which is declared as needed, or a function of the module (`@…`)."""
        return self.value(result, self._call(name, result, arguments))

    def run(self, name: str, *arguments: Value) -> None:
        """Calls a function that returns nothing."""
        self.line(self._call(name, "void", arguments))

    def _call(self, name: str, result: str, arguments: Sequence[Value]) -> str:
        if not name.startswith("@"):
            name = self.module.intrinsic(name, result, [a.type for a in arguments])
        return f"call {self.module.conventions.get(name, '')}{result} {name}({', '.join(map(str, arguments))})"

    # Memory.

    def offset(self, pointer: Value, offset: int | Value) -> Value:
        """Returns the address `offset` bytes after `pointer`."""
        if isinstance(offset, int):
            if offset == 0:
                return pointer
            offset = integer(offset)
        return self.value("ptr", f"getelementptr i8, {pointer}, {offset}")

    def load(self, type: str, pointer: Value, alignment: int) -> Value:
        return self.value(type, f"load {type}, {pointer}, align {alignment}")

    def store(self, value: Value, pointer: Value, alignment: int) -> None:
        self.line(f"store {value}, {pointer}, align {alignment}")

    def clear(self, pointer: Value, size: int) -> None:
        """Zeros some bytes."""
        self.run("llvm.memset.p0.i64", pointer, constant("i8", 0), integer(size), constant("i1", "false"))

    def copy(self, target: Value, source: Value, size: int | Value) -> None:
        """Copies bytes between memory that does not overlap."""
        count = integer(size) if isinstance(size, int) else size
        self.run("llvm.memcpy.p0.p0.i64", target, source, count, constant("i1", "false"))

    # Vectors.

    def broadcast(self, a: Value, count: int) -> Value:
        """Returns the scalar `a` in every lane."""
        if count == 1:
            return a
        type = vector(count, a.type)
        first = self.value(type, f"insertelement {type} poison, {a}, i64 0")
        return self.value(type, f"shufflevector {first}, {type} poison, <{count} x i32> zeroinitializer")

    def extract(self, a: Value, index: int) -> Value:
        """Returns one element of a vector."""
        return self.value(element_of(a.type), f"extractelement {a}, i64 {index}")

    def shuffle(self, a: Value, b: Value | None, mask: Sequence[int | None]) -> Value:
        """Returns elements of `a` and then `b`, selected by number (None: any element); always a vector."""
        type = vector(len(mask), element_of(a.type))
        other = Value(a.type, "poison") if b is None else b
        picks = ", ".join("i32 poison" if m is None else f"i32 {m}" for m in mask)
        return self.value(type, f"shufflevector {a}, {other}, <{len(mask)} x i32> <{picks}>")

    def concatenate(self, a: Value, b: Value) -> Value:
        """Returns all elements of two vectors with the same element type, in order."""
        first, second = count_of(a.type), count_of(b.type)
        longest = max(first, second)
        a, b = self._padded(a, longest), self._padded(b, longest)
        return self.shuffle(a, b, [*range(first), *range(longest, longest + second)])

    def _padded(self, a: Value, count: int) -> Value:
        have = count_of(a.type)
        return a if have == count else self.shuffle(a, None, [*range(have), *[None] * (count - have)])

    def any(self, truths: Value) -> Value:
        """Returns whether any lane holds true."""
        count = count_of(truths.type)
        if count == 1:
            return truths
        bits = self.bits(truths)
        return self.compare("icmp ne", bits, constant(bits.type, 0))

    def bits(self, truths: Value) -> Value:
        """Returns booleans as the low bits of an integer of at least eight bits, the first lane's lowest."""
        count = count_of(truths.type)
        if count == 1:
            return self.cast("zext", truths, "i8")
        if count < 8:
            # A bitcast becomes MOVMSKPD or MOVMSKPS, which LLVM 22 also applies to registers 16 to 31. The instructions
            # cannot encode these, and read another register.
            weights = literals("i8", [str(1 << lane) for lane in range(count)])
            chosen = self.select(truths, weights, zero(weights.type))
            return self.call(mangled("vector.reduce.or", weights.type), "i8", chosen)
        return self.cast("bitcast", truths, f"i{count}")


class IRModule:
    """The functions, constants and declarations of one program; each is made when it is first asked for."""

    def __init__(self, cpu: Cpu):
        self.cpu = cpu
        self.conventions: dict[str, str] = {}
        self._declarations: dict[str, str] = {}
        self._definitions: dict[str, str] = {}

    def text(self) -> str:
        parts = [*self._definitions.values(), *self._declarations.values()]
        parts.append(f"attributes #0 = {{ {self.cpu.function_attributes} }}")
        parts.append('!0 = !{!"branch_weights", i32 1, i32 1048575}')
        parts.append("!1 = !{i32 1}\n")  # of stores that are not temporal
        return "\n".join(parts)

    def intrinsic(self, name: str, result: str, parameters: Sequence[str]) -> str:
        """Declares an LLVM intrinsic and returns it; the caller completes its name."""
        symbol = f"@{name}"
        if symbol not in self._declarations:
            self._declarations[symbol] = f"declare {result} {symbol}({', '.join(parameters)})"
        return symbol

    def function(
        self,
        name: str,
        result: str,
        parameters: str,
        build: Callable[[IRFunction], None],
        *,
        inline: bool = True,
        strict: bool = False,
        saves_registers: bool = True,
    ) -> str:
        """Returns the symbol of an internal function; `build` fills it the first time.

        A `strict` one may change the rounding mode; all its float operations are constrained intrinsics. One that does
        not save registers leaves it to the caller to save those that it needs, which is cheaper if these are few.
        """
        symbol = symbol_of(name)
        if symbol not in self._definitions:
            self._definitions[symbol] = ""  # keeps the place: functions that `build` needs come behind
            if not saves_registers and self.cpu.can_leave_registers:
                self.conventions[symbol] = "preserve_nonecc "
            function = IRFunction(
                self, result, symbol, parameters, f"{'' if inline else 'noinline '}{'strictfp ' if strict else ''}#0"
            )
            build(function)
            self._definitions[symbol] = function.text()
        return symbol

    def constant_data(self, name: str, words: Sequence[int]) -> Value:
        """Returns a constant array of i32."""
        symbol = symbol_of(name)
        data = ", ".join(f"i32 {word}" for word in words)
        self._definitions[symbol] = f"{symbol} = private constant [{len(words)} x i32] [{data}], align 64"
        return Value("ptr", symbol)

    def variable(self, name: str, type: str) -> Value:
        """Returns a variable of the module, initially zero, which can be found from outside."""
        symbol = symbol_of(name)
        self._definitions[symbol] = f"{symbol} = global {type} zeroinitializer, align 8"
        return Value("ptr", symbol)

    def export(self, name: str, result: str, parameters: str, build: Callable[[IRFunction], None]) -> None:
        """Defines a function that can be called from outside of the module."""
        symbol = symbol_of(name)
        function = IRFunction(self, result, symbol, parameters, "#0", linkage="")
        build(function)
        self._definitions[symbol] = function.text()
