"""Random kernels of tiles on the simulated machine against numpy, for whoever wants more than the test suite's share.

    python -m tests.bulk.tiles --count 100 --seed 5 --target arc

Each takes about a second. The first one that differs ends the run, with its text.
"""

from __future__ import annotations

from hypothesis import assume

from tests.bulk.drawing import check_each, parser
from tests.unit.passes.kernels.harness import compile_one, run
from tests.unit.passes.kernels.tile_programs import TileKernel, tile_kernels
from tests.unit.passes.xetile.test_blocking import compare, outcome, read
from xegpu import targets
from xegpu.targets import Target


def check(kernel: TileKernel, target: Target) -> None:
    """Compiles the kernel, runs it in both engines, and compares where no type of the machine rounds."""
    expected, is_exact = outcome(read(kernel.text), kernel.memories)
    assume(is_exact)
    found = run(compile_one(kernel.text, target), *kernel.on_machine(), target=target)
    compare(kernel.from_machine(found), expected, target.name)


def main() -> None:
    arguments = parser(__doc__).parse_args()
    target = targets.get(arguments.target)
    check_each(arguments, tile_kernels(4), lambda kernel: check(kernel, target))


if __name__ == "__main__":
    main()
