"""Chapters of what a device executes, and of events and fences."""
