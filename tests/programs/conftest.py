"""The SDK that programs are built and run with."""

from tests.build.sdk.small import small_sdk as small_sdk
