"""Gives modules in LLVM IR without debug information the lines of their own text as the places of instructions."""

from __future__ import annotations

import re

from passes.frontends.llvm.reader.tokens import code_of
from passes.frontends.optimisation import IrError, parsed

_LABEL = re.compile(r'\s*(?:[-\w.$]+|"[^"]*"):\s*')
_DIRECTIVE = re.compile(r"\s*(?:uselistorder|#dbg_)")
_FLAGS = re.compile(r"^!llvm\.module\.flags = !\{", re.MULTILINE)


def with_places(text: str, filename: str) -> str:
    """Returns a module whose instructions name the lines in which they stand, for messages and debuggers.

    A module with debug information stays as it is, as does one that is not written line by line.
    """
    if "!dbg" in text or "!llvm.dbg.cu" in text or '"' in filename or "\\" in filename:
        return text
    placed = _Writer(text, filename).written()
    try:
        parsed(placed)
    except IrError:
        return text
    return placed


class _Writer:
    """The text that is being written. Nodes are numbered behind those that the module has."""

    def __init__(self, text: str, filename: str) -> None:
        self._text = text
        self._next = max(map(int, re.findall(r"!(\d+)", text)), default=-1) + 1
        self._nodes: list[str] = []
        self._file = self._node(f'!DIFile(filename: "{filename}", directory: "")')
        self._unit = self._node(
            f"distinct !DICompileUnit(language: DW_LANG_C, file: {self._file}, emissionKind: FullDebug)"
        )
        self._type = self._node(f"!DISubroutineType(types: {self._node('!{null}')})")

    def written(self) -> str:
        """Returns the module with the lines of its instructions."""
        lines = self._text.split("\n")
        scope, inside, begun = "", False, 0
        for index, line in enumerate(lines):
            statement = code_of(line)
            rest = line[len(statement) :]
            if not inside and statement.startswith("define "):
                scope = self._function(statement, index + 1)
            if not inside:
                if scope and statement.endswith("{"):
                    inside = True
                    lines[index] = f"{statement[:-1]}!dbg {scope} {{{rest}"
            elif statement == "}":
                scope, inside = "", False
            elif statement.endswith("["):
                begun = index
            elif self._ends_instruction(statement):
                first = lines[begun or index]
                column = len(first) - len(first.lstrip()) + 1
                place = self._node(f"!DILocation(line: {(begun or index) + 1}, column: {column}, scope: {scope})")
                begun = 0
                lines[index] = f"{statement}, !dbg {place}{rest}"
        return self._with_nodes("\n".join(lines))

    def _function(self, head: str, line: int) -> str:
        """Returns the node of a function."""
        found = re.search(r'@(?:"([^"]*)"|([-\w.$]+))', head)
        name = (found[1] or found[2]) if found is not None else ""
        facts = f'name: "{name}", file: {self._file}, line: {line}, type: {self._type}, unit: {self._unit}'
        return self._node(f"distinct !DISubprogram({facts}, spFlags: DISPFlagDefinition)")

    @staticmethod
    def _ends_instruction(statement: str) -> bool:
        """Returns whether a line ends an instruction. That of a switch has more lines, with a case in each."""
        instruction = statement[label.end() :] if (label := _LABEL.match(statement)) is not None else statement
        if not instruction.strip() or _DIRECTIVE.match(instruction):
            return False
        return re.match(r"\s*i\d+ -?\d+, label ", instruction) is None

    def _node(self, content: str) -> str:
        """Adds a node and returns its name."""
        name = f"!{self._next}"
        self._next += 1
        self._nodes.append(f"{name} = {content}")
        return name

    def _with_nodes(self, text: str) -> str:
        version = self._node('!{i32 2, !"Debug Info Version", i32 3}')
        if _FLAGS.search(text) is None:
            text += "\n!llvm.module.flags = !{}"
        text = _FLAGS.sub(lambda found: f"{found[0]}{version}, ", text).replace(f"{version}, }}", f"{version}}}")
        return "\n".join([text, f"!llvm.dbg.cu = !{{{self._unit}}}", *self._nodes, ""])
