"""The values of host programs: their types, their forms in compiled code and in memory, and what goes wrong."""
