"""Errors of work that is spread over workers."""

from __future__ import annotations


class ClusterError(Exception):
    """A cluster that cannot be used, or a job that its workers do not survive."""


class SpreadError(ValueError):
    """A launch whose work-groups may communicate, or are no function of the arguments alone."""
