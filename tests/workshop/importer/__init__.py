"""Tests of the importer: pages of our own invention, spoilt in every way, and samples of the real ones."""
