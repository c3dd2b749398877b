"""Proofs that no call breaks a rule alone: what the rules say is propagated until it contradicts itself."""
