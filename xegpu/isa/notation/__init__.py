"""How the parts of instructions are written: the scanner of assembly text, and the reader and writer of operands."""
