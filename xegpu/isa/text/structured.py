"""Structured control flow in assembly: words that the assembler replaces by gotos and joins.

    (P) if (16|M0) ... else (16|M0) ... endif (16|M0)
    do ... (P) break (16|M0) ... (P) cont (16|M0) ... (P) while (16|M0)
    (P) halt (16|M0) ... eot

Channels without P wait at `else` or `endif`, those that leave a loop after its `while`, those that continue before
it, and those that halt before the next `eot` outside of everything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import NoReturn

from xegpu.isa.formats.parts.word import WORD_BYTES
from xegpu.isa.model.instruction import Combination, Instruction, Predicate
from xegpu.isa.model.table import BY_MNEMONIC
from xegpu.isa.notation.scanner import AssemblyError, Scanner
from xegpu.isa.text.parser import Head, Statement, parse_channels
from xegpu.on_demand import dataclass

_GOTO, _REPEAT, _JOIN = (BY_MNEMONIC[name] for name in ("goto", "goto.b", "join"))


@dataclass
class _Open:
    """An `if` or a `do` whose end is still to come; the labels are names that no text can define.

    `missing` is where control goes when no channel is left in this part of it, `end` is its last join.
    """

    word: str
    line: int
    column: int
    missing: str
    end: str
    start: int = 0
    has_else: bool = False
    continues: bool = False

    @property
    def location(self) -> str:
        return f"the {self.word} at {self.line}:{self.column}"


@dataclass
class Structures:
    """The open structures of a program; instructions are appended to `statements`, of which `labels` are indices."""

    statements: list[Statement]
    labels: dict[str, int]
    _open: list[_Open] = field(default_factory=list)
    _halt: str | None = None
    _halt_location: tuple[int, int] = (0, 0)
    _channels: int = 0
    _count: int = 0

    def read(self, scanner: Scanner, head: Head) -> None:
        """Reads the rest of a line whose instruction is one of `WORDS`; raises `AssemblyError`."""
        word = head.parts[0]
        if len(head.parts) > 1:
            scanner.fail(f"{word} takes no '.{'.'.join(head.parts[1:])}'", head.start)
        if head.no_mask:
            scanner.fail(f"{word} takes no (W)", head.column)
        if head.predicate is not None and word not in _PREDICATED:
            scanner.fail(f"{word} takes no predicate", head.column)
        if head.predicate is not None and head.predicate.combination is not Combination.NONE:
            scanner.fail(f"{word} takes a plain predicate", head.column)
        if word != "do":
            self._check_channels(scanner, word)
        scanner.expect_end()
        WORDS[word](self, _StructuredWord(scanner, head, word))

    def before_eot(self, line: int, column: int) -> None:
        """Emits the join of halted channels before the `eot` at this location, unless it is inside of a structure."""
        if self._halt is not None and not self._open:
            self.labels[self._halt] = len(self.statements)
            self._halt = None
            self._emit(line, column, Instruction(_JOIN, self._channels, join=WORD_BYTES))

    def finish(self) -> list[AssemblyError]:
        """Returns the errors for constructs that are still open at the end of the text."""
        ends = {"if": "endif", "do": "while"}
        errors = [AssemblyError(o.line, o.column, f"{o.word} without {ends[o.word]}") for o in self._open]
        if self._halt is not None:
            errors.append(AssemblyError(*self._halt_location, "halt without an eot after it, outside of ifs and loops"))
        return errors

    def _check_channels(self, scanner: Scanner, word: str) -> None:
        column = scanner.column
        size, offset = parse_channels(scanner)
        self._channels = self._channels or size
        if size != self._channels:
            scanner.fail(f"execution size {size}, the program's other ifs and loops have {self._channels}", column)
        if offset:
            scanner.fail(f"{word} works on all channels of the thread, from M0", column)

    def _label(self, name: str) -> str:
        self._count += 1
        return f"{name} {self._count}"

    def _innermost(self, word: str, opener: str, at: _StructuredWord) -> _Open:
        """Returns the structure that a word belongs to: the one opened last, which must be of the right kind."""
        if not self._open:
            at.fail(f"{word} without {opener}")
        innermost = self._open[-1]
        if innermost.word != opener:
            at.fail(f"{word} inside of {innermost.location}")
        return innermost

    def _loop(self, at: _StructuredWord) -> _Open:
        loop = next((o for o in reversed(self._open) if o.word == "do"), None)
        if loop is None:
            at.fail(f"{at.word} outside of a loop")
        return loop

    def _missing(self) -> str | None:
        """Returns the label of the next waiting channels if none is left here; None outside of everything."""
        return self._open[-1].missing if self._open else self._halt

    # Words.

    def _if(self, at: _StructuredWord) -> None:
        predicate = at.head.predicate
        if predicate is None:
            at.fail("if needs a predicate")
        otherwise = self._label("else")
        self._goto(at, otherwise, otherwise, replace(predicate, inverted=not predicate.inverted))
        self._open.append(_Open("if", *at.location, otherwise, self._label("endif")))

    def _else(self, at: _StructuredWord) -> None:
        branch = self._innermost("else", "if", at)
        if branch.has_else:
            at.fail(f"second else of {branch.location}")
        self._goto(at, branch.missing, branch.end, None)
        self._join(at, branch.missing, branch.end)
        branch.missing, branch.has_else = branch.end, True

    def _endif(self, at: _StructuredWord) -> None:
        branch = self._innermost("endif", "if", at)
        self._open.pop()
        self.labels[branch.end] = len(self.statements)
        self._join(at, branch.missing, self._missing())

    def _do(self, at: _StructuredWord) -> None:
        opened = _Open("do", *at.location, self._label("cont"), self._label("while"), len(self.statements))
        self._open.append(opened)

    def _while(self, at: _StructuredWord) -> None:
        loop = self._innermost("while", "do", at)
        self._open.pop()
        if loop.continues:
            self._join(at, loop.missing, loop.end)
        else:
            self.labels[loop.missing] = len(self.statements)
        head = self._label("do")
        self.labels[head] = loop.start
        self._goto(at, loop.end, head, at.head.predicate, repeat=True)
        self._join(at, loop.end, self._missing())

    def _break(self, at: _StructuredWord) -> None:
        self._leave(at, self._loop(at).end)

    def _cont(self, at: _StructuredWord) -> None:
        loop = self._loop(at)
        loop.continues = True
        self._leave(at, loop.missing)

    def _do_halt(self, at: _StructuredWord) -> None:
        if self._halt is None:
            self._halt, self._halt_location = self._label("halt"), at.location
        self._leave(at, self._halt)

    # What they become.

    def _leave(self, at: _StructuredWord, target: str) -> None:
        self._goto(at, self._missing() or target, target, at.head.predicate)

    def _goto(
        self, at: _StructuredWord, join: str, target: str, predicate: Predicate | None, *, repeat: bool = False
    ) -> None:
        spec = _REPEAT if repeat else _GOTO
        instruction = Instruction(spec, self._channels, predicate=predicate)
        self._emit(*at.location, instruction, ("join", join), ("target", target))

    def _join(self, at: _StructuredWord, label: str, missing: str | None) -> None:
        """Emits a join called `label`; without channels control goes to `missing`, else to the next instruction."""
        self.labels[label] = len(self.statements)
        if missing is None:
            self._emit(*at.location, Instruction(_JOIN, self._channels, join=WORD_BYTES))
        else:
            self._emit(*at.location, Instruction(_JOIN, self._channels), ("join", missing))

    def _emit(self, line: int, column: int, instruction: Instruction, *names: tuple[str, str]) -> None:
        labels = tuple((name, label, column) for name, label in names)
        self.statements.append(Statement(instruction, line, column, labels))


@dataclass(frozen=True)
class _StructuredWord:
    """A structured instruction as written."""

    scanner: Scanner
    head: Head
    word: str

    @property
    def location(self) -> tuple[int, int]:
        return self.scanner.line, self.head.column

    def fail(self, message: str) -> NoReturn:
        self.scanner.fail(message, self.head.column)


_PREDICATED = frozenset({"if", "while", "break", "cont", "halt"})

WORDS: dict[str, Callable[[Structures, _StructuredWord], None]] = {
    "if": Structures._if,
    "else": Structures._else,
    "endif": Structures._endif,
    "do": Structures._do,
    "while": Structures._while,
    "break": Structures._break,
    "cont": Structures._cont,
    "halt": Structures._do_halt,
}
"""The words, and the methods that read them."""
