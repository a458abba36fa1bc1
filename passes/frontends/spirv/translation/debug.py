"""Debug information: `OpLine` as locations of LLVM IR."""

from __future__ import annotations

from collections.abc import Sequence

from passes.frontends.spirv.module import Function, Module
from passes.frontends.spirv.reader import Instruction

UNKNOWN = "unknown"
"""The file of a location without one; LLVM drops all debug information of a module in which a name is empty."""


class DebugInformation:
    """The metadata of a module. A module without `OpLine` has none."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._nodes: list[str] = []
        self._known: dict[str, int] = {}
        self._scopes: dict[tuple[str, int], str] = {}
        if module.lines:
            self._node('!{i32 2, !"Debug Info Version", i32 3}')
            first = min(module.lines.items())[1]
            self._unit = self._node(
                f"distinct !DICompileUnit(language: DW_LANG_OpenCL, file: {self._file(first[0])}, "
                "emissionKind: FullDebug)"
            )
            self._type = self._node("!DISubroutineType(types: null)")

    def scope(self, function: Function, name: str) -> str | None:
        """Returns the subprogram of a function, or `None` without debug information."""
        if not self._module.lines:
            return None
        words = [function.head.word, *(each.word for each in function.instructions())]
        place = next((self._module.lines[word] for word in words if word in self._module.lines), None)
        if place is None:
            return None
        file = self._file(place[0])
        return self._node(
            f"distinct !DISubprogram(name: {_quoted(name)}, file: {file}, line: {place[1]}, type: {self._type}, "
            f"scopeLine: {place[1]}, spFlags: DISPFlagDefinition, unit: {self._unit}, scope: {file})",
            unique=True,
        )

    def location(self, scope: str, instruction: Instruction) -> str:
        """Returns the debug attachment of an instruction's translation."""
        file, line, column = self._module.lines.get(instruction.word, (0, 0, 0))
        inner = self._scopes.get((scope, file))
        if inner is None:
            inner = scope
            if file and f"file: {self._file(file)}," not in self._nodes[int(scope[1:])]:
                inner = self._node(f"!DILexicalBlockFile(scope: {scope}, file: {self._file(file)}, discriminator: 0)")
            self._scopes[scope, file] = inner
        return f", !dbg {self._node(f'!DILocation(line: {line}, column: {min(column, 0xFFFF)}, scope: {inner})')}"

    def numbers(self, values: tuple[int, ...]) -> str:
        """Returns a node of 32-bit numbers, in which kernels carry the sizes that they require."""
        return self._node(f"!{{{', '.join(f'i32 {value}' for value in values)}}}")

    def strings(self, values: Sequence[str]) -> str:
        """Returns a node of strings, by which kernels carry the declarations of their arguments."""
        return self._node(f"!{{{', '.join(f'!{_quoted(value)}' for value in values)}}}")

    def loop(self, hint: str) -> str:
        """Returns the node of a loop that is to be unrolled (`enable`) or not (`disable`)."""
        property = self._node(f'!{{!"llvm.loop.unroll.{hint}"}}')
        return self._node(f"distinct !{{!{len(self._nodes)}, {property}}}", unique=True)

    def text(self) -> str:
        """Returns the metadata as LLVM IR."""
        rows = [f"!llvm.module.flags = !{{!0}}\n!llvm.dbg.cu = !{{{self._unit}}}"] if self._module.lines else []
        rows += [f"!{number} = {node}" for number, node in enumerate(self._nodes)]
        return "\n".join(rows) + "\n"

    def _file(self, string: int) -> str:
        path = self._module.strings.get(string, "")
        folder, _, name = path.rpartition("/")
        return self._node(f"!DIFile(filename: {_quoted(name or UNKNOWN)}, directory: {_quoted(folder)})")

    def _node(self, text: str, unique: bool = False) -> str:
        number = None if unique else self._known.get(text)
        if number is None:
            number = self._known[text] = len(self._nodes)
            self._nodes.append(text)
        return f"!{number}"


def _quoted(text: str) -> str:
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:02X}" for b in text.encode()) + '"'
