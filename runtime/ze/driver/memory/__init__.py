"""Allocations, address ranges, and memory that several processes share."""
