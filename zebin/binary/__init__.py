"""A ZEBIN as a whole: the file and archives of them, what programs ask of it, and its code as text."""
