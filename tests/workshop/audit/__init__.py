"""Tests of the audit of pages."""
