"""Passes on the `xe` dialect."""
