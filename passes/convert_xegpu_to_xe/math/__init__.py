"""Lowers elementwise arithmetic and mathematical functions."""
