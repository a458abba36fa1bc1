"""Supervision of a running launch: limits, progress and cancellation."""
