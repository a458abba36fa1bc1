"""Random kernels of tiles in all forms, for whoever wants more than the test suite's share: whole subgroups, work-items
with given and with inferred maps, and blocks must store the same.

    python -m tests.bulk.chains --count 100 --seed 5 --target arc

Each takes about two seconds. The first one that differs ends the run.
"""

from __future__ import annotations

from tests.bulk.drawing import check_each, parser
from tests.unit.passes.kernels.tile_chains import chains
from tests.unit.passes.xegpu.test_tile_chains import check
from xegpu import targets


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--longest", type=int, default=6, help="operations of the longest kernels")
    arguments = options.parse_args()
    target = targets.get(arguments.target)
    check_each(arguments, chains(target.platform.subgroup_size, arguments.longest), lambda chain: check(chain, target))


if __name__ == "__main__":
    main()
