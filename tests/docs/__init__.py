"""Tests of documentation pages."""
