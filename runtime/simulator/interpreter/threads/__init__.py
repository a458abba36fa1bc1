"""A hardware thread in the interpreter: its registers, its memory, and values of channels."""
