"""Chapters: commands that a device executes, events and fences."""
