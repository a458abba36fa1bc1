"""Supervision of a running launch: limits, progress and cancellation."""

from runtime.simulator.supervision.limits import parse_bytes as parse_bytes
