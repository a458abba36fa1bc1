"""Utilities that several passes share."""
