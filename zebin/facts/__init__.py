"""The facts of a kernel and its cost in the records of `.ze_info`, written and read back."""
