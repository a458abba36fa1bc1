"""The layouts of native words: what all generations have in common, and the tables that each fills in."""
