"""The modules behind `zebin-edit`."""
