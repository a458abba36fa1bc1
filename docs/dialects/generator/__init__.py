"""Makes the pages of this folder from the dialects themselves and from the tests of their rules."""
