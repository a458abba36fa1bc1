"""Layouts of the values of a subgroup: the ones that operations require, and how layouts spread between operations."""
