"""A session on a device: its context and immediate command list, the ends of its objects, the arrays it borrows."""
