"""Threads that wait: barriers, and the values that are kept meanwhile."""
