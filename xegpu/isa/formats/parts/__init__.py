"""Common parts of the instruction formats: words, operands, rules about registers, spans of the register file."""
