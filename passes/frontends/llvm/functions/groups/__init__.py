"""Functions of groups: combining, exchanging, block accesses and products of matrices."""
