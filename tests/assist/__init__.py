"""Of what helps when a call has failed."""
