"""Native instructions as instructions of the model that both engines execute."""
