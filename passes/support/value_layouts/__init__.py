"""Layouts of the values of a subgroup: what operations ask for, and how layouts spread from one to the next."""
