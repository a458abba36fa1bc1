"""The functions in Python that host programs call: those that they declare, and those for memory and the GPU."""
