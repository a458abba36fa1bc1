"""Passes on the `arith` dialect; each module defines one."""

from __future__ import annotations

from passes.arith.promote_integers import ArithPromoteIntegersPass

__all__ = ["ArithPromoteIntegersPass"]
