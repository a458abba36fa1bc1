"""The page about the ISA: `python -m xegpu.isa.document` prints docs/isa.md."""
