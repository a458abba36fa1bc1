"""The modules behind `zebin-dump`, one for each view, and what they share with `zebin-edit`."""
