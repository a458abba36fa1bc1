"""What the instruction formats share: fields of words, operands, rules about registers, spans of the register file."""
