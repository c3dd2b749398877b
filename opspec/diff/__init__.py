"""What differs between two releases, or two versions of an operator, and what of it breaks programs."""
