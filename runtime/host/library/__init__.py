"""What host programs call in Python: functions that they declare, their memory, and the GPU."""
