"""Test cases of operators: legal calls that differ in what matters, and for each rule a call that breaks it alone."""
