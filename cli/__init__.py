"""The terminal: turns events into sentences and typed lines into answers."""
