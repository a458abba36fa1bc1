"""Analyses and rewrites of XeTile tiles that several passes share."""
