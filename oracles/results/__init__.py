"""Reads and compares what the program writes, for `same_results.py`."""
