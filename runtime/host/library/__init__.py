"""The runner library: functions that MLIR test programs declare and call."""
