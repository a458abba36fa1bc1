"""Analyses and rewrites that several passes share."""

from passes.support.pass_sequence import PassSequence as PassSequence, apply_step as apply_step
