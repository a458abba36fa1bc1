"""The page on the cost model shows published figures with the ratios that the model has today."""

from __future__ import annotations

import pytest

from tests.unit.runtime.simulator.profile.published import committed, latencies, products, rates, section

pytestmark = pytest.mark.docs

RENEW = "run: python -m tests.unit.runtime.simulator.profile.published"


def test_the_rates_and_latencies_are_todays() -> None:
    assert committed().startswith(section(rates(), latencies())), RENEW


@pytest.mark.exhaustive
def test_the_whole_section_is_todays() -> None:
    assert committed() == section(rates(), latencies(), products()), RENEW


def test_latencies_are_those_of_the_compiler() -> None:
    """The compiler's table is the model's source; measurements are not."""
    assert {figure.name for figure in latencies() if figure.model != figure.published} == set()


def test_peaks_are_within_a_percent_of_the_vendors() -> None:
    for figure in rates():
        if figure.name.startswith(("peak", "L1")) or figure.name == "memory, peak":
            assert figure.model == pytest.approx(figure.published, rel=0.015), figure.name
