"""Passes on the XeTile dialect."""
