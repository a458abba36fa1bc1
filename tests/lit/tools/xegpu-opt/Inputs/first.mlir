func.func private @first()
