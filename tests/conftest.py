"""Settings of all tests.

A plain run leaves out tests marked `exhaustive`, runs one parameter set in n of those marked `sampled(every=n)`, a
sixteenth of the sets of other tests but at least one of each, and draws fewer random examples (`tests.amounts`). A long
test without parameter sets that is marked `sampled(every=n)` runs in one plain run of n. Modules that are named on the
command line, and the tests of a mark (`-m docs`), run with all sets that are not marked. `pytest --all`, which
`scripts/test --all` calls, runs everything, but for tests marked `sampled(every=n, all=m)`, of whose thousands of sets
it takes one in m unless paths are named; `scripts/test-bulk` takes all of those.

What a run takes rotates with the tree that is committed: each commit looks at other sets. `--turn N` takes those
of an earlier run, which has printed its number.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import settings

from tests.amounts import ALL, examples
from tests.paths import ROOT

UNIT_TESTS = ROOT / "tests" / "unit"

SHARE = 16

# Tests assert behaviour, never time: an example may take as long as a busy machine needs. Examples are the same in
# every run, so that a change alone makes a test fail; `tests.bulk` looks for new ones.
UNTIMED = settings(deadline=None, derandomize=True)

# Random kernels do not fill the user's cache, and no test finds what an earlier run has compiled.
os.environ["XEGPU_CACHE_DIR"] = ""

# The devices of a test process are its own: what others do with theirs does not change their counters and settings.
os.environ["XEGPU_RUNTIME_DIR"] = tempfile.mkdtemp(prefix="xegpu-tests-")
atexit.register(shutil.rmtree, os.environ["XEGPU_RUNTIME_DIR"], ignore_errors=True)

# Locks check the order in which they are taken.
os.environ["XEGPU_DEBUG_LOCKS"] = "1"


TURN = "XEGPU_TEST_TURN"
"""The environment variable that tells the processes of a run which of the sampled tests and sets they take."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run exhaustive tests and all parameter sets of sampled ones")
    parser.addoption("--turn", type=int, help="take the share of the sampled tests that the run of this number took")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.write_line(f"sampled tests: --turn {os.environ[TURN]}")


def pytest_configure(config: pytest.Config) -> None:
    """Tells the modules of the tests, which are imported later, and the processes that they start."""
    if config.getoption("--all"):
        os.environ[ALL] = "1"
    if (turn := config.getoption("--turn")) is not None:
        os.environ[TURN] = str(turn)
    os.environ.setdefault(TURN, str(_turn_of_the_tree()))
    settings.register_profile("tests", UNTIMED, max_examples=examples(200))
    settings.load_profile("tests")


def _turn_of_the_tree() -> int:
    """Returns a number that changes with what is committed; 0 outside a git checkout."""
    try:
        tree = subprocess.run(["git", "rev-parse", "HEAD^{tree}"], cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return 0
    return int(tree[:6], 16)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects what only `--all` runs. Tests that are named one by one on the command line are always kept."""
    if any("::" in argument for argument in config.args):
        return
    is_whole = bool(config.getoption("--all"))
    if is_whole and config.args != config.getini("testpaths"):
        return
    is_part = any(argument.endswith(".py") for argument in config.args) or bool(config.option.markexpr)
    turn = int(os.environ[TURN])
    kept = {item for item in items if _has_its_turn(item, turn, is_whole=is_whole, is_part=is_part)}
    if not is_part and not is_whole:
        kept -= set(_spared((item for item in items if item in kept), turn))
    left_out = [item for item in items if item not in kept]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item in kept]


def _has_its_turn(item: pytest.Item, turn: int, *, is_whole: bool, is_part: bool) -> bool:
    if item.get_closest_marker("exhaustive") is not None:
        return is_whole
    sampled = item.get_closest_marker("sampled")
    if sampled is None or (is_part and not _has_sets(item)):
        return True
    every: int = sampled.kwargs.get("all", 1) if is_whole else sampled.kwargs["every"]
    return (_number(item) + turn) % every == 0


def _has_sets(item: pytest.Item) -> bool:
    return item.name.endswith("]")


def _spared(items: Iterable[pytest.Item], turn: int) -> Iterator[pytest.Item]:
    """Yields the parameter sets that a plain run spares of each test that is not `sampled` itself.

    Tests at the top of `tests/unit` look at each module of the product, and are spared nothing.
    """
    sets = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled") is None and item.path.parent != UNIT_TESTS:
            sets[item.nodeid.partition("[")[0]].append(item)
    for found in sets.values():
        found.sort(key=_number)
        count = -(-len(found) // SHARE)
        first = turn * count % len(found)
        yield from (found[first:] + found[:first])[count:]


def _number(item: pytest.Item) -> int:
    """Returns a number that spreads a choice over all parameters, the same in every process of a run."""
    return zlib.crc32(item.name.encode())
