"""Random kernels in OpenCL C with barriers and work-group functions under conditions, against a model in numpy.

    python -m tests.bulk.divergent_barriers 1000 [SEED [GPU]]

Work-items of a group all come to each barrier, or those of a guard do that leaves each subgroup some. Conditions are
uniform, or the compiler cannot know that they are: they depend on memory and on the numbers of work-items. Both
engines run virtual code and native code.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context

from passes.frontends import import_source
from passes.pipelines import imported_passes, run_to_kernels, xe_passes
from passes.xe.select_code import NATIVE, VIRTUAL
from runtime import Device
from xegpu import targets
from zebin import build

Numbers = NDArray[np.int32]
SUBGROUP = 16
"""The work-items of a subgroup of the kernels, which say so."""
GROUPS = 2
_HEAD = "__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global int *a, global const int *c, int n) {"


@dataclass(frozen=True)
class Example:
    """A kernel, and what it makes of numbers: `a` has one for each work-item, which all add to it."""

    source: str
    items: int
    limit: int
    inputs: Numbers
    flags: Numbers
    expected: Numbers


class _Writer:
    """Writes statements, and does for all work-items of all groups what they mean: `x[group, item]`."""

    def __init__(self, rng: random.Random, items: int, limit: int, x: Numbers, flags: Numbers):
        self._rng = rng
        self._items = items
        self._limit = limit
        self._flags = flags
        self._local = np.tile(np.arange(items, dtype=np.int32), (GROUPS, 1))
        self.x = x
        self.there = np.ones_like(x, bool)
        self.lines: list[str] = []

    def statements(self, depth: int) -> None:
        """Writes a few statements; all work-items that are here come to each of them."""
        for _ in range(self._rng.randint(1, 3)):
            choices: list[Callable[[], None]] = [self._neighbour, self._combined, self._copied]
            if depth:
                choices += [self._choice, self._loop] * 2
                if self.there.all():
                    choices += [self._guard]
            self._within(self._rng.choice(choices), depth - 1)

    def _within(self, write: Callable[[], None], depth: int) -> None:
        self._depth = depth
        write()

    def _update(self, values: Numbers) -> None:
        self.x = np.where(self.there, values, self.x)

    def _neighbour(self) -> None:
        """Each work-item reads what one that is here has written before the barrier."""
        step = self._rng.randrange(1, 5)
        here = int(self.there[0].sum())
        self.lines.append(
            f"t[l] = x; barrier(CLK_LOCAL_MEM_FENCE); x = x * 3 + t[(l + {step}) % {here}]; "
            "barrier(CLK_LOCAL_MEM_FENCE);"
        )
        others = (self._local + step) % here
        self._update(self.x * np.int32(3) + np.take_along_axis(self.x, others, 1))

    def _combined(self) -> None:
        """A function of the work-group; those that a guard leaves out contribute nothing."""
        kinds = {"add": (np.add, 0), "min": (np.minimum, 2**31 - 1), "max": (np.maximum, -(2**31))}
        kind = self._rng.choice(list(kinds))
        function, neutral = kinds[kind]
        values = np.where(self.there, self.x, np.int32(neutral))
        form = self._rng.choice(["reduce", "scan_inclusive", "scan_exclusive", "broadcast", "any"])
        match form:
            case "reduce":
                call, found = f"work_group_reduce_{kind}(x)", function.reduce(values, 1, dtype=np.int32)[:, None]
            case "scan_inclusive":
                call, found = f"work_group_{form}_{kind}(x)", function.accumulate(values, 1, dtype=np.int32)
            case "scan_exclusive":
                sums = function.accumulate(values, 1, dtype=np.int32)
                first = np.full((GROUPS, 1), neutral, np.int32)
                call, found = f"work_group_{form}_{kind}(x)", np.concatenate([first, sums[:, :-1]], 1)
            case "broadcast":
                place = self._rng.randrange(SUBGROUP // 2)
                call, found = f"work_group_broadcast(x, {place})", self.x[:, place, None]
            case _:
                call, found = "work_group_any((x & 7) == 3)", (self.there & (self.x & 7 == 3)).any(1)[:, None]
        self.lines.append(f"x += {call} & 0xffff;")
        self._update(self.x + (found & np.int32(0xFFFF)).astype(np.int32))

    def _copied(self) -> None:
        """An asynchronous copy, to which all work-items come."""
        if not self.there.all():
            return
        self.lines.append(
            "{ event_t e = async_work_group_copy(t, c, get_local_size(0), 0); wait_group_events(1, &e); x ^= t[l]; "
            "barrier(CLK_LOCAL_MEM_FENCE); }"
        )
        self._update(self.x ^ self._flags)

    def _branch(self, condition: str, close: str = "}") -> None:
        self.lines.append(f"{condition} {{")
        self.statements(self._depth)
        self.lines.append(close)

    def _choice(self) -> None:
        """A condition that is the same for all work-items of a group, though some compilers cannot tell."""
        true, condition = self._rng.choice(
            [
                (True, "if (c[l] >= 0)"),
                (False, "if (c[l] < 0)"),
                (True, "if (l < get_local_size(0))"),
                (True, f"if (n == {self._limit})"),
                (True, "if ((x | 1) != 0)"),
            ]
        )
        depth = self._depth
        if true:
            self._branch(condition)
            self.lines.append("else { x += 1; barrier(CLK_LOCAL_MEM_FENCE); }")
        else:
            self.lines.append(f"{condition} {{ x = 0; barrier(CLK_LOCAL_MEM_FENCE); }} else {{")
            self._depth = depth
            self.statements(depth)
            self.lines.append("}")

    def _loop(self) -> None:
        """A loop whose rounds are the same for all work-items, and a choice in it by work-items."""
        rounds, depth = self._rng.randint(1, 3), self._depth
        name = f"r{len(self.lines)}"
        self.lines.append(f"for (int {name} = 0; {name} < {rounds} + (c[l] < 0); {name}++) {{ if (l & 1) x += {name};")
        start = len(self.lines)
        state = self._rng.getstate()
        for round in range(rounds):
            self._rng.setstate(state)
            del self.lines[start:]
            self._update(self.x + np.where(self._local & 1, np.int32(round), np.int32(0)))
            self._depth = depth
            self.statements(depth)
        self.lines.append("}")

    def _guard(self) -> None:
        """A guard that leaves out the last work-items of the last subgroup."""
        before = self.there
        self.there = self._local < self._limit
        self._branch("if (l < n)")
        self.there = before


def examples(seed: int, count: int) -> Iterator[Example]:
    """Yields random examples."""
    rng = random.Random(seed)
    for _ in range(count):
        items = SUBGROUP * rng.randint(1, 3)
        limit = items - rng.randint(0, SUBGROUP // 2)
        numbers = np.random.default_rng(rng.randrange(1 << 30))
        inputs = numbers.integers(-1000, 1000, (GROUPS, items)).astype(np.int32)
        flags = numbers.integers(0, 100, items).astype(np.int32)
        with np.errstate(over="ignore"):
            writer = _Writer(rng, items, limit, inputs.copy(), flags)
            writer.statements(3)
        lines = "\n  ".join(writer.lines)
        source = (
            f"{_HEAD}\n  local int t[{items}];\n  int i = get_global_id(0), l = get_local_id(0), x = a[i];\n  "
            f"{lines}\n  a[i] = x;\n}}\n"
        )
        yield Example(source, items, limit, inputs, flags, writer.x)


def check(example: Example, gpu: str = "pvc") -> None:
    """Runs both codes of an example in both engines. Raises `AssertionError` for a wrong result."""
    for code in (VIRTUAL, NATIVE):
        steps = [*imported_passes(gpu), *xe_passes(gpu, code=code)]
        kernels = run_to_kernels(Context(), import_source(example.source, "k.cl", "opencl"), steps)
        binary = build(targets.get(gpu), kernels)
        for engine in ("jit", "interpreter"):
            values = example.inputs.copy()
            kernel = Device(gpu, engine=engine).load(binary)["k"]
            kernel[(GROUPS,), (example.items,)](values, example.flags, np.int32(example.limit))
            np.testing.assert_array_equal(values, example.expected, f"{code} {engine}\n{example.source}")


if __name__ == "__main__":
    count, seed, gpu = (*sys.argv[1:], *("0", "pvc")[len(sys.argv) - 2 :])
    for number, each in enumerate(examples(int(seed), int(count))):
        check(each, gpu)
        if number % 10 == 9:
            print(number + 1, "kernels", flush=True)
