"""Random structured programs of one thread, and what each channel of them computes on its own.

A program is a list of statements on four variables of each channel: sums, branches, loops with breaks and
continues, and ends of channels. As assembly they become gotos and joins; `run_channel` executes them for a channel
alone, and knows nothing of masks.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

VARIABLES = 4
FIRST_REGISTER = 20
"""Variable v is in the dwords of two registers from `FIRST_REGISTER + 2 * v` on."""

COUNTERS = 40
"""Loops at depth d count in two registers from `COUNTERS + 2 * d` on."""

_LIMIT = 1 << 32


@dataclass
class Sum:
    """variable = variable * factor + constant + other."""

    variable: int
    other: int
    constant: int


@dataclass
class If:
    """A branch taken where the bits of the variable under the mask are less than the limit."""

    variable: int
    mask: int
    limit: int
    then: list[Statement]
    otherwise: list[Statement]


@dataclass
class Loop:
    """Until the low bits of the variable, times counter, reach the limit, and at most `most` times."""

    variable: int
    most: int
    depth: int
    body: list[Statement] = field(default_factory=list)


@dataclass
class Leave:
    """`break`, `continue` of the innermost loop, or `halt`."""

    how: str


@dataclass
class Share:
    """Adds to a dword of shared memory that the variable chooses, and takes what was there."""

    variable: int
    other: int


@dataclass
class Meet:
    """A barrier of the work-group."""


Statement = Sum | If | Loop | Leave | Share | Meet


def shared_program(rng: random.Random, size: int) -> list[Statement]:
    """Random statements, barriers between them; all channels come to the end."""
    found: list[Statement] = []
    for _ in range(rng.randint(2, 5)):
        found += [s for s in statements(rng, size, share=True) if not isinstance(s, Leave)]
        found.append(Meet())
    return found


def statements(
    rng: random.Random, size: int, loops: int = 0, depth: int = 0, *, share: bool = False
) -> list[Statement]:
    """About `size` statements inside of so many loops; those that `share` memory do not halt."""
    found: list[Statement] = []
    for _ in range(rng.randint(1, max(size, 1))):
        kind = rng.random()
        if share and kind < 0.2:
            found.append(Share(rng.randrange(VARIABLES), rng.randrange(VARIABLES)))
        elif kind < 0.4 or size <= 1:
            found.append(Sum(rng.randrange(VARIABLES), rng.randrange(VARIABLES), rng.randrange(50)))
        elif kind < 0.75:
            mask = rng.choice([1, 3, 7, 15])
            parts = [statements(rng, size // 2, loops, depth + 1, share=share) for _ in range(2)]
            parts[1] = parts[1] if rng.random() < 0.6 else []
            found.append(If(rng.randrange(VARIABLES), mask, rng.randint(0, mask + 1), *parts))
        elif kind < 0.9 and loops < 3:
            body = statements(rng, size // 2, loops + 1, depth + 1, share=share)
            found.append(Loop(rng.randrange(VARIABLES), rng.randint(1, 4), loops, body))
        elif (loops or not share) and rng.random() < (0.6 if depth else 0.1):
            found.append(Leave(rng.choice(["break", "continue"] if loops else ["halt"])))
    return found


# One channel ---------------------------------------------------------------------------------------------------------


class _Left(Exception):
    """A channel leaves a loop's body, or the program."""


def run_channel(program: list[Statement], values: list[int]) -> list[int]:
    """The variables of a channel at its end."""
    values = list(values)
    with contextlib.suppress(_Left):
        _run(program, values)
    return values


def _run(program: list[Statement], values: list[int]) -> None:
    for statement in program:
        match statement:
            case Sum(variable, other, constant):
                values[variable] = (values[variable] * 3 + values[other] + constant) % _LIMIT
            case If(variable, mask, limit, then, otherwise):
                _run(then if values[variable] & mask < limit else otherwise, values)
            case Loop(variable, most, _, body):
                _run_loop(variable, most, body, values)
            case Leave(how):
                raise _Left(how)


def _run_loop(variable: int, most: int, body: list[Statement], values: list[int]) -> None:
    counter = 0
    while True:
        try:
            _run(body, values)
        except _Left as left:
            if left.args[0] == "break":
                return
            if left.args[0] == "halt":
                raise
        counter += 1
        if not (counter < most and values[variable] & 7 < 6):
            return


