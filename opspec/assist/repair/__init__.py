"""From an illegal call to the nearest legal ones: the broken rules suggest the changes, the validator verifies them."""
