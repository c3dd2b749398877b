"""What those who write specs work with: importing pages, finding faults, comparing with recorded calls."""
