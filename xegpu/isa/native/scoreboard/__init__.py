"""The scoreboard of native code: what instructions read and write, in which pipes, and whether they wait for it."""
