"""Places of operations in their source as debug information, by which messages and debuggers find them again."""

from __future__ import annotations

from xdsl.ir import Operation

from passes.frontends.llvm_dialect.writing.text import quoted
from xegpu.diagnostics import location_of


class Places:
    """The nodes of debug information of a module; `lines` are their text so far."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._nodes: dict[str, str] = {}
        self._unit = ""

    def _node(self, content: str) -> str:
        """Returns the name of a node with some content."""
        if content not in self._nodes:
            self._nodes[content] = f"!{len(self._nodes)}"
            self.lines.append(f"{self._nodes[content]} = {content}")
        return self._nodes[content]

    def _file(self, name: str) -> str:
        return self._node(f'!DIFile(filename: {quoted(name)}, directory: "")')

    def scope(self, op: Operation) -> str:
        """Returns the node of a function; empty for one without a place."""
        place = location_of(op)
        if place is None:
            return ""
        file = self._file(place.file)
        if not self._unit:
            self._unit = self._node(
                f"distinct !DICompileUnit(language: DW_LANG_C, file: {file}, emissionKind: FullDebug)"
            )
        type = self._node(f"!DISubroutineType(types: {self._node('!{null}')})")
        facts = f'name: "f{len(self._nodes)}", file: {file}, line: {place.line}, type: {type}, unit: {self._unit}'
        return self._node(f"distinct !DISubprogram({facts}, spFlags: DISPFlagDefinition)")

    def node(self, op: Operation, scope: str) -> str:
        """Returns what stands behind an instruction: the place of an operation."""
        place = location_of(op)
        if not scope or place is None:
            return ""
        inside = self._node(f"!DILexicalBlockFile(scope: {scope}, file: {self._file(place.file)}, discriminator: 0)")
        column = min(place.column, (1 << 16) - 1)
        return f", !dbg {self._node(f'!DILocation(line: {place.line}, column: {column}, scope: {inside})')}"

    def tail(self) -> list[str]:
        """Returns the lines that end a module."""
        if not self._unit:
            return []
        version = self._node('!{i32 2, !"Debug Info Version", i32 3}')
        return [*self.lines, f"!llvm.module.flags = !{{{version}}}", f"!llvm.dbg.cu = !{{{self._unit}}}"]
