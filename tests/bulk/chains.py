"""Random kernels of tiles in all forms, for whoever wants more than the test suite's share: whole subgroups, work-items
with given and with inferred maps, and blocks must store the same.

    python -m tests.bulk.chains --count 100 --seed 5 --target arc

Each takes about two seconds. The first one that differs ends the run.
"""

from __future__ import annotations

import argparse

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

from tests.unit.compiler.test_tile_chains import check
from tests.unit.compiler.tile_chains import Chain, chains
from xegpu import targets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--longest", type=int, default=6, help="operations of the longest kernels")
    parser.add_argument("--target", choices=targets.TARGETS, default="pvc")
    arguments = parser.parse_args()
    target = targets.get(arguments.target)

    @seeded(arguments.seed)
    @settings(
        max_examples=arguments.count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(chain=chains(target.subgroup_size, arguments.longest))
    def check_each(chain: Chain) -> None:
        check(chain, target)

    check_each()


if __name__ == "__main__":
    main()
