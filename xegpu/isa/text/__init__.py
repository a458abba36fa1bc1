"""The assembly language: assembler and disassembler."""
