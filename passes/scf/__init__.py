"""Passes on the `scf` dialect."""
