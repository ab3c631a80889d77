"""Measuring recall: real questions, asked through the ordinary search and recall."""
