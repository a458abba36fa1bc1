"""Lowers control flow, barriers, collectives of work-items, and prints."""
