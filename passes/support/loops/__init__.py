"""Analyses and rewrites of loops that several passes share."""
