"""Facts about a kernel that several passes need: its mode, its signature, its memory and the types it computes with."""
