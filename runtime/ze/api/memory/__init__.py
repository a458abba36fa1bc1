"""Chapters of memory: allocation, virtual memory, residency."""
