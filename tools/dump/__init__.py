"""The work of `zebin-dump`: one file for each thing that it shows, and what they share with `zebin-edit`."""
