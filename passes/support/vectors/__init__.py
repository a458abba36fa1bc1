"""Facts and rewrites of vectors that several passes share."""
