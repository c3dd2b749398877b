"""Fixtures of several folders of tests."""

from __future__ import annotations

from tests.build.sdk.small import small_sdk

__all__ = ["small_sdk"]
