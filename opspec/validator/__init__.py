"""From a call to a verdict, and the words of its findings."""