# Assembly ------------------------------------------------------------------------------------------------------------


def assembly(program: list[Statement], channels: int) -> str:
    """The program with gotos and joins; channels that halt wait at its end."""
    lines = _Assembly(channels)
    lines.block(program, "Lexit", ())
    return "\n".join([*lines.lines, "Lexit:", f"join ({channels}|M0) Lend", "Lend:"])


class _Assembly:
    def __init__(self, channels: int):
        self.lines: list[str] = []
        self._channels = f"({channels}|M0)"
        self._names = self._numbers()

    def _numbers(self) -> Iterator[int]:
        number = 0
        while True:
            number += 1
            yield number

    def block(self, program: list[Statement], nearest: str, loop: tuple[str, ...]) -> None:
        """`nearest` is the join that comes next; `loop` are those behind the innermost loop and at its back edge."""
        for statement in program:
            match statement:
                case Sum(variable, other, constant):
                    target, source = f"r{FIRST_REGISTER + 2 * variable}", f"r{FIRST_REGISTER + 2 * other}"
                    self._add(f"mov {self._channels} r50:ud {source}:ud")
                    self._add(f"mul {self._channels} {target}:ud {target}:ud 3:ud")
                    self._add(f"add {self._channels} {target}:ud {target}:ud r50:ud")
                    self._add(f"add {self._channels} {target}:ud {target}:ud {constant}:ud")
                case If():
                    self._if(statement, nearest, loop)
                case Loop():
                    self._loop(statement, nearest)
                case Share(variable, other):
                    target, source = f"r{FIRST_REGISTER + 2 * variable}", f"r{FIRST_REGISTER + 2 * other}"
                    self._add(f"and {self._channels} r50:ud {target}:ud 15:ud")
                    self._add(f"mul {self._channels} r50:ud r50:ud 4:ud")
                    self._add(f"atomic_iadd.slm.d32.a32 {self._channels} {target} flat[r50] {source}")
                case Meet():
                    self._add("barrier")
                case Leave("break"):
                    self._add(f"goto {self._channels} {nearest} {loop[0]}")
                case Leave("continue"):
                    self._add(f"goto {self._channels} {nearest} {loop[1]}")
                case Leave():
                    self._add(f"goto {self._channels} {nearest} Lexit")

    def _if(self, statement: If, nearest: str, loop: tuple[str, ...]) -> None:
        number = next(self._names)
        otherwise, end = f"Lelse{number}", f"Lendif{number}"
        self._compare(statement.variable, statement.mask, "lt", statement.limit)
        self._add(f"(~f0.0) goto {self._channels} {otherwise} {otherwise}")
        self.block(statement.then, otherwise, loop)
        self._add(f"goto {self._channels} {otherwise} {end}")
        self._join(otherwise, end)
        self.block(statement.otherwise, end, loop)
        self._join(end, nearest)

    def _loop(self, statement: Loop, nearest: str) -> None:
        number = next(self._names)
        counter = f"r{COUNTERS + 2 * statement.depth}"
        self._add(f"mov {self._channels} {counter}:ud 0:ud")
        self.lines.append(f"Lhead{number}:")
        self.block(statement.body, f"Lcont{number}", (f"Lbehind{number}", f"Lcont{number}"))
        self._join(f"Lcont{number}", f"Lbehind{number}")
        self._add(f"add {self._channels} {counter}:ud {counter}:ud 1:ud")
        self._compare(statement.variable, 7, "lt", 6)
        self._add(f"(f0.0) cmp {self._channels} (lt)f0.0 null:ud {counter}:ud {statement.most}:ud")
        self._add(f"(f0.0) goto.b {self._channels} Lbehind{number} Lhead{number}")
        self._join(f"Lbehind{number}", nearest)

    def _compare(self, variable: int, mask: int, condition: str, limit: int) -> None:
        self._add(f"and {self._channels} r50:ud r{FIRST_REGISTER + 2 * variable}:ud {mask}:ud")
        self._add(f"cmp {self._channels} ({condition})f0.0 null:ud r50:ud {limit}:ud")

    def _join(self, label: str, nearest: str) -> None:
        self.lines.append(f"{label}:")
        self._add(f"join {self._channels} {nearest}")

    def _add(self, line: str) -> None:
        self.lines.append("    " + line)
