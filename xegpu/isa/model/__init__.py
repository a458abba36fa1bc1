"""The instruction model: types, operands, messages, instructions, and the facts of a compiled kernel."""
