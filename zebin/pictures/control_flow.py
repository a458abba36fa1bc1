"""The control flow of kernels as graphs in the language DOT, which Graphviz draws."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xegpu.on_demand import dataclass
from zebin.binary.disassembly import CodeListing

_LABEL = re.compile(r"\b[A-Za-z_]\w*\b")
_PREDICATED = re.compile(r"\((?:W&)?~?f\d")
_ALWAYS_LEAVES = frozenset({"jmpi", "ret", "brd", "brc", "illegal"})
"""The instructions behind which nothing follows unless they are predicated."""
_MOST_LINES = 40


@dataclass
class CodeBlock:
    """Instructions that are executed one after the other: the first label or offset, lines, and what may follow."""

    name: str
    lines: list[str]
    successors: list[str]


def code_blocks(listing: CodeListing) -> list[CodeBlock]:
    """Returns the blocks of a listing: a label begins one, and a line that names labels or ends the thread ends it."""
    labels = {text.removesuffix(":") for offset, text in listing.lines if offset is None and text.endswith(":")}
    found: list[CodeBlock] = []
    names: dict[str, str] = {}
    pending: list[str] = []
    current: CodeBlock | None = None
    above: CodeBlock | None = None
    for offset, text in listing.lines:
        if offset is None:
            if text.endswith(":"):
                pending.append(text.removesuffix(":"))
                current, above = None, current or above
            continue
        if current is None:
            current = CodeBlock(pending[0] if pending else f"{offset:#x}", [], [])
            names |= dict.fromkeys(pending, current.name)
            pending.clear()
            found.append(current)
            if above is not None:
                above.successors.insert(0, current.name)
            above = None
        line = " ".join(text.split())
        current.lines.append(line)
        targets = [word for word in _LABEL.findall(line) if word in labels]
        current.successors += targets
        leaves = _leaves(line)
        if targets or leaves:
            current, above = None, None if leaves else current
    for block in found:
        block.successors = list(dict.fromkeys(names.get(name, name) for name in block.successors))
    return found


def _leaves(line: str) -> bool:
    """Returns whether control cannot reach the next line."""
    mnemonic = _mnemonic(line)
    return mnemonic == "eot" or "EOT" in line or (mnemonic in _ALWAYS_LEAVES and not _PREDICATED.match(line))


def _mnemonic(line: str) -> str:
    """Returns the name of an instruction, without predicate and suffixes."""
    return (
        line.partition(") ")[2].split(" ")[0].split(".")[0]
        if line.startswith("(")
        else line.split(" ")[0].split(".")[0]
    )


def control_flow_dot(name: str, listing: CodeListing) -> Iterator[str]:
    """Yields the lines of the graph of a kernel."""
    yield f"digraph {_quoted(name)} {{"
    yield '  node [shape=box, fontname="monospace"];'
    for block in code_blocks(listing):
        shown = [f"{block.name}:", *block.lines[:_MOST_LINES]]
        if len(block.lines) > _MOST_LINES:
            shown.append(f"... {len(block.lines) - _MOST_LINES} more")
        text = "".join(f"{_escaped(line)}\\l" for line in shown)
        yield f'  {_quoted(block.name)} [label="{text}"];'
        for after in block.successors:
            yield f"  {_quoted(block.name)} -> {_quoted(after)};"
    yield "}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'
