"""Host code in tests: compiled and called."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from passes.pipelines import read_module
from runtime.host.data.values import Array, Value
from runtime.host.library.functions import RunnerLibrary
from runtime.host.program import HostProgram, entries
from xegpu.diagnostics import SourceBuffer


class NoDevice:
    """For host code that uses no GPU."""

    def __init__(self, *, finds_unwritten: bool = False) -> None:
        self.finds_unwritten = finds_unwritten

    def allocate(self, size: int, *, is_shared: bool) -> int:
        raise AssertionError

    def free(self, address: int) -> bool:
        raise AssertionError

    def copy(self, target: int, source: int, size: int) -> None:
        raise AssertionError

    def fill(self, target: int, pattern: bytes, size: int) -> None:
        raise AssertionError

    def extent(self, address: int) -> None:
        return None

    def register(self, memory: Array) -> None:
        raise AssertionError

    def unregister(self, memory: Array) -> None:
        raise AssertionError

    def kernel(self, module: str, name: str) -> None:
        return None


class Program:
    """Functions of a text; `printed` is what they printed, `notes` what was said about their results."""

    def __init__(
        self, text: str, entry: str = "f", memory_limit: int | None = None, *, finds_unwritten: bool = False
    ) -> None:
        self.printed, self.notes = list[str](), list[str]()
        self.library = RunnerLibrary(self.printed.append, self.notes.append, finds_unwritten=finds_unwritten)
        _, module = read_module(SourceBuffer("t.mlir", text))
        function = next(op for op in entries(module) if op.sym_name.data == entry)
        device, find = NoDevice(finds_unwritten=finds_unwritten), self.library.find
        write, note = self.printed.append, self.notes.append
        self.host = HostProgram(module, function, find, device, write, note, memory_limit=memory_limit)

    def __call__(self, *arguments: Value) -> Value | tuple[Value, ...] | None:
        results = self.host.run(*arguments)
        return None if not results else results[0] if len(results) == 1 else tuple(results)

    @property
    def output(self) -> str:
        return "".join(self.printed)


def function(
    body: str,
    parameters: Sequence[str] = (),
    results: Sequence[str] = (),
    returned: str = "",
    symbols: Sequence[str] = (),
) -> Program:
    """A function `f` with a body, whose parameters are `%0`, `%1` and so on, after other symbols."""
    arguments = ", ".join(f"%a{number}: {type}" for number, type in enumerate(parameters))
    head = f"func.func @f({arguments})" + (f" -> ({', '.join(results)})" if results else "")
    end = f"return {returned} : {', '.join(results)}" if results else "return"
    before = "".join(f"{symbol}\n" for symbol in symbols)
    return Program(f"{before}{head} {{\n{body}\n{end}\n}}\n")


def operation(text: str, parameters: Sequence[str], result: str) -> Program:
    """One operation on the parameters `%a0`, `%a1` and so on, in generic terms: `text` is all right of the `=`."""
    return function(f"%r = {text}", parameters, [result], "%r")


Oracle = Callable[..., object]
