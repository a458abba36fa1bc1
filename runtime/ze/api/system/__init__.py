"""Chapters of drivers, devices and contexts."""
