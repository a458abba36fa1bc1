"""Analyses of a kernel that several passes and the lowerings consult: they find what is known of its values."""
