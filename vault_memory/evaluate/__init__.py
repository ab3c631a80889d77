"""Measuring: speed now, quality of recall later."""
