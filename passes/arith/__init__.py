"""Passes on the `arith` dialect; each module defines one."""

from passes.arith.promote_integers import ArithPromoteIntegersPass as ArithPromoteIntegersPass
