"""Engines that find passages, each in its folder."""
