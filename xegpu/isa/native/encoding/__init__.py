"""The words of native instructions: opcodes, fields, compaction and scoreboard."""
