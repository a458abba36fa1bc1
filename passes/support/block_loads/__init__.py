"""Predicates on loads of 2-D blocks that several passes ask."""
