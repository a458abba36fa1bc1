"""The body of a function under construction: instructions in basic blocks, and structured control flow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from runtime.llvm.values import Value


@dataclass(frozen=True, slots=True)
class IRBlock:
    """A basic block of a function; `str` gives it as the target of a branch."""

    label: str

    def __str__(self) -> str:
        return f"label %{self.label}"


class FunctionBody:
    """Instructions in blocks. Each is added to the block `current`, which is the last one that has begun."""

    def __init__(self, parameters: str):
        self.current = IRBlock("entry")
        self.has_ended = False
        self._variables: list[str] = []
        self._lines: list[str] = []
        self._values = 0
        words = parameters.replace(",", " ").split()
        self._names = dict.fromkeys((self.current.label, *(word[1:] for word in words if word.startswith("%"))), 1)

    # Instructions.

    def line(self, text: str) -> None:
        """Adds an instruction without a value."""
        self._lines.append("  " + text)

    def value(self, type: str, text: str) -> Value:
        """Returns the value of type `type` of an instruction."""
        self._values += 1
        name = f"%v{self._values}"
        self._lines.append(f"  {name} = {text}")
        return Value(type, name)

    def variable(self, type: str, hint: str, alignment: int) -> Value:
        """Returns memory for a value of `type` that lives as long as the function; LLVM turns it into SSA values."""
        name = f"%{self._new_name(hint)}"
        self._variables.append(f"  {name} = alloca {type}, align {alignment}")
        return Value("ptr", name)

    def phi(self, *sources: tuple[Value, IRBlock]) -> Value:
        """Returns the value that belongs to the block that control came from."""
        return self.value(sources[0][0].type, _phi(sources))

    def _new_name(self, hint: str) -> str:
        """Returns a name that no other block or variable has."""
        count = self._names[hint] = self._names.get(hint, 0) + 1
        return hint if count == 1 else f"{hint}-{count}"

    # Blocks.

    def block(self, hint: str) -> IRBlock:
        """Returns a new block, which begins somewhere else."""
        return IRBlock(self._new_name(hint))

    def begin(self, block: IRBlock) -> None:
        """Begins a block. The one before continues there unless it has ended."""
        if not self.has_ended:
            self.jump(block)
        self._lines.append(f"{block.label}:")
        self.current = block
        self.has_ended = False

    def jump(self, target: IRBlock) -> None:
        self._end(f"br {target}")

    def branch(self, condition: Value, then: IRBlock, otherwise: IRBlock, *, rare: bool = False) -> None:
        """Branches to `then` if `condition` holds; LLVM moves the `rare` side out of the way."""
        self._end(_branch(condition, then, otherwise, rare=rare))

    def jump_if(self, condition: Value, target: IRBlock, *, rare: bool = False) -> None:
        """Branches to `target` if `condition` holds, and continues in a new block."""
        following = self.block("next")
        self.branch(condition, target, following, rare=rare)
        self.begin(following)

    def jump_unless(self, condition: Value, target: IRBlock) -> None:
        """Branches to `target` unless `condition` holds, and continues in a new block."""
        following = self.block("next")
        self.branch(condition, following, target)
        self.begin(following)

    def switch(self, value: Value, default: IRBlock, cases: Iterable[tuple[int, IRBlock]]) -> None:
        """Branches to the block whose number `value` is, or to `default`."""
        listed = " ".join(f"{value.type} {number}, {block}" for number, block in cases)
        self._end(f"switch {value}, {default} [{listed}]")

    def give(self, value: Value | None = None) -> None:
        """Returns from the function."""
        self._end("ret void" if value is None else f"ret {value}")

    def _end(self, text: str) -> None:
        """Ends the current block with an instruction."""
        self.line(text)
        self.has_ended = True

    # Structured control flow. The code within a context may end elsewhere, by a branch to another block.

    @contextmanager
    def if_(self, condition: Value, *, rare: bool = False) -> Iterator[IRChoice]:
        """Emits the code within the context for the case that `condition` holds."""
        choice = IRChoice(self, condition, rare=rare)
        yield choice
        choice.end_then()

    @contextmanager
    def loop(self, *first: Value) -> Iterator[IRLoop]:
        """Emits the code within the context as the body of an endless loop, which it leaves by branches.

        An iteration has the `values` that the one before hands to it, the first one `first`.
        """
        loop = IRLoop(self, first)
        yield loop
        loop.end()

    @contextmanager
    def counted(self, count: Value) -> Iterator[Value]:
        """Emits the code within the context for each number below `count`, which is positive."""
        with self.loop(Value(count.type, "0")) as loop:
            (number,) = loop.values
            yield number
            following = self.value(count.type, f"add {number}, 1")
            loop.repeat_if(self.value("i1", f"icmp ult {following}, {count.name}"), following)


class IRChoice:
    """The code for the case that a condition holds, and for the other case.

    Both are followed by a block in which `merged` returns values that depend on the case.
    """

    def __init__(self, code: FunctionBody, condition: Value, *, rare: bool):
        self._code = code
        self._condition = condition
        self._rare = rare
        self._then, self._after = code.block("then"), code.block("after")
        self._then_exit: IRBlock | None = None
        self._other_exit: IRBlock | None = code.current
        code.branch(condition, self._then, self._after, rare=rare)
        self._place = len(code._lines) - 1
        code.begin(self._then)

    def end_then(self) -> None:
        """Ends the code for the case that the condition holds."""
        self._then_exit = self._exit()
        self._code.begin(self._after)

    @contextmanager
    def else_(self) -> Iterator[None]:
        """Emits the code within the context for the case that the condition does not hold, right after the other."""
        code, otherwise = self._code, self._code.block("else")
        assert code._lines[-1] == f"{self._after.label}:", "no code stands between the two cases"
        code._lines[self._place] = "  " + _branch(self._condition, self._then, otherwise, rare=self._rare)
        code._lines[-1] = f"{otherwise.label}:"
        code.current = otherwise
        yield
        self._other_exit = self._exit()
        code.begin(self._after)

    def _exit(self) -> IRBlock | None:
        """Returns the current block, None if it has ended elsewhere."""
        return None if self._code.has_ended else self._code.current

    def merged(self, then: Value, otherwise: Value) -> Value:
        """Returns the value for the case that has been. The block has no other code before."""
        exits = (then, self._then_exit), (otherwise, self._other_exit)
        return self._code.phi(*((value, block) for value, block in exits if block is not None))


class IRLoop:
    """A loop. Its code branches to `after` to leave it."""

    def __init__(self, code: FunctionBody, first: Sequence[Value]):
        self._code = code
        self._head, self.after = code.block("loop"), code.block("done")
        self._sources = [[(value, code.current)] for value in first]
        code.begin(self._head)
        self._place = len(code._lines)
        self.values = [code.value(value.type, "phi") for value in first]

    def repeat(self, *values: Value) -> None:
        """Begins the next iteration."""
        self._hand_over(values)
        self._code.jump(self._head)

    def repeat_if(self, condition: Value, *values: Value) -> None:
        """Begins the next iteration if `condition` holds, else leaves the loop."""
        self._hand_over(values)
        self._code.branch(condition, self._head, self.after)

    def repeat_unless(self, condition: Value, *values: Value) -> None:
        """Leaves the loop if `condition` holds, else begins the next iteration."""
        self._hand_over(values)
        self._code.branch(condition, self.after, self._head)

    def _hand_over(self, values: Sequence[Value]) -> None:
        for value, sources in zip(values, self._sources, strict=True):
            sources.append((value, self._code.current))

    def end(self) -> None:
        """Ends the loop. Code that has not ended begins the next iteration."""
        code = self._code
        if not code.has_ended:
            self.repeat()
        for place, (value, sources) in enumerate(zip(self.values, self._sources, strict=True), self._place):
            code._lines[place] = f"  {value.name} = {_phi(sources)}"
        code.begin(self.after)


def _branch(condition: Value, then: IRBlock, otherwise: IRBlock, *, rare: bool) -> str:
    return f"br {condition}, {then}, {otherwise}{', !prof !0' if rare else ''}"


def _phi(sources: Sequence[tuple[Value, IRBlock]]) -> str:
    return f"phi {sources[0][0].type} " + ", ".join(f"[{value.name}, %{block.label}]" for value, block in sources)
