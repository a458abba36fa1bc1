"""Analyses of a kernel that lowerings consult."""
