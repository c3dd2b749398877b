"""What those who write specs work with: importing pages, finding faults in them, lint, comparing with recorded calls.

Users who judge calls need none of it: only here are the vendor's pages parsed, and no room but ``cli`` imports it.
"""
