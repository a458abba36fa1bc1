"""Accesses through descriptors: blocks, tiles, rows and one address per lane."""
