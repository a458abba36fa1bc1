"""Queues, lists, events and fences, and the streams that execute commands."""
