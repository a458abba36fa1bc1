"""Intel's Level Zero driver as an oracle: on compiled examples, and on files with one change."""
