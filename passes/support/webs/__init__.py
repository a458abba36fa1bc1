"""Values that must agree with each other: sets of them, and those of descriptors."""
