"""Analyses and rewrites of `scf.for` that several passes share."""
