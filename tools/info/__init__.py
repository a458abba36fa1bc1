"""The modules behind `ze-info`."""
