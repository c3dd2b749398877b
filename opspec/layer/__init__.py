"""The layer: a library in front of the real ones, which judges calls, tells what is wrong, and hands them on."""
