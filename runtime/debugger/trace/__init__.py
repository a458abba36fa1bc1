"""Traces of executed instructions."""
