"""Passes on the `gpu` dialect."""
