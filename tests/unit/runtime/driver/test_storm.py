"""Many threads that call at once."""

from __future__ import annotations

from tests.unit.runtime.driver.clients import Client


def test_a_storm_of_calls(client: Client) -> None:
    """Sixteen threads and a fork; `tests/bulk/c_calls.py` has a longer one that measures memory."""
    assert int(client.run("storm", "4000")) < 20_000
