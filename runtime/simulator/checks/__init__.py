"""Checks of kernels while they run: for memory nobody wrote, races, barriers, and more."""

from __future__ import annotations

from runtime.simulator.checks.checker import Checker
from runtime.simulator.checks.memory import checking_memory
from runtime.simulator.checks.table import Check, parse_checks

__all__ = ["Check", "Checker", "checking_memory", "parse_checks"]
